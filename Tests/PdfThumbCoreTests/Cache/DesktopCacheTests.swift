import PdfThumbCore
import SystemIO
import TestSupport
import Testing

@Suite struct DesktopCacheTests {
  let folder: TemporaryDirectory
  let cache: DesktopCache

  init() throws {
    folder = try TemporaryDirectory()
    cache = DesktopCache(root: folder.path("cache/thumbnails"), program: "probe-1")
  }

  private func picture() throws -> Picture {
    try #require(
      Picture(
        size: PixelSize(width: 2, height: 1), format: .rgb, pixels: [1, 2, 3, 4, 5, 6]))
  }

  @Test func `a thumbnail is found until its original changes`() throws {
    let path = try folder.write("a b.pdf", text: "one")
    let original = try #require(cache.original(path))
    #expect(cache.thumbnail(of: original, size: .normal) == nil)
    let stored = try cache.store(try picture(), of: original, size: .normal, pageCount: 7)
    let file = try #require(cache.thumbnail(of: original, size: .normal))
    #expect(PNGDecoder.decode(file)?.pixels == [1, 2, 3, 255, 4, 5, 6, 255])
    #expect(cache.thumbnail(of: original, size: .large) == nil)
    #expect(try FileSystem.status(stored).mode & 0o777 == 0o600)
    #expect(try FileSystem.status(Path.parent(of: stored)).mode & 0o777 == 0o700)
    try FileDescriptor.open(path).setTimes(
      access: .now, modification: FileTime(seconds: original.modified + 1))
    let changed = try #require(cache.original(path))
    #expect(cache.thumbnail(of: changed, size: .normal) == nil)
  }

  @Test func `names and escapes are glib's`() throws {
    let path = try folder.write("a [1] ä%#?&+;='!.pdf", text: "x")
    let original = try #require(cache.original(path))
    #expect(original.uri.hasPrefix("file:///"))
    #expect(original.uri.hasSuffix("/a%20%5B1%5D%20%C3%A4%25%23%3F&+%3B='!.pdf"))
    #expect(localPath(original.uri) == path)
    #expect(localPath("relative.pdf") == "relative.pdf")
    #expect(localPath("file:relative") == nil)
  }

  @Test func `what cannot have a thumbnail has none`() throws {
    #expect(cache.original(folder.path("absent")) == nil)
    #expect(cache.original(folder.path) == nil)
    let inside = try folder.write("cache/thumbnails/normal/x.png", text: "x")
    #expect(cache.original(inside) == nil)
  }

  @Test(arguments: [PDFError.Code.damaged, .notAPDF, .noPages, .pageMissing])
  func `lasting failures are remembered`(code: PDFError.Code) throws {
    let original = try #require(cache.original(try folder.write("a.pdf", text: "x")))
    #expect(cache.note(PDFError(code: code, message: "expected"), of: original))
    #expect(cache.failure(of: original) == code)
    let other = DesktopCache(root: cache.root, program: "probe-2")
    #expect(other.failure(of: original) == nil)
  }

  @Test(arguments: [
    PDFError.Code.timedOut, .passwordNeeded, .limitExceeded, .outOfMemory, .crashed,
  ])
  func `passing failures are not`(code: PDFError.Code) throws {
    let original = try #require(cache.original(try folder.write("a.pdf", text: "x")))
    #expect(!cache.note(PDFError(code: code, message: "expected"), of: original))
    #expect(cache.failure(of: original) == nil)
  }

  @Test func `a damaged entry is none`() throws {
    let original = try #require(cache.original(try folder.write("a.pdf", text: "x")))
    let stored = try cache.store(try picture(), of: original, size: .large, pageCount: 1)
    for bytes in [[], [0x89, 0x50, 0x4E, 0x47], [UInt8](repeating: 255, count: 400)] {
      try FileSystem.place(bytes, at: stored)
      #expect(cache.thumbnail(of: original, size: .large) == nil)
    }
  }

  @Test(arguments: [(1, 128), (128, 128), (129, 256), (600, 1024), (5000, 1024)])
  func `a size is the smallest that holds the pixels`(pixels: Int, size: Int) {
    #expect(DesktopCache.Size(holding: pixels).rawValue == size)
  }
}

import PdfThumbCore
import SystemIO
import TestSupport
import Testing

@Suite("thumbs on a desktop") struct DesktopTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func document() throws -> [UInt8] {
    PDFBuilder(pages: [.filled("1 0 0", width: 60, height: 90)]).build()
  }

  /// Asks GNOME's own code for a document's thumbnails, as its file manager does.
  private static let reader = """
    import os, sys, gi
    gi.require_version('GnomeDesktop', '3.0')
    from gi.repository import Gio, GnomeDesktop
    for path in sys.argv[1:]:
      uri, modified = Gio.File.new_for_path(path).get_uri(), int(os.stat(path).st_mtime)
      for size in GnomeDesktop.DesktopThumbnailSize.NORMAL, GnomeDesktop.DesktopThumbnailSize.LARGE:
        factory = GnomeDesktop.DesktopThumbnailFactory.new(size)
        print(factory.lookup(uri, modified), factory.lookup(uri, modified + 1),
              factory.can_thumbnail(uri, 'application/pdf', modified))
    """

  private static let python = "/usr/bin/python3"

  /// Whether GNOME's code is there.
  static let hasReader: Bool = {
    guard FileSystem.exists(python),
      let null = try? FileDescriptor.open("/dev/null", .readWrite),
      let child = try? ChildProcess(
        path: python, arguments: ["python3", "-c", reader], environment: ["HOME=/"],
        descriptors: [null.raw, null.raw, null.raw])
    else { return false }
    return child.wait().ending == .exited(status: 0)
  }()

  private func ask(_ paths: [String], _ environment: [String]) async throws -> [String] {
    let program = try RunningProgram(
      Self.python, ["-c", Self.reader] + paths,
      environment: environment + ["HOME=/", "PATH=/usr/bin:/bin"])
    let ending = try await program.finish()
    #expect(ending == .exited(status: 0), "\(program.errorText)")
    return program.outputText.split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: hasReader, "there is no python3-gi with gir1.2-gnomedesktop-3.0"))
  func `GNOME finds what the cache was filled with, whatever the name`() async throws {
    let names = ["plain.pdf", "ä b#[x]/ü (1)+%&=~'.pdf", "日本 語?.pdf", "a%20b;c,d@e!$*.pdf"]
    let paths = try names.map { try folder.write("docs/" + $0, try document()) }
    let environment = [
      "XDG_CACHE_HOME=" + folder.path("cache"), "XDG_DATA_HOME=" + folder.path("data"),
      "XDG_DATA_DIRS=/usr/share",
    ]
    let before = try await ask(paths, environment)
    #expect(before.map { $0.prefix(9) } == Array(repeating: "None None", count: paths.count * 2))
    for size in ["128", "256"] {
      let ended = try await BuiltProgram.run(
        "thumbs", ["--cache", "-s", size] + paths, environment: environment)
      #expect(ended.status == 0, "\(ended.errors)")
    }
    let installed = try await BuiltProgram.run(
      "thumbs", ["--install-thumbnailer"], environment: environment)
    #expect(installed.status == 0)
    let after = try await ask(paths, environment)
    for (index, line) in after.enumerated() {
      let kind = index % 2 == 0 ? "normal" : "large"
      #expect(line.hasPrefix(folder.path("cache/thumbnails/\(kind)/")), "\(names[index / 2])")
      // Not for a file that was changed; and GNOME would call us for it.
      #expect(line.hasSuffix(".png None True"))
    }
  }

  @Test func `a failure is remembered, told, and forgotten with time`() async throws {
    let path = try folder.write("bad.pdf", text: "no document")
    let environment = ["XDG_CACHE_HOME=" + folder.path("cache")]
    func run() async throws -> String {
      let ended = try await BuiltProgram.run("thumbs", ["--cache", path], environment: environment)
      #expect(ended.status == 3)
      return ended.errors
    }
    #expect(try await run().contains("no %PDF- header"))
    #expect(try await run().contains("not found bad lately"))
    let fail = folder.path("cache/thumbnails/fail")
    let program = try #require(try FileSystem.names(in: fail).first)
    let name = try #require(try FileSystem.names(in: Path.join(fail, program)).first)
    let entry = "cache/thumbnails/fail/\(program)/\(name)"
    #expect(try FileSystem.status(folder.path(entry)).mode == 0o600)
    // The same note of eight days ago, its checksum left as it was: readers of text do not look at it.
    var bytes = try folder.read(entry)
    let key = Array("X-Courier::Noted\0".utf8)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: key) }) + key.count
    let noted = String(decoding: bytes[start..<start + 10], as: UTF8.self)
    let earlier = try #require(Int(noted)) - 8 * 24 * 3600
    bytes.replaceSubrange(start..<start + 10, with: Array(String(earlier).utf8))
    try folder.write(entry, bytes)
    #expect(try await run().contains("no %PDF- header"))
  }

  private static let sandbox = "/usr/bin/bwrap"

  /// Whether a sandbox like GNOME's may be made here.
  static let hasSandbox: Bool = {
    guard FileSystem.exists(sandbox), let null = try? FileDescriptor.open("/dev/null", .readWrite),
      let child = try? ChildProcess(
        path: sandbox,
        arguments: [
          "bwrap", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--unshare-all",
          "/usr/bin/true",
        ],
        environment: [], descriptors: [null.raw, null.raw, null.raw])
    else { return false }
    return child.wait().ending == .exited(status: 0)
  }()

  /// The directory of Swift's libraries, which the program was built with.
  private static func runtime() throws -> String {
    let maps = String(
      decoding: try FileDescriptor.open("/proc/self/maps").readToEnd(limit: 1 << 22), as: UTF8.self)
    let line = try #require(maps.split(separator: "\n").first { $0.hasSuffix("/libswiftCore.so") })
    return Path.parent(of: String(try #require(line.split(separator: " ").last)))
  }

  @Test(
    .enabled(if: hasSandbox, "there is no bwrap that may make namespaces"),
    arguments: [
      ("file:///tmp/gnome-desktop-file-to-thumbnail.pdf", 0),
      ("/tmp/gnome-desktop-file-to-thumbnail.pdf", 0), ("file:///tmp/none.pdf", 3),
      ("http://example.net/a.pdf", 3),
    ] as [(String, Int32)])
  func `it works in GNOME's sandbox`(address: String, status: Int32) async throws {
    let path = try folder.write("d.pdf", try document())
    try FileSystem.makeDirectory(folder.path("out"))
    let runtime = try Self.runtime()
    // The conditions of gnome-desktop-thumbnail-script.c, plus where this build lies.
    let program = try RunningProgram(
      Self.sandbox,
      [
        "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib",
        "--symlink", "usr/lib64", "/lib64", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
        "--ro-bind-try", "/etc/fonts", "/etc/fonts", "--proc", "/proc", "--dev", "/dev",
        "--chdir", "/", "--clearenv", "--setenv", "GIO_USE_VFS", "local", "--unshare-all",
        "--die-with-parent", "--ro-bind", runtime, runtime,
        "--ro-bind", BuiltProgram.path("thumbs"), "/app/thumbs", "--bind", folder.path("out"),
        "/tmp",
        "--ro-bind", path, "/tmp/gnome-desktop-file-to-thumbnail.pdf",
        "/app/thumbs", "--thumbnailer", "-s", "128", address, "/tmp/gnome-desktop-thumbnailer",
      ])
    #expect(try await program.finish() == .exited(status: status), "\(program.errorText)")
    guard status == 0 else {
      #expect(!FileSystem.exists(folder.path("out/gnome-desktop-thumbnailer")))
      return #expect(program.errorText.hasPrefix("thumbs: "))
    }
    #expect(program.errorText.isEmpty)
    let picture = try #require(
      PNGDecoder.decode(try folder.read("out/gnome-desktop-thumbnailer")))
    #expect(picture.size == PixelSize(width: 85, height: 128))
    #expect(Array(picture.pixels.prefix(4)) == [255, 0, 0, 255])
  }
}

import PdfThumbCore
import SystemIO
import TestSupport
import Testing

@Suite struct OpeningTests {
  private func code(_ bytes: [UInt8], password: String? = nil) -> PDFError.Code? {
    do {
      _ = try PDFDocument(.bytes(bytes), password: password)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `opens a sound document`() throws {
    var document = try PDFDocument(
      .bytes(PDFBuilder(pages: [.filled("1 0 0"), .filled("0 1 0")]).build()))
    let (count, isRepaired) = (document.pageCount, document.isRepaired())
    #expect(count == 2)
    #expect(!isRepaired)
    #expect(try document.geometry(of: 1).width == 200)
  }

  @Test func `an empty file is no PDF`() {
    #expect(code([]) == .notAPDF)
  }

  @Test(arguments: [
    "hello\n", "PK\u{3}\u{4}", "<html></html>", String(repeating: "x", count: 5000),
  ])
  func `what has no header is no PDF`(text: String) {
    #expect(code(Array(text.utf8)) == .notAPDF)
  }

  @Test func `a header alone is a damaged document`() {
    #expect(code(Array("%PDF-1.4\n".utf8)) == .damaged)
  }

  @Test func `a document cut in half is damaged or repaired, never a trap`() {
    let whole = PDFBuilder(pages: Array(repeating: .filled("1 0 0"), count: 10)).build()
    for part in 1..<8 {
      let cut = Array(whole.prefix(whole.count * part / 8))
      do {
        var document = try PDFDocument(.bytes(cut))
        let isRepaired = document.isRepaired()
        #expect(isRepaired)
      } catch {
        #expect([.damaged, .noPages].contains(error.code))
      }
    }
  }

  @Test func `a page tree without pages is told apart`() {
    #expect(code(PDFBuilder(pages: []).build()) == .noPages)
  }

  @Test func `wrong offsets are repaired and said so`() throws {
    var builder = PDFBuilder(pages: [.filled("1 0 0")])
    builder.flaw = .wrongOffsets
    var document = try PDFDocument(.bytes(builder.build()))
    let isRepaired = document.isRepaired()
    #expect(isRepaired)
    builder.flaw = .noTable
    #expect(code(builder.build()) == .damaged)
  }

  @Test func `junk before the header is accepted`() throws {
    var builder = PDFBuilder(pages: [.filled("1 0 0")])
    builder.flaw = .junkBefore(500)
    #expect(try PDFDocument(.bytes(builder.build())).pageCount == 1)
  }

  @Test func `a missing page object is told apart from a page out of range`() throws {
    var builder = PDFBuilder(pages: [.filled("1 0 0"), .filled("0 1 0"), .filled("0 0 1")])
    builder.flaw = .missingPage(2)
    var document = try PDFDocument(.bytes(builder.build()))
    do {
      _ = try document.geometry(of: 2)
      Issue.record("a page without an object was found")
    } catch {
      #expect(error.code == .pageMissing)
      #expect(error.page == 2)
    }
    do {
      _ = try document.geometry(of: 3)
      Issue.record("page 4 of 3 was found")
    } catch {
      #expect(error.code == .pageOutOfRange)
    }
    #expect(try document.geometry(of: 1).index == 1)
  }

  @Test func `reads from a path and from a descriptor`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("a b.pdf", PDFBuilder(pages: [.filled("1 0 0")]).build())
    #expect(try PDFDocument(.path(path)).name == path)
    let file = try FileDescriptor.open(path)
    #expect(try PDFDocument(.descriptor(file.raw)).pageCount == 1)
  }

  @Test func `files that cannot be read say why`() throws {
    let folder = try TemporaryDirectory()
    for path in [folder.path, folder.path("absent.pdf"), "/dev/null"] {
      do {
        _ = try PDFDocument(.path(path))
        Issue.record("\(path) was opened")
      } catch {
        #expect(error.code == .unreadable)
        #expect(error.document == path)
      }
    }
  }

  /// Poppler sees none of these pages.
  @Test func `pages that are no objects of their own are drawn`() throws {
    let page = "<< /Type /Page /MediaBox [0 0 20 30] /Contents 1000 0 R >>"
    var builder = PDFBuilder(pages: [.init()])
    builder.pageTree = "<< /Type /Pages /Count 2 /Kids [\(page) \(page)] >>"
    builder.objects[1000] = PDFBuilder.stream("", Array("1 0 0 rg 0 0 20 30 re f".utf8))
    var document = try PDFDocument(.bytes(builder.build()))
    #expect(document.pageCount == 2)
    let size = PixelSize(width: 2, height: 3)
    let drawn = try PageRenderer().picture(of: 1, in: &document, size: size)
    #expect(Array(drawn.picture.pixels.prefix(3)) == [255, 0, 0])
    #expect(drawn.report.isRepaired)
  }
}

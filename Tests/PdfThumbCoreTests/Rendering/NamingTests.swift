import PdfThumbCore
import Testing

@Suite struct NamingTests {
  @Test(
    arguments: [
      ("{name}-{page}.{ext}", "a-7.png"), ("{page:04}", "0007"), ("x/{label}", "x/vii"),
      ("{{{page}}}", "{7}"), ("plain", "plain"), ("{page:01}{page:03}", "7007"),
    ])
  func `templates name pages`(template: String, name: String) throws {
    let read = try #require(NameTemplate(template))
    #expect(read.name(of: "a", page: 6, label: "vii", fileExtension: "png") == name)
  }

  @Test(arguments: ["{", "}", "{nam}", "{page:4}", "{page:00}", "{page:012}", "a{b", "{}"])
  func `templates that mean nothing are refused`(template: String) {
    #expect(NameTemplate(template) == nil)
  }

  @Test(
    arguments: [
      ("../../etc", ".._.._etc"), ("..", "_"), ("", "_"), ("a\nb", "a_b"), ("α/β", "α_β"),
    ])
  func `what a document says cannot leave the directory`(label: String, name: String) throws {
    let read = try #require(NameTemplate("d/{label}"))
    #expect(read.name(of: "n", page: 0, label: label, fileExtension: "png") == "d/" + name)
  }

  @Test(
    arguments: [
      ("1", [0]), ("1,3-5", [0, 2, 3, 4]), ("-1", [9]), ("8-", [7, 8, 9]), ("-3--1", [7, 8, 9]),
      ("5-3", [4, 3, 2]), ("9-20", [8, 9]), ("11", [10]), ("-11", [-1]), ("2,2", [1, 1]),
      (" 1 , 2 ", [0, 1]), ("20-30", []),
    ] as [(String, [Int])])
  func `selections mean pages`(text: String, pages: [Int]) throws {
    #expect(try #require(PageSelection(text)).pages(of: 10) == pages)
  }

  @Test(arguments: ["", "0", "a", "1,", "1-0", "--", "1-2-3", "+1", "99999999999", "1.5"])
  func `selections that mean nothing are refused`(text: String) {
    #expect(PageSelection(text) == nil)
  }
}

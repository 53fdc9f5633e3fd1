import PdfThumbCore
import SystemIO
import TestSupport
import Testing
import ThumbsJobs

@Suite struct RequestTests {
  @Test(arguments: [
    ("128x96", ThumbnailSize.fit(width: 128, height: 96)), ("64", .fit(width: 64, height: 64)),
    ("32767x1", .fit(width: 32_767, height: 1)), ("0x5", nil), ("5x0", nil), ("32768", nil),
    ("1x32768", nil), ("1x2x3", nil), ("x", nil), ("", nil), ("-1x5", nil), ("ax5", nil),
  ])
  func `reads a box`(text: String, size: ThumbnailSize?) {
    #expect(ThumbnailSize(box: text) == size)
  }

  @Test(arguments: [
    ("2", ThumbnailSize.scale(2)), ("0.5", .scale(0.5)), ("1000", .scale(1000)), ("0", nil),
    ("-1", nil), ("1001", nil), ("nan", nil), ("inf", nil), ("", nil), ("2x", nil),
  ])
  func `reads a scale`(text: String, size: ThumbnailSize?) {
    #expect(ThumbnailSize(scale: text) == size)
  }

  @Test(arguments: [
    ("none", PageGround.none), ("white", .color(.white)),
    ("black", .color(RGBColor(red: 0, green: 0, blue: 0))),
    ("#f0e0d0", .color(RGBColor(red: 240, green: 224, blue: 208))),
    ("0A0b0C", .color(RGBColor(red: 10, green: 11, blue: 12))), ("grey", nil), ("#fff", nil),
    ("##12345", nil), ("+12345", nil), ("", nil),
  ])
  func `reads a ground`(text: String, ground: PageGround?) {
    #expect(PageGround(text) == ground)
  }

  @Test func `limits are the usual ones until asked for others`() {
    var request = RunRequest()
    #expect(request.limits == IsolationSettings())
    (request.pageTime, request.memory, request.jobs) = (.seconds(3), 1 << 28, 7)
    #expect(request.limits.pageTime == .seconds(3))
    #expect(request.limits.processorTime == .seconds(3))
    #expect(request.limits.memory == 1 << 28)
    #expect(request.limits.workers == 7)
  }

  @Test func `a dash is standard input`() {
    #expect(RunDocument("-").title == "standard input")
    #expect(RunDocument("./-").title == "./-")
  }
}

@Suite struct PasswordPlaceTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test(arguments: [
    ("secret\n", "secret"), ("secret", "secret"), ("a b\r\nc", "a b"), ("\nx", ""), ("", ""),
    ("Ünse\n", "Ünse"),
  ])
  func `is the first line of a file`(content: String, password: String) throws {
    let path = try folder.write("password", text: content)
    #expect(try PasswordPlace.file(path).read() == password)
  }

  @Test func `is the value of a variable`() throws {
    #expect(try PasswordPlace.variable("PATH").read() == Environment["PATH"])
  }

  @Test(arguments: [
    PasswordPlace.variable("COURIER_NO_SUCH_VARIABLE"), .file("/nonexistent/password"),
    .file("/"),
  ])
  func `is missed by its name`(place: PasswordPlace) {
    let failure = #expect(throws: RunFailure.self) { try place.read() }
    #expect(failure?.outcome == .misused)
    switch place {
    case .file(let path): #expect(failure?.subject == path)
    case .variable(let name): #expect(failure?.subject == name)
    }
  }
}

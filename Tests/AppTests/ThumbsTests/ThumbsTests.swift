import PdfThumbCore
import SystemIO
import TestSupport
import Testing

@Suite("thumbs") struct ThumbsTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func run(_ arguments: String...) async throws -> BuiltProgram.Outcome {
    try await BuiltProgram.run("thumbs", arguments)
  }

  private func document(_ pages: Int, flaw: PDFBuilder.Flaw = .none) throws -> String {
    var builder = PDFBuilder(
      pages: (0..<pages).map { _ in .filled("0 0.5 0", width: 60, height: 90) })
    builder.flaw = flaw
    return try folder.write("a b.pdf", builder.build())
  }

  private func names(_ directory: String) throws -> [String] {
    try FileSystem.names(in: folder.path(directory)).sorted()
  }

  @Test func `writes a picture of every page`() async throws {
    let ended = try await run("-o", folder.path("out"), try document(3))
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(try names("out") == ["a b-1.png", "a b-2.png", "a b-3.png"])
    let picture = try #require(PNGDecoder.decode(try folder.read("out/a b-2.png")))
    #expect(picture.size == PixelSize(width: 53, height: 80))
    #expect(Array(picture.pixels.prefix(4)) == [0, 128, 0, 255])
  }

  @Test(arguments: [["--no-isolation"], ["--jobs", "1"], ["--jobs", "3"]])
  func `where pages are drawn does not show`(options: [String]) async throws {
    let path = try document(6)
    for (name, more) in [("one", []), ("two", options)] {
      let ended = try await BuiltProgram.run("thumbs", more + ["-o", folder.path(name), path])
      #expect(ended.status == 0, "\(ended.errors)")
    }
    for name in try names("one") {
      #expect(try folder.read("one/" + name) == folder.read("two/" + name))
    }
  }

  @Test(
    arguments: [
      (["--width", "30"], 30, 45), (["--size", "100x45"], 30, 45), (["-s", "90"], 60, 90),
      (["--scale", "2"], 120, 180), (["--width", "9", "--height", "10"], 7, 10),
      (["--height", "90", "--rotate", "90"], 135, 90),
    ])
  func `sizes are those asked for`(options: [String], width: Int, height: Int) async throws {
    let output = folder.path("p.png")
    let ended = try await BuiltProgram.run(
      "thumbs", options + ["-p", "1", "-o", output, try document(1)])
    #expect(ended.status == 0, "\(ended.errors)")
    let picture = try #require(PNGDecoder.decode(try folder.read("p.png")))
    #expect(picture.size == PixelSize(width: width, height: height))
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "only root may mount a small disk"))
  func `a full disk costs the pictures and leaves no part of one`() async throws {
    let disk = try SmallDisk(bytes: 1 << 16)
    let rest = try FileDescriptor.open(disk.path("rest"), [.writeOnly, .create])
    #expect(throws: SystemError.self) { try rest.write([UInt8](repeating: 0, count: 1 << 17)) }
    let ended = try await run("-o", disk.path, try document(2))
    #expect(ended.status == 5)
    #expect(ended.errors.split(separator: "\n").count == 2)
    #expect(ended.errors.contains("page 2: expected to write the file"))
    #expect(try disk.names() == ["rest"])
  }

  @Test func `one progress says how many documents are done`() async throws {
    let files = try (1...3).map { number in
      try folder.write("\(number).pdf", PDFBuilder(pages: [.filled("1 0 0")]).build())
    }
    let ended = try await BuiltProgram.run(
      "thumbs", ["--progress", "json", "-o", folder.path("out")] + files)
    #expect(ended.status == 0, "\(ended.errors)")
    let last = try #require(ended.errors.split(separator: "\n").last)
    #expect(last.contains(#""unit":"items","completed":3,"total":3,"fraction":1.0"#), "\(last)")
  }

  @Test func `a sheet holds the pages of all documents`() async throws {
    let first = try document(2)
    let second = try folder.write(
      "c.pdf", PDFBuilder(pages: [.filled("0 0 1", width: 60, height: 90)]).build())
    let ended = try await run("--sheet", folder.path("s.png"), "--columns", "3", first, second)
    #expect(ended.status == 0, "\(ended.errors)")
    let sheet = try #require(PNGDecoder.decode(try folder.read("s.png")))
    #expect(sheet.size == PixelSize(width: 10 + 3 * 63, height: 100))
  }

  @Test func `a web page stands on pictures that are there`() async throws {
    let ended = try await run(
      "--html", folder.path("web"), try document(3, flaw: .missingPage(1)))
    #expect(ended.status == 1)
    #expect(ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
    let page = String(decoding: try folder.read("web/index.html"), as: UTF8.self)
    #expect(page.split(separator: "<a ").count == 4)
    // poppler counts the pages that are there first, so the missing one is the last.
    #expect(try names("web/1") == ["thumb-1.png", "thumb-2.png", "view-1.jpg", "view-2.jpg"])
    for name in try names("web/1") { #expect(page.contains("\"1/\(name)\"")) }
    #expect(!page.contains("1/thumb-3"), "\(ended.errors)")
  }

  @Test func `each page has a record`() async throws {
    let ended = try await run(
      "--json", "-p", "1,3", "-o", folder.path("out"), try document(3, flaw: .missingPage(2)))
    let lines = ended.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].contains("\"page\":1,\"label\":\"1\",\"width\":53,\"height\":80"))
    #expect(lines[0].contains("\"source\":\"render\",\"blank\":false"))
    #expect(lines[1].contains("\"code\":\"pageMissing\""))
    #expect(ended.status == 1)
    #expect(ended.errors.contains("page 3: expected a page object"))
  }

  @Test func `records say how the workers are confined, as the version does`() async throws {
    let path = try document(1)
    let version = try await run("--version").output
    for option in ["--info", "--json"] {
      let confined = try await run(option, "-o", folder.path("out"), path).output
      let landlock = version.firstMatch(of: /landlock (\d+)/).map { String($0.1) } ?? "0"
      #expect(
        confined.contains(
          "\"confinement\":{\"seccomp\":\(version.contains("seccomp,")),\"landlock\":\(landlock),"))
      #expect(confined.contains("\"lacking\":[]") == !version.hasSuffix(")\n"), "\(version)")
      let free = try await run(option, "--no-isolation", "-o", folder.path("out"), path).output
      #expect(free.contains("\"confinement\":null"))
    }
  }

  @Test func `a sheet and a sprite hold all pages`() async throws {
    let path = try document(5)
    let ended = try await run(
      "--sheet", folder.path("sheet.png"), "--columns", "2", "--sprite", folder.path("s.webp"), path
    )
    #expect(ended.status == 0, "\(ended.errors)")
    let sheet = try #require(PNGDecoder.decode(try folder.read("sheet.png")))
    #expect(sheet.size == PixelSize(width: 53 * 2 + 30, height: 80 * 3 + 40))
    #expect(try folder.read("s.webp").prefix(4) == ArraySlice("RIFF".utf8))
    let index = String(decoding: try folder.read("s.webp.json"), as: UTF8.self)
    #expect(index.contains("{\"page\":5,\"label\":\"5\",\"x\":252,\"y\":0,\"w\":53,\"h\":80"))
  }

  @Test func `what a document is needs no drawing`() async throws {
    let ended = try await run("--info", try document(2))
    #expect(ended.status == 0)
    #expect(ended.output.contains("\"pages\":2"))
    #expect(ended.output.contains("\"media\":[0.0,0.0,60.0,90.0]"))
  }

  @Test func `bad input is named, with its status, and leaves nothing`() async throws {
    let whole = PDFBuilder(pages: [.filled("1 0 0")]).build()
    let half = try folder.write("half.pdf", Array(whole.prefix(whole.count / 2)))
    let empty = try folder.write("empty.pdf", [])
    let text = try folder.write("text.pdf", text: "no document\n")
    let cases: [(String, Int32, String)] = [
      (half, 3, "too damaged"), (empty, 3, "an empty file"), (text, 3, "no %PDF- header"),
      (folder.path, 3, "found a directory"), (folder.path("absent"), 3, "No such file"),
      ("/dev/zero", 3, "device"),
    ]
    for (path, status, words) in cases {
      let ended = try await run("-o", folder.path("out"), path)
      #expect(ended.status == status, "\(path): \(ended.errors)")
      #expect(ended.errors.hasPrefix("thumbs: \(path): expected"))
      #expect(ended.errors.contains(words))
      #expect(ended.errors.split(separator: "\n").count == 1)
    }
    #expect(!FileSystem.exists(folder.path("out")))
  }

  @Test func `one bad file stops no other`() async throws {
    let bad = try folder.write("bad.pdf", text: "x")
    let ended = try await run("-o", folder.path("out"), bad, try document(1))
    #expect(ended.status == 1)
    #expect(try names("out") == ["a b-1.png"])
  }

  @Test func `a page that hangs is given up, and named`() async throws {
    // A pattern cell of nearly no size over a page of a million points.
    var builder = PDFBuilder(pages: [
      .init(
        mediaBox: "[0 0 14000 14000]", content: "/Pattern cs /P scn 0 0 14000 14000 re f",
        resources: "/Pattern << /P 1000 0 R >>"), .filled("1 0 0"),
    ])
    builder.objects[1000] = PDFBuilder.stream(
      """
      /Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.01 \
      /YStep 0.01 /Resources << /ExtGState << /G << /ca 0.5 >> >> >>
      """,
      Array(
        String(repeating: "/G gs 0 0 1 rg 0 0 1 1 re f 1 0 0 RG 0 0 m 1 1 l S ", count: 50_000).utf8
      ))
    let path = try folder.write("slow.pdf", builder.build())
    let ended = try await run("--page-timeout", "6s", "-o", folder.path("out"), path)
    #expect(ended.status == 1, "\(ended.errors)")
    #expect(ended.errors.contains("page 1: expected an answer within 6.0 seconds"))
    #expect(try names("out") == ["slow-2.png"])
  }

  /// Encrypts a document with keys of so many bits (RC4, or AES for 256); user password "Ünse", owner password "owner".
  private func encrypted(_ bits: String) async throws -> String {
    let (plain, locked) = (try document(1), folder.path("locked.pdf"))
    try await OwnedThread.run(named: "qpdf") {
      let null = try FileDescriptor.open("/dev/null", [.readWrite])
      let child = try ChildProcess(
        path: "/usr/bin/qpdf",
        arguments: [
          "qpdf", "--allow-weak-crypto", "--encrypt", "Ünse", "owner", bits, "--", plain, locked,
        ],
        environment: [], descriptors: [null.raw, null.raw, null.raw])
      _ = child.wait()
    }
    return locked
  }

  @Test(
    .enabled(if: FileSystem.exists("/usr/bin/qpdf"), "qpdf encrypts the document"),
    arguments: [
      (nil, 4, "found none"), ("wrong", 4, "found one that differs"), ("Ünse", 0, ""),
      ("owner", 0, ""),
    ] as [(String?, Int32, String)], ["40", "128", "256"])
  func `a password is needed, wrong or right`(
    item: (password: String?, status: Int32, words: String), bits: String
  ) async throws {
    let (password, status, words) = item
    let locked = try await encrypted(bits)
    var options = ["-o", folder.path("out"), locked]
    var environment: [String] = []
    if let password {
      let file = try folder.write("password", text: password + "\n")
      let ended = try await BuiltProgram.run("thumbs", ["--password-file", file] + options)
      #expect(ended.status == status, "\(ended.errors)")
      options = ["--password-env", "SECRET"] + options
      environment = ["SECRET=" + password]
    }
    let ended = try await BuiltProgram.run("thumbs", options, environment: environment)
    #expect(ended.status == status, "\(ended.errors)")
    #expect(ended.errors.contains(words))
    #expect(!ended.errors.contains(password ?? "\0"))
    #expect(FileSystem.exists(folder.path("out")) == (status == 0))
  }

  @Test func `the desktop's cache is filled once`() async throws {
    let path = try document(2)
    let bad = try folder.write("bad.pdf", text: "x")
    let home = "XDG_CACHE_HOME=" + folder.path("cache")
    var sources: [String] = []
    for _ in 0..<2 {
      let ended = try await BuiltProgram.run(
        "thumbs", ["--cache", "-s", "200", "--json", path, bad], environment: [home])
      #expect(ended.status == 1)
      sources.append(ended.output)
    }
    #expect(sources[0].contains("\"source\":\"render\""))
    #expect(sources[1].contains("\"source\":\"cache\",\"error\":null"))
    #expect(sources[1].contains("found bad lately"))
    #expect(try names("cache/thumbnails") == ["fail", "large"])
    let name = try #require(try names("cache/thumbnails/large").first)
    let picture = try #require(PNGDecoder.decode(try folder.read("cache/thumbnails/large/" + name)))
    #expect(picture.size == PixelSize(width: 171, height: 256))
  }

  @Test func `a desktop calls it by URI, without a home`() async throws {
    let uri = "file://" + (try document(1)).split(separator: " ").joined(separator: "%20")
    let output = folder.path("no ending")
    let ended = try await run("--thumbnailer", "-s", "64", uri, output)
    #expect(ended.status == 0, "\(ended.errors)")
    let picture = try #require(PNGDecoder.decode(try folder.read("no ending")))
    #expect(picture.size == PixelSize(width: 43, height: 64))
    let failed = try await run("--thumbnailer", folder.path("absent"), folder.path("out"))
    #expect(failed.status == 3)
    #expect(!FileSystem.exists(folder.path("out")))
  }

  @Test func `the desktop's entry names this program`() async throws {
    let ended = try await BuiltProgram.run(
      "thumbs", ["--install-thumbnailer"], environment: ["XDG_DATA_HOME=" + folder.path("data")])
    #expect(ended.status == 0, "\(ended.errors)")
    let entry = String(
      decoding: try folder.read("data/thumbnailers/courier-thumbs.thumbnailer"), as: UTF8.self)
    #expect(entry.hasPrefix("[Thumbnailer Entry]\nTryExec=/"))
    #expect(entry.contains("/thumbs --thumbnailer -s %s %u %o\n"))
  }

  @Test func `usage errors name the option`() async throws {
    for (arguments, words) in [
      (["--pages", "0", "x"], "--pages"), (["-o", "{x}", "x"], "--output"),
      (["--size", "1x2x3", "x"], "--size"), (["--background", "grey", "x"], "--background"),
      (["--sprite", "s.png", "a", "b"], "--sprite"), ([], "FILE"),
    ] {
      let ended = try await BuiltProgram.run("thumbs", arguments)
      #expect(ended.status == 2)
      #expect(ended.errors.contains(words))
    }
  }
}

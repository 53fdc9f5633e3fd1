import Glibc
import PdfThumbCore
import SystemIO
import TestSupport
import Testing

@Suite struct `Worker processes` {
  @Test func `pages come back as they were drawn, with size, label and report`() async throws {
    let document = try await Probe.open("nothing", Probe.settings(workers: 2))
    #expect(document.pageCount == 1000)
    for page in [0, 1, 999] {
      let drawn = try await document.draw(page, size: .height(20))
      #expect(drawn.picture.size == PixelSize(width: 10, height: 20))
      #expect(
        drawn.page == PageGeometry(index: page, width: 100, height: 200, label: "p\(page)"))
      #expect(drawn.report.flaws == page)
    }
  }

  /// Under a sanitizer a limit on address space is none: it would hit the sanitizer's own.
  @Test(
    arguments: [
      ("crash", PDFError.Code.crashed), ("abort", .crashed), ("trap", .crashed), ("exit", .crashed),
      ("grow", .limitExceeded), ("flood", .limitExceeded), ("lie", .crashed),
      ("refuse", .pageMissing),
    ].filter { $0.0 != "grow" || !Sanitizer.isOn })
  func `a page that ends its worker costs that page and names it`(
    deed: String, code: PDFError.Code
  ) async throws {
    let document = try await Probe.open(deed)
    #expect(await Probe.fate(10, of: document) == nil)
    let error = await Probe.fate(11, of: document)
    #expect(error?.code == code)
    #expect(error?.page == 11)
    #expect(error?.document == deed)
    #expect(await Probe.fate(20, of: document) == nil)
  }

  @Test(arguments: ["hang", "spin"])
  func `a page that does not end is ended`(deed: String) async throws {
    let document = try await Probe.open(deed, Probe.settings(pageTime: .seconds(8)))
    let error = await Probe.fate(1, of: document)
    #expect(error?.code == (deed == "hang" ? .timedOut : error?.code))
    #expect([.timedOut, .limitExceeded].contains(error?.code))
    #expect(error?.page == 1)
    #expect(await Probe.fate(20, of: document) == nil)
  }

  @Test func `bad pages among many cost themselves only`() async throws {
    let document = try await Probe.open("abort", Probe.settings(workers: 2))
    let lost = await withTaskGroup(of: (Int, PDFError?).self) { group in
      for page in 5..<45 { group.addTask { (page, await Probe.fate(page, of: document)) } }
      return await group.reduce(into: [Int]()) { lost, fate in
        if let error = fate.1 {
          #expect(error.page == fate.0)
          lost.append(fate.0)
        }
      }
    }
    #expect(lost.sorted() == (5..<45).filter { !$0.isMultiple(of: 10) })
  }

  @Test func `a document that ends its worker while it opens is refused, not tried for ever`() async
  {
    let error = await #expect(throws: PDFError.self) { try await Probe.open("opening-abort") }
    #expect(error?.code == .crashed)
    #expect(error?.page == nil)
    let hang = await #expect(throws: PDFError.self) {
      try await Probe.open("opening-hang", Probe.settings(pageTime: .seconds(8)))
    }
    #expect(hang?.code == .timedOut)
  }

  @Test func `a password reaches the worker, and its absence the caller`() async throws {
    for (password, code) in [(nil, PDFError.Code.passwordNeeded), ("x", .passwordWrong)] {
      let error = await #expect(throws: PDFError.self) {
        try await WorkerPool(Probe.settings()).open(Probe.source("password"), password: password)
      }
      #expect(error?.code == code)
    }
    let pool = try WorkerPool(Probe.settings())
    let document = try await pool.open(Probe.source("password"), password: "geheim")
    #expect(await Probe.fate(0, of: document) == nil)
  }

  @Test func `texts of a document arrive without control characters`() async throws {
    let document = try await Probe.open("refuse")
    #expect(try await document.outline() == [OutlineEntry(title: "one two", level: 0, page: 3)])
    let error = await Probe.fate(1, of: document)
    #expect(error?.message == "no page")
    #expect(error?.cause == "be cause")
  }

  @Test func `a picture larger than the first surface gets a larger one`() async throws {
    let document = try await Probe.open("nothing")
    async let small = document.draw(1, size: .height(20))
    async let large = document.draw(2, size: .height(2000))
    #expect(try await large.picture.size == PixelSize(width: 1000, height: 2000))
    #expect(try await small.picture.size == PixelSize(width: 10, height: 20))
    let error = await #expect(throws: PDFError.self) {
      try await document.draw(
        3, size: .height(2000), renderer: PageRenderer(greatestPixelCount: 1000))
    }
    #expect(error?.code == .pageTooLarge)
  }

  @Test func `pages asked for one after another are drawn by one worker`() async throws {
    // So large that a copy to draw from does not pay.
    let bytes = Array("%PROBE hoard\n".utf8) + [UInt8](repeating: 32, count: 8 << 20)
    let document = try await ThumbnailDocument.open(
      .bytes(bytes), settings: Probe.settings(workers: 2))
    var workers: Set<Int> = []
    for page in stride(from: 0, to: 500, by: 10) {
      workers.insert(try await document.draw(page, size: .height(20)).report.flaws)
    }
    #expect(workers.count == 1)
  }

  @Test func `a worker that grows is replaced between two pages and collected`() async throws {
    let document = try await Probe.open("hoard", Probe.settings(residentMemory: 32 << 20))
    var workers: [Int] = []
    for page in 0..<150 {
      let worker = try await document.draw(page, size: .height(20)).report.flaws
      if worker != workers.last { workers.append(worker) }
    }
    // 150 pages hold on to 540 MB in all; the limit on memory alone would have lost one.
    #expect(workers.count > 1)
    for worker in workers.dropLast() {
      #expect(try await eventually { kill(Int32(worker), 0) == -1 && errno == ESRCH })
    }
  }

  @Test func `a document cut short under the worker is named as changed`() async throws {
    let folder = try TemporaryDirectory()
    let line = Array("%PROBE read-all\n".utf8)
    try folder.write("a.pdf", line + [UInt8](repeating: 32, count: 1 << 20))
    let path = folder.path("a.pdf")
    let document = try await ThumbnailDocument.open(.path(path), settings: Probe.settings())
    #expect(await Probe.fate(1, of: document) == nil)
    try FileDescriptor.open(path, .writeOnly).truncate(to: 10)
    let error = await Probe.fate(2, of: document)
    #expect(error?.code == .unreadable)
    #expect(error?.page == 2)
  }

  @Test func `a document written to under the worker is named as changed`() async throws {
    let folder = try TemporaryDirectory()
    try folder.write("a.pdf", Array("%PROBE nothing\n".utf8))
    let path = folder.path("a.pdf")
    let document = try await ThumbnailDocument.open(.path(path), settings: Probe.settings())
    #expect(await Probe.fate(1, of: document) == nil)
    let file = try FileDescriptor.open(path, .writeOnly)
    try file.setTimes(
      access: .unchanged, modification: FileTime(seconds: 1, nanoseconds: 0))
    #expect(await Probe.fate(2, of: document)?.code == .unreadable)
  }

  @Test func `a cancelled page ends its wait at once and its worker soon`() async throws {
    let document = try await Probe.open("hang")
    let task = Task { try await document.draw(1, size: .height(20)) }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await Probe.fate(10, of: document) == nil)
  }

  @Test func `a program that does not become a worker is an error`() async {
    var settings = Probe.settings()
    for (program, code) in [
      (WorkerProgram.path("/absent"), PDFError.Code.isolationUnavailable),
      (.path("/bin/true"), .isolationUnavailable), (.thisProgram, .isolationUnavailable),
    ] {
      settings.program = program
      let error = await #expect(throws: PDFError.self) { try await Probe.open("nothing", settings) }
      #expect(error?.code == code)
    }
  }

  @Test(arguments: [("a.txt", [UInt8]()), ("folder", nil)])
  func `an empty file and a directory are told apart before a worker starts`(
    name: String, bytes: [UInt8]?
  ) async throws {
    let folder = try TemporaryDirectory()
    if let bytes {
      try folder.write(name, bytes)
    } else {
      try FileSystem.makeDirectory(folder.path(name))
    }
    let error = await #expect(throws: PDFError.self) {
      try await ThumbnailDocument.open(.path(folder.path(name)), settings: Probe.settings())
    }
    #expect(error?.code == (bytes == nil ? .unreadable : .notAPDF))
  }

  @Test(arguments: [["soak"], ["launch", "soak"]])
  func `ten thousand pages leave no descriptor, process or memory behind`(
    words: [String]
  ) async throws {
    let numbers = try await OwnedThread.run(named: "soak") {
      let parent = try Probe.parent(words)
      return try parent.numbers() + parent.numbers()
    }
    try #require(numbers.count == 6)
    #expect(numbers[3] <= numbers[0] + 2)
    // Two workers, one that is being replaced, and the launcher.
    #expect(numbers[4] <= (words.count == 1 ? 3 : 4))
    // A sanitizer keeps for a while what was freed.
    #expect(numbers[5] < numbers[2] + (16 << 20) || Sanitizer.isOn)
  }

  @Test(arguments: [["orphan"], ["launch", "orphan"]])
  func `workers end with their parent however that ends`(words: [String]) async throws {
    let processes = try await OwnedThread.run(named: "orphan") {
      let parent = try Probe.parent(words)
      return try parent.numbers()
    }
    #expect(processes.count(where: { $0 > 0 }) == words.count)
    // The parent was killed when the last reference to it went.
    for id in processes where id > 0 {
      #expect(try await eventually { kill(Int32(id), 0) == -1 })
    }
  }
}

@Suite struct `The sandbox` {
  /// What a worker tries, and what is left of it: killed by signal 31, or the `errno` it saw.
  @Test(arguments: [
    ("socket", "signal 31"), ("process", "signal 31"), ("signal", "signal 31"),
    ("thread", "signal 31"),
  ])
  func `a worker that tries a socket, a process, a signal or a thread is killed`(
    deed: String, cause: String
  ) async throws {
    try #require(SandboxReport.offered.hasSystemCallFilter)
    let document = try await Probe.open(deed)
    let error = await Probe.fate(1, of: document)
    #expect(error?.code == .crashed)
    #expect(error?.cause == cause)
    #expect(await Probe.fate(20, of: document) == nil)
  }

  @Test(arguments: ["open-file", "write-file"])
  func `a worker cannot open a file`(deed: String) async throws {
    try #require(SandboxReport.offered.landlockVersion > 0)
    let document = try await Probe.open(deed)
    let error = await Probe.fate(1, of: document)
    let denied = deed == "open-file" ? EACCES : ENOSYS
    #expect(error?.cause == "exit status 9: result \(denied)")
  }

  @Test func `what is lacking is said`() {
    let none = SandboxReport(
      hasSystemCallFilter: false, landlockVersion: 0, hasNoNewPrivileges: false, hasLimits: false)
    #expect(none.lacking.count == 4)
    let all = SandboxReport(
      hasSystemCallFilter: true, landlockVersion: 3, hasNoNewPrivileges: true, hasLimits: true)
    #expect(all.lacking.isEmpty)
    #expect(all.description == "seccomp, landlock 3, no_new_privs, limits")
  }
}

import Glibc
import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite struct `System calls` {
  let folder: TemporaryDirectory
  init() throws { folder = try TemporaryDirectory() }

  @Test func `an open that cannot work names the call, the path and the number`() {
    let path = folder.path("absent")
    let error = #expect(throws: SystemError.self) {
      _ = try FileDescriptor.open(path).release()
    }
    #expect(error == SystemError(errno: ENOENT, call: "open", path: path))
    #expect(error?.description == "open '\(path)': No such file or directory")
  }

  @Test func `a full device is an error with its number`() throws {
    let full = try FileDescriptor.open("/dev/full", .writeOnly)
    let error = #expect(throws: SystemError.self) { try full.write([1]) }
    #expect(error?.errno == ENOSPC)
  }

  @Test func `positioned reads and writes leave the rest alone`() throws {
    try folder.write("a", [0, 1, 2, 3, 4])
    let file = try FileDescriptor.open(folder.path("a"), .readWrite)
    let patch: [UInt8] = [9, 9]
    try unsafe patch.withUnsafeBytes { try unsafe file.write($0, at: 2) }
    #expect(try folder.read("a") == [0, 1, 9, 9, 4])
    var buffer = [UInt8](repeating: 7, count: 4)
    let count = try unsafe buffer.withUnsafeMutableBytes {
      try unsafe file.readFully(into: $0, at: 3)
    }
    #expect(count == 2)
    #expect(buffer == [9, 4, 7, 7])
  }

  @Test func `reading to the end refuses more than the limit`() throws {
    try folder.write("a", [UInt8](repeating: 0, count: 100))
    let file = try FileDescriptor.open(folder.path("a"))
    let error = #expect(throws: SystemError.self) { _ = try file.readToEnd(limit: 99) }
    #expect(error?.errno == EFBIG)
  }

  @Test func `a rename that keeps what exists says so and loses nothing`() throws {
    try folder.write("a", [1])
    try folder.write("b", [2])
    let error = #expect(throws: SystemError.self) {
      try FileSystem.rename(folder.path("a"), to: folder.path("b"), .keepExisting)
    }
    #expect(error?.errno == EEXIST)
    #expect(try folder.read("a") == [1])
    #expect(try folder.read("b") == [2])
    try FileSystem.rename(folder.path("a"), to: folder.path("b"), .replace)
    #expect(try folder.read("b") == [1])
    #expect(!FileSystem.exists(folder.path("a")))
  }

  @Test func `a file of the longest name can be placed, and replaced`() throws {
    let name = String(repeating: "\u{540d}", count: 85)
    for byte: UInt8 in [1, 2] {
      try FileSystem.place([byte], at: folder.path(name))
      #expect(try folder.read(name) == [byte])
    }
    #expect(try FileSystem.names(in: folder.path) == [name])
  }

  @Test(arguments: ["../outside", "link/x", "/etc/passwd"])
  func `a path that leaves its directory is not opened`(path: String) throws {
    try folder.write("outside", [1])
    try FileSystem.makeDirectory(folder.path("in"))
    let directory = try FileDescriptor.open(folder.path("in"), [.directory, .pathOnly])
    try FileSystem.makeSymbolicLink("link", to: "..", in: directory)
    let error = #expect(throws: SystemError.self) {
      _ = try directory.open(path, .readOnly, resolving: [.beneath, .noSymlinks]).release()
    }
    #expect([EXDEV, ELOOP].contains(error?.errno))
  }

  @Test func `removing a tree does not follow a link out of it`() throws {
    try folder.write("keep/a", [1])
    try folder.write("tree/sub/b", [2])
    let tree = try FileDescriptor.open(folder.path("tree"), .directory)
    try FileSystem.makeSymbolicLink("link", to: "../keep", in: tree)
    #expect(try FileSystem.linkTarget("link", in: tree) == Array("../keep".utf8))
    try FileSystem.removeTree(folder.path("tree"))
    #expect(!FileSystem.exists(folder.path("tree")))
    #expect(try folder.read("keep/a") == [1])
  }

  @Test func `names that are not UTF-8 are removed with their tree`() throws {
    try folder.write("tree/a", [1])
    let parent = Array(folder.path("tree/").utf8).map { CChar(bitPattern: $0) }
    let name: [CChar] = [-1, 0x62, -61]
    #expect(unsafe mkdir(parent + name + [0], 0o755) == 0)
    let inner = parent + name + [0x2f] + name
    for end in [[], [0x31]] as [[CChar]] {
      try FileDescriptor(owning: unsafe creat(inner + end + [0], 0o644)).close()
    }
    #expect(try FileSystem.names(in: folder.path("tree")).count == 2)
    try FileSystem.removeTree(folder.path("tree"))
    #expect(!FileSystem.exists(folder.path("tree")))
  }

  @Test func `times and modes come back as they were set`() throws {
    try folder.write("a", [])
    let file = try FileDescriptor.open(folder.path("a"), .readWrite)
    let time = FileTime(seconds: 1_000_000_000, nanoseconds: 5)
    try file.setTimes(access: .unchanged, modification: time)
    try file.setMode(0o640)
    let status = try file.status()
    #expect(status.modified == time)
    #expect(status.mode == 0o640)
    #expect(status.kind == .regular)
  }

  @Test func `making directories accepts those that exist and refuses a file in the way`() throws {
    try FileSystem.makeDirectories(folder.path("a/b/c"))
    try FileSystem.makeDirectories(folder.path("a/b/c"))
    #expect(try FileSystem.status(folder.path("a/b/c")).kind == .directory)
    try folder.write("f", [])
    let error = #expect(throws: SystemError.self) {
      try FileSystem.makeDirectories(folder.path("f/x"))
    }
    #expect(error?.errno == ENOTDIR)
  }
}

@Suite struct `Mapped files` {
  @Test(arguments: [1, 4095, 4096, 5000], [0, 1, 4096, 10_000])
  func `have room right behind them`(count: Int, room: Int) throws {
    let file = try FileDescriptor.memory(named: "mapped")
    try file.write([UInt8](repeating: 7, count: count))
    try file.seal([.write, .shrink, .grow])
    let memory = try ImmortalMemory(mapping: file, count: UInt64(count), room: room)
    let bytes = unsafe memory.bytes
    let space = unsafe memory.room
    let isSound = unsafe bytes.count == count && bytes.allSatisfy { $0 == 7 }
    #expect(isSound)
    #expect(space.count >= room)
    let end = Int(bitPattern: bytes.baseAddress) + count
    #expect(end == Int(bitPattern: space.baseAddress))
    let isEmpty = unsafe space.allSatisfy { $0 == 0 }
    #expect(isEmpty)
    for index in space.indices { unsafe space[index] = 9 }
    let isUntouched = unsafe bytes.allSatisfy { $0 == 7 }
    #expect(isUntouched)
  }

  @Test func `of no bytes have none, and more than there are is refused`() throws {
    let file = try FileDescriptor.memory(named: "mapped")
    let none = try ImmortalMemory(mapping: file, count: 0, room: 9)
    let isEmpty = unsafe none.bytes.isEmpty && none.room.isEmpty
    #expect(isEmpty)
    for (count, room) in [(UInt64.max, 1), (1 << 62, 1), (1, Int.max)] {
      #expect(throws: SystemError.self) {
        try ImmortalMemory(mapping: file, count: count, room: room)
      }
    }
  }
}

@Suite struct Paths {
  @Test(arguments: [
    ("a/b", "a", "b"), ("a", ".", "a"), ("/a", "/", "a"), ("/", "/", "/"), ("a/b//", "a", "b"),
    ("a//b", "a", "b"), ("a/\u{301}", "a", "\u{301}"), ("\u{301}/", ".", "\u{301}"),
    ("/\u{301}/a", "/\u{301}", "a"), ("//", "/", "/"),
  ])
  func `a path comes apart at its last slash`(path: String, parent: String, name: String) {
    #expect(Path.parent(of: path) == parent)
    #expect(Path.name(of: path) == (parent == name ? "" : name))
  }

  @Test(arguments: [
    ("a.zip", "a", "zip"), (".profile", ".profile", ""), ("a.tar.gz", "a.tar", "gz"),
    ("a.", "a.", ""), ("a", "a", ""), ("a.\u{301}z", "a", "\u{301}z"),
  ])
  func `a name comes apart at its last dot`(name: String, stem: String, pathExtension: String) {
    let parts = Path.split(name: name)
    #expect(parts.stem == stem)
    #expect(parts.pathExtension == pathExtension)
  }

  @Test func `joining keeps absolute paths`() {
    #expect(Path.join("a", "b") == "a/b")
    #expect(Path.join("a/", "b") == "a/b")
    #expect(Path.join("a", "/b") == "/b")
    #expect(Path.join("", "b") == "b")
  }
}

@Suite struct `Owned threads` {
  @Test func `work on a thread gives its result to the task that waits`() async throws {
    let result = try await OwnedThread.run(named: "courier-test") { 6 * 7 }
    #expect(result == 42)
  }

  @Test func `an error on a thread reaches the task that waits`() async {
    let error = await #expect(throws: SystemError.self) {
      try await OwnedThread.run(named: "courier-test") {
        _ = try FileDescriptor.open("/absent").release()
      }
    }
    #expect(error?.errno == ENOENT)
  }

  @Test func `joining waits for the end`() throws {
    let flag = Flag()
    let thread = try OwnedThread(named: "courier-test") {
      usleep(20_000)
      flag.value.store(true, ordering: .releasing)
    }
    thread.join()
    let wasSet = flag.value.load(ordering: .acquiring)
    #expect(wasSet)
  }

  private final class Flag: Sendable {
    let value = Atomic<Bool>(false)
  }
}

@Suite struct `Extended attributes` {
  @Test func `are kept with the file, or refused as not supported`() throws {
    let folder = try TemporaryDirectory()
    let file = try FileDescriptor.open(
      try folder.write("a", text: "x"), [.readWrite])
    do {
      try file.setAttribute("user.test", Array("value".utf8))
      #expect(try file.attribute("user.test") == Array("value".utf8))
      #expect(try file.attribute("user.other") == nil)
    } catch {
      #expect(error.isNotSupported)
    }
    #expect(throws: SystemError.self) { try file.setAttribute("nonsense", [1]) }
  }
}

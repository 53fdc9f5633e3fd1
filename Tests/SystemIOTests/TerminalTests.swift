import Glibc
import SystemIO
import Testing

@Suite struct `Terminals and signals` {
  @Test func `a pseudo-terminal has the size it was given`() throws {
    let pair = try Terminal.makePair(columns: 91, rows: 17)
    let isTerminal = pair.slave.isTerminal
    #expect(isTerminal)
    let size = try #require(Terminal.size(of: pair.slave.raw))
    #expect(size == (91, 17))
    try Terminal.setSize(of: pair.master.raw, columns: 20, rows: 5)
    #expect(Terminal.size(of: pair.slave.raw)?.columns == 20)
  }

  @Test func `what is no terminal has no size`() throws {
    let file = try FileDescriptor.open("/dev/null")
    #expect(Terminal.size(of: file.raw) == nil)
    #expect(throws: SystemError(errno: ENOTTY, call: "ioctl")) {
      try Terminal.setSize(of: file.raw, columns: 1, rows: 1)
    }
    #expect(throws: SystemError.self) { try Terminal.withoutEcho(file) { _ in } }
  }

  @Test func `a terminal does not echo meanwhile, and does afterwards`() throws {
    let pair = try Terminal.makePair(columns: 80, rows: 24)
    var bytes = [UInt8](repeating: 0, count: 100)
    try Terminal.withoutEcho(pair.slave) { slave in
      try pair.master.write(Array("quiet\n".utf8))
      // The kernel takes what is typed in at leisure; once it can be read, it was not echoed.
      _ = try unsafe bytes.withUnsafeMutableBytes { try unsafe slave.read(into: $0) }
    }
    try pair.master.write(Array("loud\n".utf8))
    let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe pair.master.read(into: $0) }
    #expect(String(decoding: bytes[..<count], as: UTF8.self) == "loud\r\n")
  }

  @Test func `a signal that was ignored is known as that`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      Signal.user1.ignore()
      let isIgnored = Signal.user1.isIgnored
      Signal.user1.raise()
      Signal.user1.restoreDefault()
      exit(isIgnored && !Signal.user1.isIgnored ? 0 : 1)
    }
  }

  @Test func `a process can die by a signal that it caught before`() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      let pipe = try SignalRelay.open()
      SignalRelay.relay(.terminate)
      Signal.terminate.raise()
      var byte = [UInt8](repeating: 0, count: 1)
      _ = try unsafe byte.withUnsafeMutableBytes { try unsafe pipe.read(into: $0) }
      guard Int32(byte[0]) == SIGTERM else { exit(1) }
      Signal.terminate.die()
    }
  }

  @Test func `the second signal of a relay for one has its default effect`() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      let pipe = try SignalRelay.open()
      SignalRelay.relay(.interrupt, once: true)
      Signal.interrupt.raise()
      Signal.interrupt.raise()
      _ = consume pipe
      exit(1)
    }
  }

  @Test func `a closed relay ends its reader`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let pipe = try SignalRelay.open()
      SignalRelay.close()
      SignalRelay.relay(.user1)
      exit(try pipe.readToEnd(limit: 10).isEmpty ? 0 : 1)
    }
  }

  @Test func `closed standard descriptors are filled with what refuses`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      close(0)
      close(1)
      StandardDescriptors.ensureOpen()
      let file = try FileDescriptor.open("/dev/null")
      guard file.raw > 2 else { exit(1) }
      guard (try? FileDescriptor(borrowing: 1).write([1])) == nil else { exit(2) }
      guard (try? FileDescriptor(borrowing: 0).readToEnd(limit: 1)) == nil else { exit(3) }
      exit(0)
    }
  }
}

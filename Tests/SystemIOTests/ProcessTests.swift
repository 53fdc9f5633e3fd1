import Glibc
import SystemIO
import TestSupport
import Testing

@Suite struct `Shared memory` {
  @Test func `what one mapping stores another sees`() throws {
    let file = try FileDescriptor.memory(named: "test", fixedCount: 5000)
    let near = try SharedMemory(mapping: file)
    let far = try SharedMemory(mapping: file)
    #expect(near.count == 5000)
    let stored = near.store([1, 2, 3], at: 4997)
    #expect(stored)
    #expect(far.copy(4996..<5000) == [0, 1, 2, 3])
  }

  @Test(arguments: [-1..<2, 0..<5001, 5001..<5002])
  func `a range outside is refused`(range: Range<Int>) throws {
    let memory = try SharedMemory(mapping: .memory(named: "test", fixedCount: 5000))
    #expect(memory.copy(range) == nil)
    let lent = unsafe memory.withBytes(range) { $0.count }
    #expect(lent == nil)
  }

  @Test func `bytes that do not fit are not stored`() throws {
    let memory = try SharedMemory(mapping: .memory(named: "test", fixedCount: 4))
    let stored = [memory.store([1, 2], at: 3), memory.store([1], at: -1)]
    #expect(stored == [false, false])
    #expect(memory.copy(0..<4) == [0, 0, 0, 0])
  }

  @Test func `a file of fixed size neither grows nor shrinks nor takes more seals`() throws {
    let file = try FileDescriptor.memory(named: "test", fixedCount: 10)
    for length: UInt64 in [5, 20] {
      #expect(throws: SystemError(errno: EPERM, call: "ftruncate")) {
        try file.truncate(to: length)
      }
    }
    #expect(throws: SystemError(errno: EPERM, call: "fcntl")) { try file.seal(.write) }
  }

  @Test func `a file whose size may change is not mapped`() throws {
    let file = try FileDescriptor.memory(named: "test")
    try file.truncate(to: 100)
    #expect(throws: SystemError(errno: EINVAL, call: "fcntl")) {
      _ = try SharedMemory(mapping: file).count
    }
  }
}

@Suite struct `Message sockets` {
  @Test func `messages keep their bounds and carry a descriptor`() throws {
    let pair = try MessageSocket.pair()
    let folder = try TemporaryDirectory()
    try folder.write("a", Array("hello".utf8))
    let file = try FileDescriptor.open(folder.path("a"))
    try pair.near.send([1, 2, 3])
    try pair.near.send([4], passing: file.raw)
    #expect(try pair.far.receive(limit: 10) == [1, 2, 3])
    let delivery = try pair.far.receiveWithDescriptor(limit: 10)
    #expect(delivery.message == [4])
    guard let passed = delivery.takeDescriptor() else {
      Issue.record("no descriptor came along")
      return
    }
    #expect(passed.raw != file.raw)
    let bytes = try passed.readToEnd(limit: 10)
    #expect(bytes == Array("hello".utf8))
  }

  @Test func `a message without a descriptor brings none`() throws {
    let pair = try MessageSocket.pair()
    try pair.near.send([7])
    let delivery = try pair.far.receiveWithDescriptor(limit: 10)
    #expect(delivery.message == [7])
    #expect(delivery.hasDescriptor == false)
  }

  @Test func `nothing there is an error and does not wait`() throws {
    let pair = try MessageSocket.pair()
    #expect(throws: SystemError(errno: EAGAIN, call: "recv")) { try pair.near.receive(limit: 1) }
  }

  @Test func `an end that closed reads as empty and refuses messages without a signal`() throws {
    let near = try MessageSocket.pair().keepingNear()
    #expect(try near.receive(limit: 1) == [])
    #expect(throws: SystemError(errno: EPIPE, call: "sendmsg")) { try near.send([1]) }
  }

  @Test func `waiting tells which descriptor is ready`() throws {
    let pair = try MessageSocket.pair()
    let wake = try WakeSignal()
    let watched = [pair.near.descriptor.raw, -1, wake.descriptor.raw]
    #expect(try Readiness.wait(for: watched, timeout: .zero) == [false, false, false])
    wake.raise()
    wake.raise()
    #expect(try Readiness.wait(for: watched, timeout: nil) == [false, false, true])
    wake.lower()
    try pair.far.send([1])
    #expect(try Readiness.wait(for: watched, timeout: .seconds(5)) == [true, false, false])
  }
}

@Suite struct `Child processes` {
  @Test func `a child gets the descriptors, words and environment it is given and no more`() throws
  {
    let pipe = try FileDescriptor.pipe()
    let nothing = try FileDescriptor.open("/dev/null", .readWrite)
    let inherited = try FileDescriptor.open("/dev/null")
    #expect(fcntl(inherited.raw, F_GETFD) == FD_CLOEXEC)
    let child = try ChildProcess(
      path: "/bin/sh",
      arguments: ["sh", "-c", "echo $A $1; ls /proc/self/fd | tr '\\n' ' '", "-", "b"],
      environment: ["A=a", "PATH=/usr/bin:/bin"],
      descriptors: [nothing.raw, pipe.write.raw, nothing.raw])
    #expect(child.wait().ending == .exited(status: 0))
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe pipe.read.read(into: $0) }
    // 3 is the directory that ls itself reads.
    #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == "a b\n0 1 2 3 ")
  }

  @Test func `a program that does not exist is an error with its path`() {
    #expect(throws: SystemError(errno: ENOENT, call: "posix_spawn", path: "/absent")) {
      _ = try ChildProcess(path: "/absent", arguments: ["x"], environment: [], descriptors: []).id
    }
  }

  @Test func `a child's peak is its own, not its parent's`() throws {
    // The kernel counts these as the child's too, until its program begins.
    let large = [UInt8](repeating: 1, count: 64 << 20)
    let small = try ChildProcess(
      path: "/bin/true", arguments: ["true"], environment: [], descriptors: [0, 1, 2])
    #expect(small.wait().peakMemory == 0)
    #expect(large.last == 1)
    try MemoryPeak.forget()
    let own = try MemoryPeak.bytes()
    let nothing = try FileDescriptor.open("/dev/null", .readWrite)
    let reader = try ChildProcess(
      path: "/bin/dd",
      arguments: ["dd", "if=/dev/zero", "of=/dev/null", "bs=\(own + 128 << 20)", "count=1"],
      environment: [], descriptors: [nothing.raw, nothing.raw, nothing.raw])
    #expect(reader.wait().peakMemory > UInt64(own) + 64 << 20)
  }

  @Test func `an end tells the exit status or the signal`() throws {
    let exits = try ChildProcess(
      path: "/bin/sh", arguments: ["sh", "-c", "exit 7"], environment: [], descriptors: [0, 1, 2])
    let result = exits.wait()
    #expect(result.ending == .exited(status: 7))
    let sleeps = try ChildProcess(
      path: "/bin/sleep", arguments: ["sleep", "1000"], environment: [], descriptors: [0, 1, 2])
    let usage = (sleeps.residentMemory, sleeps.processorTime)
    #expect(usage.0 != nil)
    #expect(usage.1 != nil)
    #expect(sleeps.end().ending == .signalled(SIGKILL))
  }

  @Test func `a child that is dropped leaves no process behind`() throws {
    let id = try startAndDrop()
    #expect(kill(id, 0) == -1)
    #expect(errno == ESRCH)
  }

  private func startAndDrop() throws -> Int32 {
    try ChildProcess(
      path: "/bin/sleep", arguments: ["sleep", "1000"], environment: [], descriptors: []
    ).id
  }
}

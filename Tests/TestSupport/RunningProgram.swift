import Synchronization
package import SystemIO

/// A program of this package at work, on pipes or on a pseudo-terminal.
package final class RunningProgram: Sendable {
  /// What the program gets as standard input, output and error.
  package enum Place: Sendable {
    case pipes
    /// One terminal for all three.
    case terminal(columns: UInt16, rows: UInt16)
    /// Input and output as pipes, standard error as a terminal.
    case errorsOnTerminal(columns: UInt16, rows: UInt16)
    /// Standard output is the file of that path.
    case output(String)
    /// Standard output is a pipe that nobody reads from.
    case noReader
    /// Standard output is a pipe whose reader never reads.
    case lazyReader
  }

  /// What a test waited for did not come.
  package struct NothingSeen: Error {
    package var output: String
    package var errors: String
  }

  /// The process number.
  package let id: Int32
  /// The side of the terminal that a person sees, or -1.
  private let master: Int32
  private let input: Atomic<Int32>
  private let unread: Int32
  private let child: Mutex<ChildProcess?>
  private let outputBytes = Mutex<[UInt8]>([])
  private let errorBytes = Mutex<[UInt8]>([])
  private let readers = Mutex<[OwnedThread]>([])

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - name: Of an executable target, or an absolute path.
  ///   - arguments: Without the program's name.
  ///   - environment: In place of the terminal `xterm` and the locale `C.UTF-8`.
  ///   - place: Where its descriptors lead.
  /// - Throws: `SystemError` when it cannot be started.
  package init(
    _ name: String, _ arguments: [String] = [],
    environment: [String] = ["TERM=xterm", "LANG=C.UTF-8", "PATH=/usr/bin:/bin"],
    on place: Place = .pipes
  ) throws {
    var ends = try Ends(place)
    defer { ends.closeTheirs() }
    let path = name.hasPrefix("/") ? name : BuiltProgram.path(name)
    let process = try ChildProcess(
      path: path, arguments: [name] + arguments,
      environment: environment + [BuiltProgram.withoutBacktracer], descriptors: ends.theirs)
    (id, master, unread) = (process.id, ends.master, ends.unread)
    input = Atomic(ends.input)
    child = Mutex(process)
    let reading = [ends.output, ends.errors]
    for (index, descriptor) in reading.enumerated() where descriptor >= 0 {
      let thread = try OwnedThread(named: "reader") { [self] in
        RunningProgram.read(descriptor) { bytes in
          if index == 0 {
            outputBytes.withLock { $0 += bytes }
          } else {
            errorBytes.withLock { $0 += bytes }
          }
        }
      }
      readers.withLock { $0.append(thread) }
    }
  }

  deinit {
    endInput()
    for number in [master, unread] where number >= 0 { Ends.close(number) }
  }

  private static func read(_ raw: Int32, _ take: ([UInt8]) -> Void) {
    let descriptor = FileDescriptor(owning: raw)
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      // The other side of a terminal that was left ends with EIO.
      let count = try? unsafe chunk.withUnsafeMutableBytes { try unsafe descriptor.read(into: $0) }
      guard let count, count > 0 else { return }
      take(Array(chunk[..<count]))
    }
  }

  // MARK: - What it writes

  /// Bytes of standard output so far; of both streams where they share a terminal.
  package var output: [UInt8] { outputBytes.withLock { $0 } }
  package var outputText: String { String(decoding: output, as: UTF8.self) }

  /// Bytes of standard error so far.
  package var errors: [UInt8] { errorBytes.withLock { $0 } }
  package var errorText: String { String(decoding: errors, as: UTF8.self) }

  /// Waits until its output and errors contain a text.
  package func waitFor(_ text: String) async throws {
    guard try await eventually({ outputText.contains(text) || errorText.contains(text) }) else {
      throw NothingSeen(output: outputText, errors: errorText)
    }
  }

  /// Waits until the kernel says that it is in a state, such as `T` for stopped.
  package func waitFor(state: Character) async throws {
    let isSo = try await eventually {
      let bytes = try FileDescriptor.open("/proc/\(id)/stat").readToEnd(limit: 4096)
      // The state follows the name in parentheses.
      let tail = String(decoding: bytes, as: UTF8.self).split(separator: ") ").last ?? ""
      return tail.first == state
    }
    guard isSo else { throw NothingSeen(output: outputText, errors: errorText) }
  }

  // MARK: - What is done to it

  package func send(_ signal: Signal) throws { try signal.send(to: id) }

  /// Stops it as the keyboard does, and waits until it has stopped.
  ///
  /// - Returns: Whether it heard of that. Where the kernel ignores that stop, because there is no shell to continue the
  ///   process, it is stopped in the way that no program hears of.
  package func stop() async throws -> Bool {
    try send(.terminalStop)
    let isDeaf = try ProcessKinship.hasOrphanedGroup(id)
    if isDeaf { try send(.stop) }
    try await waitFor(state: "T")
    return !isDeaf
  }

  /// Writes to its standard input, or types on its terminal.
  package func type(_ text: String) throws {
    try FileDescriptor(borrowing: master >= 0 ? master : input.load(ordering: .relaxed)).write(
      Array(text.utf8))
  }

  /// Closes its standard input, where that is a pipe.
  package func endInput() {
    let open = input.exchange(-1, ordering: .relaxed)
    if open >= 0 { Ends.close(open) }
  }

  package func resize(columns: UInt16, rows: UInt16) throws {
    try Terminal.setSize(of: master, columns: columns, rows: rows)
  }

  /// Waits for its end and for all it wrote.
  @discardableResult
  package func finish() async throws -> ChildProcess.Ending {
    try await OwnedThread.run(named: "waiter") { [self] in
      guard let child = child.withLock({ $0.take() }) else { return .unknown }
      let ending = child.wait().ending
      for thread in readers.withLock({ $0 }) { thread.join() }
      return ending
    }
  }
}

/// The descriptors of one program, by number.
private struct Ends {
  /// What becomes 0, 1 and 2 of the program.
  var theirs: [Int32] = []
  /// What we read its output and errors from, type into, and only keep open; -1 where there is none.
  var output: Int32 = -1
  var errors: Int32 = -1
  var input: Int32 = -1
  var master: Int32 = -1
  var unread: Int32 = -1

  init(_ place: RunningProgram.Place) throws {
    switch place {
    case .terminal(let columns, let rows):
      let slave = try openTerminal(columns, rows)
      theirs = [slave, slave, slave]
      output = try FileDescriptor(borrowing: master).duplicate().release()
      return
    case .errorsOnTerminal(let columns, let rows):
      let slave = try openTerminal(columns, rows)
      let printed = try Ends.pipe()
      theirs = [slave, printed.write, slave]
      (output, errors) = (
        printed.read, try FileDescriptor(borrowing: master).duplicate().release()
      )
      return
    case .pipes, .output, .noReader, .lazyReader: break
    }
    let (typed, printed, reported) = (try Ends.pipe(), try Ends.pipe(), try Ends.pipe())
    theirs = [typed.read, printed.write, reported.write]
    (input, output, errors) = (typed.write, printed.read, reported.read)
    switch place {
    case .output(let path):
      Ends.close(theirs[1])
      theirs[1] = try FileDescriptor.open(path, .writeOnly).release()
    case .noReader:
      Ends.close(output)
      output = -1
    case .lazyReader: (unread, output) = (output, -1)
    default: break
    }
  }

  private mutating func openTerminal(_ columns: UInt16, _ rows: UInt16) throws -> Int32 {
    let pair = try Terminal.makePair(columns: columns, rows: rows)
    master = try pair.master.duplicate().release()
    return try pair.slave.duplicate().release()
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    let pipe = try FileDescriptor.pipe()
    return (try pipe.read.duplicate().release(), try pipe.write.duplicate().release())
  }

  mutating func closeTheirs() {
    for number in Set(theirs) { Ends.close(number) }
    theirs = []
  }

  static func close(_ number: Int32) { _ = FileDescriptor(owning: number) }
}

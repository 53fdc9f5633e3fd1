import Glibc

/// The arguments of this process as everybody else can read them in `/proc/PID/cmdline` and `ps`.
package enum ShownArguments {
  /// Writes over arguments in place.
  ///
  /// What is longer than the argument it stands for is cut, what is shorter is filled up with spaces.
  /// Copies that the program has made of its arguments stay as they were. Does nothing where the
  /// kernel does not say where the arguments are.
  /// - Parameter shown: Is given each argument, the program's name first, and answers what is to stand
  ///   there; the same to leave it.
  package static func replace(_ shown: (String) -> String) {
    guard let range = addresses(), let count = Int(exactly: range.upperBound - range.lowerBound),
      let start = unsafe UnsafeMutablePointer<UInt8>(bitPattern: range.lowerBound)
    else { return }
    // Safety: the kernel put the arguments there, on the first thread's stack, which stays as long as
    // the process; nothing else writes to them.
    let memory = unsafe UnsafeMutableBufferPointer(start: start, count: count)
    var first = 0
    while let end = unsafe memory[first...].firstIndex(of: 0) {
      let word = unsafe String(decoding: memory[first..<end], as: UTF8.self)
      let text = shown(word)
      if text != word {
        var bytes = text.utf8.makeIterator()
        for index in first..<end { unsafe memory[index] = bytes.next() ?? UInt8(ascii: " ") }
      }
      first = end + 1
    }
  }

  /// `arg_start` and `arg_end`, fields 48 and 49 of `proc_pid_stat(5)`.
  private static func addresses() -> Range<UInt>? {
    guard let file = try? FileDescriptor.open("/proc/self/stat"),
      let bytes = try? file.readToEnd(limit: 1 << 16),
      // The name in parentheses may hold spaces, and parentheses.
      let nameEnd = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = bytes[(nameEnd + 1)...].split(separator: UInt8(ascii: " "))
      .map { String(decoding: $0, as: UTF8.self) }
    // The first of these is field 3.
    guard fields.count > 46, let start = UInt(fields[45]), let end = UInt(fields[46]), start < end
    else { return nil }
    return start..<end
  }
}

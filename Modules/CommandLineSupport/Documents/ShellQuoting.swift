/// Quoting that POSIX shells and fish read alike, save for backslashes.
enum ShellQuoting {
  /// A word in single quotes for bash and zsh.
  static func posix(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  /// A word in single quotes for fish, where a backslash escapes inside of them.
  static func fish(_ text: String) -> String {
    var quoted = "'"
    for character in text {
      if character == "'" || character == "\\" { quoted.append("\\") }
      quoted.append(character)
    }
    return quoted + "'"
  }

  /// A name that may follow `_` in a function's name.
  static func identifier(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}

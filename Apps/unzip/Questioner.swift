import CommandLineSupport
import Synchronization
import SystemIO
import ZipKitCore

/// Asks about existing files as Info-ZIP does: on standard error, answered on standard input.
///
/// The end of standard input means that nobody is there: this file and all others are kept.
final class Questioner: Sendable {
  private enum Mode {
    case ask, all, none
  }

  private let deserted = Atomic<Bool>(false)
  private let mode = Mutex(Mode.ask)
  private let console: Console
  private let prefix: String

  init(_ console: Console, directory: String?) {
    self.console = console
    prefix = directory.map { $0 + "/" } ?? ""
  }

  /// Whether a question was asked and nobody was there.
  var isDeserted: Bool { deserted.load(ordering: .relaxed) }

  func answer(_ path: String) -> ExtractionOptions.ExistingAnswer {
    mode.withLock { mode in
      switch mode {
      case .all: return .replace
      case .none: return .skip
      case .ask: break
      }
      while true {
        console.printError(
          "replace \(prefix + path)? [y]es, [n]o, [A]ll, [N]one, [r]ename: ", terminator: "")
        guard let line = Self.line() else {
          console.printError(" NULL\n(EOF or read error, treating as \"[N]one\" ...)")
          mode = .none
          deserted.store(true, ordering: .relaxed)
          return .skip
        }
        switch line.first {
        case "y", "Y": return .replace
        case "n": return .skip
        case "A":
          mode = .all
          return .replace
        case "N":
          mode = .none
          return .skip
        case "r", "R":
          console.printError("new name: ", terminator: "")
          guard let name = Self.line(), !name.isEmpty else { continue }
          return .rename(name)
        default:
          console.printError("error:  invalid response [\(line)]")
        }
      }
    }
  }

  // Byte by byte: what follows the line may be meant for somebody else.
  private static func line() -> String? {
    let standard = FileDescriptor(borrowing: 0)
    var bytes: [UInt8] = []
    var one: [UInt8] = [0]
    while bytes.count < 4096 {
      let count = try? unsafe one.withUnsafeMutableBytes { try unsafe standard.read(into: $0) }
      guard let count, count == 1 else { return bytes.isEmpty ? nil : lossy(bytes) }
      if one[0] == 0x0a { return lossy(bytes) }
      bytes.append(one[0])
    }
    return lossy(bytes)
  }

  private static func lossy(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

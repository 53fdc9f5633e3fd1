import CommandLineSupport
import Synchronization
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
  private let context: CommandContext
  private let prefix: String

  init(_ context: CommandContext, directory: String?) {
    self.context = context
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
        let question: ConsoleText =
          "replace \(prefix + path)? [y]es, [n]o, [A]ll, [N]one, [r]ename: "
        guard let line = self.line(question) else {
          context.console.printError(" NULL\n(EOF or read error, treating as \"[N]one\" ...)")
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
          guard let name = self.line("new name: "), !name.isEmpty else { continue }
          return .rename(name)
        default:
          context.console.printError("error:  invalid response [\(line)]")
        }
      }
    }
  }

  private func line(_ question: ConsoleText) -> String? { try? context.askBlocking(question) }
}

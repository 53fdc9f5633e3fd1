internal import Dialogue
internal import Synchronization
internal import ZipKitCore

/// Asks about existing files as Info-ZIP does.
///
/// Where nobody is there to answer, this file and all others are kept.
final class Questioner: Sendable {
  private enum Mode {
    case ask, all, none
  }

  private let deserted = Atomic<Bool>(false)
  private let mode = Mutex(Mode.ask)
  private let frontEnd: any FrontEnd
  private let prefix: String

  init(_ frontEnd: any FrontEnd, directory: String?) {
    self.frontEnd = frontEnd
    prefix = directory.map { $0 + "/" } ?? ""
  }

  /// Whether a question was asked and nobody was there.
  var isDeserted: Bool { deserted.load(ordering: .relaxed) }

  /// What becomes of an existing file; one question at a time, until one answers for all.
  func answer(_ path: String) -> ExtractionOptions.ExistingAnswer {
    mode.withLock { mode in
      switch mode {
      case .all: return .replace
      case .none: return .skip
      case .ask: break
      }
      while true {
        guard let line = line("replace \(prefix + path)? [y]es, [n]o, [A]ll, [N]one, [r]ename: ")
        else {
          frontEnd.remark(" NULL")
          frontEnd.remark("(EOF or read error, treating as \"[N]one\" ...)")
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
          frontEnd.remark("error:  invalid response [\(line)]")
        }
      }
    }
  }

  private func line(_ question: String) -> String? { try? frontEnd.answer(to: question) }
}

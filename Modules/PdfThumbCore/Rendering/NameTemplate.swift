/// How pictures are named: text with `{name}`, `{page}`, `{label}` and `{ext}` in it.
///
/// `{page:04}` fills up with zeros to four digits. `{{` and `}}` stand for braces. What comes from the document
/// or its name cannot leave the directory: slashes and control characters become `_`.
public struct NameTemplate: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case text(String)
    case name
    case page(digits: Int)
    case label
    case fileExtension
  }

  private let parts: [Part]

  /// Reads a template, or returns `nil` when a brace is open or names nothing known.
  public init?(_ text: String) {
    var parts: [Part] = []
    var literal = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "{" || character == "}", rest.first == character {
        rest.removeFirst()
        literal.append(character)
      } else if character == "{" {
        guard let end = rest.firstIndex(of: "}"), let part = Self.part(rest[..<end]) else {
          return nil
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
        literal = ""
        parts.append(part)
        rest = rest[rest.index(after: end)...]
      } else if character == "}" {
        return nil
      } else {
        literal.append(character)
      }
    }
    if !literal.isEmpty { parts.append(.text(literal)) }
    self.parts = parts
  }

  private static func part(_ word: Substring) -> Part? {
    switch word {
    case "name": return .name
    case "page": return .page(digits: 1)
    case "label": return .label
    case "ext": return .fileExtension
    default:
      guard word.hasPrefix("page:0"), let digits = Int(word.dropFirst(6)), (1...9).contains(digits)
      else { return nil }
      return .page(digits: digits)
    }
  }

  /// Whether different pages get different names.
  public var tellsPagesApart: Bool {
    parts.contains { if case .page = $0 { true } else { false } }
  }

  /// The name of one page's picture.
  ///
  /// - Parameters:
  ///   - name: The document's name, without directory and ending.
  ///   - page: The page, counted from 0; written counted from 1.
  ///   - label: The page's label.
  ///   - fileExtension: The ending, without a dot.
  /// - Returns: The name, with the directories that the template itself names.
  public func name(of name: String, page: Int, label: String, fileExtension: String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): return text
      case .name: return Self.harmless(name)
      case .label: return Self.harmless(label)
      case .fileExtension: return fileExtension
      case .page(let digits):
        let number = String(page + 1)
        return String(repeating: "0", count: max(0, digits - number.count)) + number
      }
    }.joined()
  }

  private static func harmless(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar == "/" || scalar.properties.generalCategory == .control ? "_" : scalar
    }
    let result = String(String.UnicodeScalarView(scalars))
    return result == "." || result == ".." || result.isEmpty ? "_" : result
  }
}

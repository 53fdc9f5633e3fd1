/// Text for a console that knows which of its parts came from outside.
///
/// What stands in the literal is the program's own. What is interpolated is taken to come from
/// outside, and is escaped where the stream is a terminal:
///
///     console.print("  inflating: \(entry.name)")
///     console.print("\(bytes: entry.rawName)")        // raw bytes on a pipe
///     console.print("\(trusted: table)")              // our own text, line breaks and all
package struct ConsoleText: Sendable, ExpressibleByStringInterpolation {
  /// How a part looks where color is wanted.
  package enum Style: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  fileprivate enum Part: Sendable {
    case trusted(String)
    case outside(String)
    case bytes([UInt8])
    case styled(Style, String)
  }

  private var parts: [Part]

  package init(stringLiteral value: String) { parts = [.trusted(value)] }

  /// Text that the program itself made.
  package init(trusted text: String) { parts = [.trusted(text)] }

  /// Text from outside.
  package init(outside text: String) { parts = [.outside(text)] }

  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// Collects the parts of a literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { parts.append(.trusted(literal)) }

    /// Text from outside.
    package mutating func appendInterpolation(_ text: some StringProtocol) {
      parts.append(.outside(String(text)))
    }

    /// A number.
    package mutating func appendInterpolation(_ number: some BinaryInteger) {
      parts.append(.trusted(String(number)))
    }

    /// A text made of parts.
    package mutating func appendInterpolation(_ text: ConsoleText) { parts += text.parts }

    /// A name from outside that need not be UTF-8.
    package mutating func appendInterpolation(bytes: some Collection<UInt8>) {
      parts.append(.bytes(Array(bytes)))
    }

    /// Text that the program itself made.
    package mutating func appendInterpolation(trusted text: String) {
      parts.append(.trusted(text))
    }

    /// Text of the program itself, marked where color is wanted.
    package mutating func appendInterpolation(_ style: Style, _ text: String) {
      parts.append(.styled(style, text))
    }
  }

  /// The bytes for one kind of stream.
  package func rendered(isTerminal: Bool, hasColor: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts {
      switch part {
      case .trusted(let text): bytes += text.utf8
      case .outside(let text): bytes += (isTerminal ? NameEscaping.escape(text) : text).utf8
      case .bytes(let raw):
        bytes += isTerminal ? Array(NameEscaping.escape(bytes: raw).utf8) : raw
      case .styled(let style, let text):
        bytes += (hasColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text).utf8
      }
    }
    return bytes
  }
}

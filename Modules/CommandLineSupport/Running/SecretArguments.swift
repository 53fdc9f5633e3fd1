/// Which parts of a command line nobody else may see.
///
/// Everybody on a machine can list the arguments of everybody's processes.
struct SecretArguments {
  /// The longest first, lest one that another ends with leaves the rest of that.
  private let values: [[UInt8]]
  private let operands: Set<String>
  private let redactURL: (String) -> String

  /// Finds the secrets of a command line that has been understood.
  ///
  /// - Parameters:
  ///   - spec: Tells which options take secrets.
  ///   - arguments: What was understood.
  ///   - redactURL: Takes user name, password and tokens out of a URL.
  init(
    _ spec: CommandSpec, _ arguments: ParsedArguments, redactURL: @escaping (String) -> String
  ) {
    let keys = Set(spec.everyOption.filter(\.isSecret).map(\.key))
    values = arguments.occurrences.filter { keys.contains($0.key) }
      .compactMap { $0.value.text }.filter { !$0.isEmpty }
      .map { Array($0.utf8) }.sorted { $0.count > $1.count }
    operands = Set(arguments.operands)
    self.redactURL = redactURL
  }

  /// An argument as it may be shown.
  func shown(_ word: String) -> String {
    let bytes = Array(word.utf8)
    for value in values where bytes.suffix(value.count).elementsEqual(value) {
      // Alone, or after its option: --user=VALUE, -uVALUE.
      guard bytes.count == value.count || bytes.first == UInt8(ascii: "-") else { continue }
      return String(decoding: bytes.dropLast(value.count), as: UTF8.self)
        + String(repeating: "*", count: value.count)
    }
    return word.contains("://") || operands.contains(word) ? redactURL(word) : word
  }
}

extension CommandSpec {
  /// Its own options and those of its alternates.
  fileprivate var everyOption: [OptionSpec] {
    options + alternates.flatMap { $0.spec.options }
  }
}

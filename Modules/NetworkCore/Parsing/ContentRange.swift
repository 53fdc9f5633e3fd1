/// A `Content-Range` field in bytes.
///
/// Source: RFC 9110 section 14.4, without tolerance: a range that is not exactly right must not be
/// written anywhere.
package enum ContentRange: Hashable, Sendable {
  /// `bytes 0-9/20`: first and last byte, both included, and the length of the whole, `nil` for `*`.
  case part(first: UInt64, last: UInt64, total: UInt64?)
  /// `bytes */20`: the range asked for does not exist; the length of the whole.
  case unsatisfied(total: UInt64)

  /// Parses the value of the field.
  ///
  /// - Throws: What was found instead of `bytes FIRST-LAST/TOTAL`.
  package init(_ value: String) throws(InputError) {
    let bad = InputError(.contentRange, found: value)
    var scanner = FieldScanner(value)
    guard scanner.takeWord("bytes"), scanner.take(" ") else { throw bad }
    if scanner.take("*") {
      guard scanner.take("/"), let total = scanner.number(), scanner.isAtEnd else { throw bad }
      self = .unsatisfied(total: total)
      return
    }
    guard let first = scanner.number(), scanner.take("-"), let last = scanner.number(),
      scanner.take("/"), first <= last
    else { throw bad }
    if scanner.take("*") {
      guard scanner.isAtEnd, last < UInt64.max else { throw bad }
      self = .part(first: first, last: last, total: nil)
      return
    }
    guard let total = scanner.number(), scanner.isAtEnd, last < total else { throw bad }
    self = .part(first: first, last: last, total: total)
  }

  /// The length of the whole file, where it is told.
  package var total: UInt64? {
    switch self {
    case .part(_, _, let total): total
    case .unsatisfied(let total): total
    }
  }

  /// How many bytes the part has; 0 when there is none.
  package var count: UInt64 {
    guard case .part(let first, let last, _) = self else { return 0 }
    // Cannot overflow: last is below a total or below the greatest number.
    return last - first + 1
  }
}

/// `Content-Length` fields.
///
/// Source: RFC 9112 section 6.3: several equal ones are one, different ones are an attack or a fault.
package enum ContentLength {
  /// The length that all the values together announce, `nil` for no value.
  ///
  /// - Throws: ``TransferProblem/badContentLength(_:)``, ``TransferProblem/conflictingLengths(_:_:)`` or
  ///   ``TransferProblem/lengthOverflow(_:)`` as an error.
  package static func parse(_ values: [String]) throws(NetworkError) -> UInt64? {
    var found: (text: String, value: UInt64)?
    for value in values.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      let text = String(value).trimmed
      guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else {
        throw NetworkError(.badContentLength(text))
      }
      // Beyond 2^63 no file offset can name a byte.
      guard let number = decimal(Array(text.utf8)), number <= UInt64(Int64.max) else {
        throw NetworkError(.lengthOverflow(text))
      }
      if let found, found.value != number {
        throw NetworkError(.conflictingLengths(found.text, text))
      }
      found = (text, number)
    }
    return found?.value
  }
}

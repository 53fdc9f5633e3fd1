/// An entity tag.
///
/// Source: RFC 9110 section 8.8.3.
package struct EntityTag: Hashable, Sendable {
  /// Without quotes.
  package var opaque: String
  /// `W/`: equal tags promise the same meaning, not the same bytes.
  package var isWeak: Bool

  /// Parses the value of an `ETag` field.
  ///
  /// - Throws: What was found instead of a tag in double quotes.
  package init(_ value: String) throws(InputError) {
    var text = value.trimmed[...]
    isWeak = text.hasPrefix("W/")
    if isWeak { text = text.dropFirst(2) }
    let inner = text.utf8.dropFirst().dropLast()
    guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\""),
      inner.allSatisfy({ $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F })
    else { throw InputError(.entityTag, found: value) }
    opaque = String(text.dropFirst().dropLast())
  }

  /// As it stands in a field.
  package var text: String { (isWeak ? "W/" : "") + "\"\(opaque)\"" }

  /// Whether both stand for the same bytes.
  package func stronglyMatches(_ other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && opaque == other.opaque
  }
}

/// What an answer says to tell one version of a file from another.
package struct Validators: Hashable, Sendable {
  /// The `ETag`, when it can be read.
  package var entityTag: EntityTag?
  /// The `Last-Modified` as it was sent, when it can be read.
  package var lastModified: String?
  /// Whether the modification lies at least a minute before the answer's own `Date`.
  package var isLastModifiedStrong: Bool

  /// Takes the three fields of an answer; those that cannot be read count as absent.
  package init(entityTag: String?, lastModified: String?, date: String?) {
    self.entityTag = entityTag.flatMap { try? EntityTag($0) }
    let modified = lastModified.flatMap { try? HTTPDate($0) }
    self.lastModified = modified == nil ? nil : lastModified?.trimmed
    let sent = date.flatMap { try? HTTPDate($0) }
    if let modified, let sent {
      // A file may change twice within a second: RFC 9110 section 8.8.2.2.
      isLastModifiedStrong = sent.secondsSinceEpoch - modified.secondsSinceEpoch >= 60
    } else {
      isLastModifiedStrong = false
    }
  }

  /// What to put into `If-Range`: a strong tag, else a strong date, else nothing.
  package var ifRange: String? {
    if let entityTag, !entityTag.isWeak { return entityTag.text }
    return isLastModifiedStrong ? lastModified : nil
  }

  /// How another answer's validators relate to these.
  package enum Comparison: Hashable, Sendable {
    /// A strong validator is equal: the same bytes.
    case same
    /// Only weak ones are equal: probably the same, the overlap has to be compared.
    case alike
    /// One of them differs: another file.
    case different
    /// There is none to compare.
    case unknown
  }

  /// Compares with the validators of a later answer.
  package func compare(with other: Validators) -> Comparison {
    if let mine = entityTag, let theirs = other.entityTag {
      if mine.stronglyMatches(theirs) { return .same }
      guard mine.opaque == theirs.opaque else { return .different }
      return lastModified != nil && other.lastModified != nil && lastModified != other.lastModified
        ? .different : .alike
    }
    guard let mine = lastModified, let theirs = other.lastModified else { return .unknown }
    guard mine == theirs else { return .different }
    return isLastModifiedStrong && other.isLastModifiedStrong ? .same : .alike
  }
}

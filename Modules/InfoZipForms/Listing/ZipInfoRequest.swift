/// Which parts of `zipinfo`'s output are asked for, by Info-ZIP's rules.
package struct ZipInfoRequest: Equatable, Sendable {
  /// What is said about each entry.
  package enum Form: Equatable, Sendable {
    /// Nothing: only head or totals are wanted.
    case none
    /// Names, and never anything else.
    case namesOnly
    /// Names, and the parts asked for.
    case names
    /// One line.
    case table(ZipInfoListing.Form)
    /// All there is.
    case verbose
  }

  /// What the options ask for; nil for a part that no option names.
  package struct Options: Sendable {
    /// The form given last.
    package var form: Form?
    /// Whether the head is asked for, or asked to be left out.
    package var head: Bool?
    /// Whether the line of totals is asked for, or asked to be left out.
    package var totals: Bool?
    /// Whether the archive's comment is asked for.
    package var comment = false

    /// Asks for nothing in particular.
    package init() {}
  }

  /// What is said about each entry.
  package let form: Form
  /// Whether the archive's name, size and count come first.
  package let hasHead: Bool
  /// Whether the line of totals comes last.
  package let hasTotals: Bool
  /// Whether the archive's comment is shown.
  package let hasComment: Bool

  /// Applies the rules.
  ///
  /// - Parameters:
  ///   - options: What is asked for.
  ///   - isSelective: Whether members are named, or some left out: then head and totals come only when
  ///     they are asked for.
  package init(_ options: Options, isSelective: Bool) {
    let hasPart = options.head == true || options.totals == true
    form = options.form ?? (hasPart && !isSelective ? .none : .table(.short))
    switch form {
    case .namesOnly: (hasHead, hasTotals) = (false, false)
    case .none, .names: (hasHead, hasTotals) = (options.head ?? false, options.totals ?? false)
    case .table:
      hasHead = options.head ?? !isSelective
      hasTotals = options.totals ?? !isSelective
    case .verbose: (hasHead, hasTotals) = (options.head ?? true, options.totals ?? false)
    }
    hasComment = options.comment && form != .namesOnly
  }
}

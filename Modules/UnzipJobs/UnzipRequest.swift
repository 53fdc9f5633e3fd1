package import ZipKitCore

/// What `unzip` is asked to do, whoever asks.
package struct UnzipRequest: Sendable {
  /// What is done to each archive.
  package enum Action: Sendable {
    /// Entries are written below the directory.
    case extract
    /// Entries are listed, in the short form and in the long one.
    case list, verboseList
    /// Entries are decoded and checked.
    case test
    /// Contents are given as they are, and with names and line ends between them.
    case pipe, print
    /// The archive's comment is shown.
    case comment
    /// The archive gets the time of its newest entry.
    case stamp

    var isList: Bool { self == .list || self == .verboseList }
  }

  /// What is done; extraction.
  package var action = Action.extract
  /// A path, also without its `.zip`, or a pattern for names in a directory; `-` is standard input.
  package var archive: String
  /// Entries that are meant; all of them where there is no pattern.
  package var members: [NamePattern] = []
  /// Entries that are left out.
  package var excluded: [NamePattern] = []
  /// Where entries go; the current directory.
  package var directory: String?
  /// How entries are read and placed.
  package var extraction = ExtractionOptions()
  /// Whether existing files are asked about, in place of what `extraction` says of them; true.
  package var asksAboutExisting = true
  /// Character set of names without a Unicode mark; detected for each archive.
  package var encoding: NameEncoding?
  /// Whether an inconsistency of an archive is the end of it; false.
  package var isStrict = false
  /// Whether what is left of a damaged archive is looked for; false.
  package var recovers = false
  /// Whether entries and sums are told as records for programs; false.
  package var isJSON = false
  /// How much is left unsaid, as by `-q` given so often; 0.
  package var quietness = 0
  /// Lines about the request itself, told before all else.
  package var cautions: [String] = []

  /// Asks for the extraction of an archive.
  package init(archive: String) { self.archive = archive }
}

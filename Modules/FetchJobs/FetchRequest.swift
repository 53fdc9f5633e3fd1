package import NetworkCore

/// What `fetch` is asked to do, whoever asks.
package struct FetchRequest: Sendable {
  /// What is done.
  package enum Action: Equatable, Sendable {
    /// Files are downloaded.
    case download
    /// Zip archives are downloaded and unpacked into a directory.
    case extract(into: String)
    /// What a download would do is told.
    case plan
    /// What interrupted downloads left in the directory is listed.
    case listParts
    /// What they left and was not written to for so long is removed.
    case sweep(olderThan: Duration)
  }

  /// What is done; downloads.
  package var action = Action.download
  /// What is downloaded, beside what the manifest names.
  package var urls: [String] = []
  /// Where the one URL, or each of several, goes.
  package var target = DownloadTarget.directory(".")
  /// Where the files of the manifest go, and where parts are looked for.
  package var directory = "."
  /// A file that names downloads, and which share of it is taken, as `2/5`.
  package var manifest: String?, shard: String?
  /// A file or URL that lists checksums.
  package var checksumFile: String?
  /// Files at a time; 4.
  package var jobs = 4
  /// How each is downloaded; its `onEvent` is the job's own.
  package var options = DownloadOptions()
  /// Whether what happens is told as records for programs; false.
  package var isJSON = false

  /// Asks for nothing in particular.
  package init() {}
}

internal import SystemIO
internal import ZipKitCore

/// The names that a delivery uses on disk while it is under way.
struct DeliveryPlace: Sendable {
  let directory: String

  /// The archive, once whole; its part and journal stand beside it.
  var archive: String { Path.join(directory, ".courier-delivery.zip") }

  /// Makes the directory.
  func prepare() throws {
    do {
      try FileSystem.makeDirectories(directory)
    } catch {
      throw ZipError(
        .targetUnusable, "expected a directory at '\(directory)', found: \(error.reason)")
    }
  }

  /// Removes the archive and what a download leaves beside it.
  func sweep() {
    // Only what was made here; a name that is not there is what sweeping is for.
    for name in [archive, "\(archive).part", "\(archive).part.journal"] {
      try? FileSystem.unlink(name)
    }
  }
}

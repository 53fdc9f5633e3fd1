public import NetworkCore
public import ZipKitCore

/// Settings of a delivery.
public struct DeliveryOptions: Sendable {
  /// How the archive is downloaded; what it says of an existing target does not apply.
  public var download = DownloadOptions()
  /// How the archive is read: decoders, encoding of names.
  public var archive = ZipArchive.Options()
  /// How entries are written.
  public var extraction = ExtractionOptions()
  /// Whether the part is removed after a network failure too, instead of being kept for the next delivery; false.
  public var sweepsAfterFailure = false

  /// Creates the default options.
  public init() {}
}

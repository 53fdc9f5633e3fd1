internal import ZipKitCore

extension EntryCoding {
  /// The declared size, or nil when sizes follow the data and none is known yet.
  var knownSize: UInt64? {
    size == 0 && compressedSize == 0 && flags.contains(.dataDescriptor) ? nil : size
  }
}

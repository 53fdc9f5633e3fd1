/// Puts right what writers without Zip64 wrote about an archive over 4 GiB: the rest of a division by 2³².
///
/// macOS's Archive Utility is one of them. Its entries stand in the order of its directory, so that each
/// begins behind the one before it, where a local header is; and data end where the next entry begins, but
/// for a descriptor.
struct ModuloRepair {
  private static let unit: UInt64 = 1 << 32

  private let source: any ArchiveSource
  /// Where the directory begins, and the last entry ends.
  private let end: UInt64

  init(_ source: any ArchiveSource, directoryAt end: UInt64) {
    self.source = source
    self.end = end
  }

  /// The headers of a directory with their true offsets and sizes.
  ///
  /// - Parameter headers: In the order of the directory.
  /// - Returns: nil where nothing has to be repaired, or the directory is of another make.
  /// - Throws: What the source throws.
  func repair(_ headers: [CentralHeader]) throws(ZipError) -> [CentralHeader]? {
    var result = headers
    var dataStarts: [UInt64] = []
    var least: UInt64 = 0
    for place in result.indices {
      guard let (offset, data) = try locate(result[place], from: least) else { return nil }
      result[place].localOffset = offset
      dataStarts.append(data)
      least = data
    }
    for place in result.indices {
      let next = place + 1 < result.count ? result[place + 1].localOffset : end
      guard next >= dataStarts[place] else { return nil }
      extend(&result[place], to: next - dataStarts[place])
    }
    return result == headers ? nil : result
  }

  /// The first place with a local header that the offset may mean.
  private func locate(
    _ header: CentralHeader, from least: UInt64
  ) throws(ZipError) -> (offset: UInt64, data: UInt64)? {
    var offset = header.localOffset
    while offset < end {
      if offset >= least {
        let bytes = try source.bytes(at: offset, count: LocalHeader.fixedSize)
        if let local = LocalHeader(unsafe bytes.span.bytes, at: 0),
          local.nameLength == header.nameLength, local.method == header.method
        {
          return (offset, offset + UInt64(local.headerSize))
        }
      }
      offset += Self.unit
    }
    return nil
  }

  /// Adds what the sizes have lost, as far as the room that the data have tells it.
  private func extend(_ header: inout CentralHeader, to room: UInt64) {
    guard room >= header.compressedSize else { return }
    let rest = (room - header.compressedSize) % Self.unit
    guard rest <= UInt64(DataDescriptor.maximumSize) else { return }
    header.compressedSize = room - rest
    if header.method == .stored, !header.flags.contains(.encrypted) {
      header.size = header.compressedSize
      return
    }
    // Compressing makes nothing much larger; by how much it makes it smaller, decoding tells.
    let overhead = header.compressedSize / 1000 + (64 << 10)
    while header.compressedSize > header.size, header.compressedSize - header.size > overhead {
      header.size += Self.unit
    }
  }
}

extension ZipError {
  static func moduloRepaired() -> ZipError {
    ZipError(
      .zip64Differs,
      "expected Zip64 fields in an archive of more than 4 GiB, found values modulo 4 GiB, put right"
    )
  }
}

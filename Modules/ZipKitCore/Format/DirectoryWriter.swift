/// Puts a central directory together out of headers, such as by salvage: the values of each are those of
/// its ``CentralHeader``, with a Zip64 field where they need one.
struct DirectoryWriter {
  private(set) var bytes: [UInt8] = []

  /// Appends a header with what follows it; a Zip64 field among the extra fields is made anew.
  ///
  /// - Returns: false when the directory has no more room, and the header is left out.
  @discardableResult
  mutating func append(
    _ header: CentralHeader, name: [UInt8], extra: [UInt8], comment: [UInt8]
  ) -> Bool {
    let values = [header.size, header.compressedSize, header.localOffset]
    let wide = values.filter { $0 >= 0xffff_ffff }
    var fields: [UInt8] = []
    if !wide.isEmpty {
      fields.add(ExtraFieldID.zip64.rawValue)
      fields.add(UInt16(8 * wide.count))
      for value in wide { fields.add(value) }
    }
    _ = unsafe ExtraFields.forEach(in: extra.span.bytes) { id, data in
      guard id != .zip64, fields.count + 4 + data.byteCount <= 0xffff else { return }
      fields.add(id.rawValue)
      fields.add(UInt16(truncatingIfNeeded: data.byteCount))
      fields += data.array()
    }
    let name = name.prefix(0xffff)
    let comment = comment.prefix(0xffff)
    let count = CentralHeader.fixedSize + name.count + fields.count + comment.count
    guard bytes.count + count <= Int(UInt32.max) else { return false }
    bytes.add(CentralHeader.signature)
    bytes.add(header.versionMadeBy)
    bytes.add(header.versionNeeded)
    bytes.add(header.flags.rawValue)
    bytes.add(header.method.rawValue)
    bytes.add(header.dosTime)
    bytes.add(header.dosDate)
    bytes.add(header.crc32)
    bytes.add(Self.narrow(header.compressedSize))
    bytes.add(Self.narrow(header.size))
    bytes.add(UInt16(name.count))
    bytes.add(UInt16(fields.count))
    bytes.add(UInt16(comment.count))
    bytes.add(UInt16(0))
    bytes.add(header.internalAttributes)
    bytes.add(header.externalAttributes)
    bytes.add(Self.narrow(header.localOffset))
    bytes += name
    bytes += fields
    bytes += comment
    return true
  }

  private static func narrow(_ value: UInt64) -> UInt32 { UInt32(min(value, 0xffff_ffff)) }
}

extension [UInt8] {
  /// Appends a number in little-endian order.
  fileprivate mutating func add(_ value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}

extension CentralHeader {
  /// What a local header tells, for an entry whose central one is missing.
  init(_ local: LocalHeader, at offset: UInt64) {
    versionMadeBy = UInt16(HostSystem.unix.rawValue) << 8 | local.versionNeeded & 0xff
    versionNeeded = local.versionNeeded
    flags = local.flags
    method = local.method
    dosTime = local.dosTime
    dosDate = local.dosDate
    crc32 = local.crc32
    compressedSize = local.compressedSize
    size = local.size
    nameLength = local.nameLength
    extraLength = local.extraLength
    commentLength = 0
    diskStart = 0
    internalAttributes = 0
    externalAttributes = 0
    localOffset = offset
  }
}

/// The ASi Unix field (0x756e of Info-ZIP's `extrafld.txt`): mode, owner and a link's target.
struct AsiUnixField: Equatable {
  var mode: UInt16
  var owner: EntryOwner
  /// Where among the extra fields a symbolic link's target stands; empty for all else.
  var target: Range<Int>

  /// Reads the field; nil where there is none, or where its checksum does not hold.
  init?(_ extra: RawSpan) {
    guard let range = ExtraFields.find(.asiUnix, in: extra) else { return nil }
    // The CRC-32 of what follows it, mode, size of a link or number of a device, user, group, target.
    let field = extra.extracting(range)
    guard field.byteCount >= 14, let check = field.uint32(at: 0), let mode = field.uint16(at: 4),
      let user = field.uint16(at: 10), let group = field.uint16(at: 12),
      ZlibChecksum.crc32(0, field.extracting(4..<field.byteCount)) == check
    else { return nil }
    self.mode = mode
    owner = EntryOwner(user: UInt32(user), group: UInt32(group))
    let isLink = mode & 0o170000 == 0o120000
    target = (isLink ? range.lowerBound + 14 : range.upperBound)..<range.upperBound
  }
}

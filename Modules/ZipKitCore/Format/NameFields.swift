/// Info-ZIP's Unicode path and comment fields: a version, the CRC-32 of the plain text they stand for,
/// UTF-8.
enum NameFields {
  /// Where the UTF-8 of a field stands whose version is known and whose CRC fits the plain
  /// text.
  ///
  /// A CRC that does not fit means that a tool without knowledge of the field renamed the entry.
  static func unicode(_ id: ExtraFieldID, in extra: RawSpan, plain: RawSpan) -> Range<Int>? {
    guard let range = ExtraFields.find(id, in: extra), range.count > 5,
      extra.byte(at: range.lowerBound) == 1,
      extra.uint32(at: range.lowerBound + 1) == ZlibChecksum.crc32(0, plain)
    else { return nil }
    return (range.lowerBound + 5)..<range.upperBound
  }
}

/// The owner that an extra field names.
public struct EntryOwner: Hashable, Sendable {
  /// The numeric user.
  public var user: UInt32
  /// The numeric group.
  public var group: UInt32

  /// Creates an owner.
  public init(user: UInt32, group: UInt32) {
    self.user = user
    self.group = group
  }

  /// Reads fields 0x7875 (any width), 0x7855, the tails of 0x5855 and 0x000d, and 0x756e, in this order.
  init?(_ extra: RawSpan) {
    if let owner = Self.variable(extra) {
      self = owner
    } else if let range = ExtraFields.find(.unix2, in: extra), range.count >= 4 {
      self.init(pair: extra, at: range.lowerBound)
    } else if let range = ExtraFields.find(.unix1, in: extra), range.count >= 12 {
      self.init(pair: extra, at: range.lowerBound + 8)
    } else if let range = ExtraFields.find(.pkwareUnix, in: extra), range.count >= 12 {
      self.init(pair: extra, at: range.lowerBound + 8)
    } else if let field = AsiUnixField(extra) {
      self = field.owner
    } else {
      return nil
    }
  }

  private init?(pair bytes: RawSpan, at offset: Int) {
    guard let user = bytes.uint16(at: offset), let group = bytes.uint16(at: offset + 2) else {
      return nil
    }
    self.init(user: UInt32(user), group: UInt32(group))
  }

  // Version 1, then a length and a little-endian number each for user and group.
  private static func variable(_ extra: RawSpan) -> EntryOwner? {
    guard let range = ExtraFields.find(.unixOwner, in: extra) else { return nil }
    let field = extra.extracting(range)
    guard field.byte(at: 0) == 1, let userSize = field.byte(at: 1),
      let user = number(field, at: 2, width: Int(userSize)),
      let groupSize = field.byte(at: 2 + Int(userSize)),
      let group = number(field, at: 3 + Int(userSize), width: Int(groupSize))
    else { return nil }
    return EntryOwner(user: user, group: group)
  }

  private static func number(_ field: RawSpan, at offset: Int, width: Int) -> UInt32? {
    guard width > 0, width <= 8, let range = field.range(at: offset, count: width) else {
      return nil
    }
    var value: UInt64 = 0
    for index in range.reversed() { value = value << 8 | UInt64(field.byte(at: index) ?? 0) }
    return UInt32(exactly: value)
  }
}

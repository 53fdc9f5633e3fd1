/// The extra field 0x9901 of a WinZip AES entry.
public struct WinZipAESField: Hashable, Sendable {
  /// 1 for AE-1, which keeps the CRC, 2 for AE-2, which does not.
  public var version: UInt16
  /// 1, 2, 3 for keys of 128, 192, 256 bits.
  public var strength: UInt8
  /// The compression underneath.
  public var method: CompressionMethod

  /// Reads the field out of an entry's extra fields; nil where there is none or it is cut short.
  public init?(extraFields: RawSpan) {
    guard let range = ExtraFields.find(.winZipAES, in: extraFields) else { return nil }
    let field = extraFields.extracting(range)
    guard let version = field.uint16(at: 0),
      let strength = field.byte(at: 4),
      let method = field.uint16(at: 5)
    else { return nil }
    self.version = version
    self.strength = strength
    self.method = CompressionMethod(rawValue: method)
  }
}

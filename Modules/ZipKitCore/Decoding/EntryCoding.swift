/// What a decoder or cipher is told about the entry it is made for.
///
/// All of it comes from the archive and may be a lie: sizes are claims, not promises, and nothing may
/// be allocated because of them alone.
public struct EntryCoding: Sendable {
  /// How the bytes are compressed; for WinZip AES the method underneath, but ``CompressionMethod/winZipAES`` to a cipher.
  public var method: CompressionMethod
  /// The entry's general purpose flags.
  public var flags: EntryFlags
  /// Bytes of the compressed stream, without the headers and trailers of a cipher.
  public var compressedSize: UInt64
  /// Bytes that should come out; nil where that is told behind the data only.
  public var size: UInt64?
  /// The CRC-32 of those bytes as declared; 0 for AE-2.
  public var crc32: UInt32
  /// The modification time in MS-DOS form, whose high byte ZipCrypto may check a password with.
  public var dosTime: UInt16
  /// The extra fields of the central header, whole, such as they stand there.
  public var extraFields: [UInt8]
  /// The most memory one decoder may take, in bytes.
  public var memoryLimit: UInt64
  /// Threads that may work on the entry at a time, the caller's among them.
  public var threads: Int

  /// Describes an entry's coding; the defaults suit tests of a decoder alone.
  public init(
    method: CompressionMethod, flags: EntryFlags = [], compressedSize: UInt64 = 0,
    size: UInt64? = nil, crc32: UInt32 = 0, dosTime: UInt16 = 0, extraFields: [UInt8] = [],
    memoryLimit: UInt64 = 256 << 20, threads: Int = 1
  ) {
    self.method = method
    self.flags = flags
    self.compressedSize = compressedSize
    self.size = size
    self.crc32 = crc32
    self.dosTime = dosTime
    self.extraFields = extraFields
    self.memoryLimit = memoryLimit
    self.threads = threads
  }
}

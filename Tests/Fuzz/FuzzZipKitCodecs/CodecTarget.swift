import FuzzTargets
import ZipKitCodecs
import ZipKitCore

/// The decoders, each fed with bytes and held to what every one promises: it ends, gives no more than there
/// is room for, and gives the same bytes whether its input comes whole or in pieces.
enum CodecTarget: String, FuzzTarget {
  case deflate, deflate64, bzip2, lzma, xz, zstd, ppmd, shrink, implode, dcl
  case reduce1, reduce2, reduce3, reduce4
  case aes, zipcrypto, names

  /// Bytes of output that an input may claim.
  private static let most = 1 << 18

  private var method: CompressionMethod? {
    switch self {
    case .deflate: .deflated
    case .deflate64: .deflate64
    case .bzip2: .bzip2
    case .lzma: .lzma
    case .xz: .xz
    case .zstd: .zstandard
    case .ppmd: .ppmd
    case .shrink: .shrunk
    case .implode: .imploded
    case .dcl: .dclImploded
    case .reduce1: .reduced1
    case .reduce2: .reduced2
    case .reduce3: .reduced3
    case .reduce4: .reduced4
    case .aes, .zipcrypto, .names: nil
    }
  }

  func run(_ bytes: [UInt8]) {
    switch self {
    case .aes, .zipcrypto: decrypt(bytes)
    case .names: detectNames(bytes)
    default: decode(bytes)
    }
  }

  private func decode(_ bytes: [UInt8]) {
    // The first three bytes are the entry's flags and size.
    guard bytes.count >= 3, let method else { return }
    let stream = Array(bytes[3...])
    let size = Int(bytes[1]) << 8 | Int(bytes[2])
    let coding = EntryCoding(
      method: method, flags: EntryFlags(rawValue: UInt16(bytes[0]) & 6),
      compressedSize: UInt64(stream.count), size: UInt64(size), memoryLimit: 16 << 20)
    let whole = outcome(coding, stream, piece: stream.count, room: Self.most)
    let pieces = outcome(coding, stream, piece: 1 + Int(bytes[0]), room: 1 + Int(bytes[2]) * 7)
    if whole.isFinished || pieces.isFinished {
      expect(whole.isFinished == pieces.isFinished, "a stream ends in pieces as whole")
      expect(whole.output == pieces.output, "and gives the same")
    }
  }

  private func outcome(
    _ coding: EntryCoding, _ stream: [UInt8], piece: Int, room: Int
  ) -> (output: [UInt8], isFinished: Bool) {
    guard let decoder = try? DecoderRegistry.complete.decoder(for: coding) else {
      return ([], false)
    }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: room)
    var begin = 0
    var end = min(piece, stream.count)
    var idle = 0
    while output.count < Self.most {
      var made = 0
      var step: DecodeStep?
      unsafe buffer.withUnsafeMutableBytes { memory in
        var span = unsafe OutputRawSpan(buffer: memory, initializedCount: 0)
        step = try? decoder.decode(
          unsafe stream.span.bytes.extracting(begin..<end), isFinal: end == stream.count,
          into: &span)
        made = unsafe span.finalize(for: memory)
      }
      guard let step else { return (output, false) }
      expect(0...(end - begin) ~= step.consumed, "what is consumed was there")
      output += buffer[..<made]
      begin += step.consumed
      if step.isFinished { return (output, true) }
      if step.consumed == 0 && made == 0 {
        if end == stream.count { return (output, false) }
        idle += 1
        expect(idle <= stream.count, "a decoder goes on")
      }
      end = min(stream.count, max(end, begin + piece))
    }
    return (output, false)
  }

  /// The first byte is the half of a time that ZipCrypto may check, the next 19 are extra fields.
  private func decrypt(_ bytes: [UInt8]) {
    guard bytes.count > Self.cipherStart else { return }
    let coding = EntryCoding(
      method: self == .aes ? .winZipAES : .deflated, flags: .encrypted, crc32: Sample.crc32,
      dosTime: UInt16(bytes[0]) << 8,
      extraFields: self == .aes ? Array(bytes[1..<Self.cipherStart]) : [])
    let data = Array(bytes[Self.cipherStart...])
    let whole = decrypted(coding, data, piece: data.count)
    let pieces = decrypted(coding, data, piece: 1 + Int(bytes[0]))
    expect(whole.body == pieces.body, "a body is the same in pieces")
    expect(whole.isAuthentic == pieces.isAuthentic, "and as authentic")
  }

  static let cipherStart = 20

  private func decrypted(
    _ coding: EntryCoding, _ data: [UInt8], piece: Int
  ) -> (body: [UInt8]?, isAuthentic: Bool) {
    guard let cipher = try? DecoderRegistry.complete.cipher(for: coding),
      data.count >= cipher.headerSize + cipher.trailerSize,
      (try? cipher.unlock(
        header: unsafe data.span.bytes.extracting(first: cipher.headerSize),
        password: Array("ferry".utf8))) == true
    else { return (nil, false) }
    var body = Array(data[cipher.headerSize..<(data.count - cipher.trailerSize)])
    for start in stride(from: 0, to: body.count, by: max(piece, 1)) {
      var part = Array(body[start..<min(start + piece, body.count)])
      var span = part.mutableSpan
      var raw = unsafe span.mutableBytes
      cipher.decrypt(&raw)
      body.replaceSubrange(start..<(start + part.count), with: part)
    }
    let isAuthentic: Void? = try? cipher.finish(
      trailer: unsafe data.span.bytes.extracting(last: cipher.trailerSize))
    return (body, isAuthentic != nil)
  }

  private func detectNames(_ bytes: [UInt8]) {
    let names = bytes.split(separator: 10).map(Array.init)
    guard let detection = NameDetection.detect(names, host: .dos) else { return }
    for name in names {
      expect(
        detection.encoding.decode(name) != nil || name.allSatisfy { $0 < 0x80 },
        "what is detected reads every name")
    }
  }
}

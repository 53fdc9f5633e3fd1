internal import SystemIO

/// Turns the archive's bytes of one entry after the other into content, for one thread.
///
/// It keeps its buffers and decoders between entries. The size is bounded by what the directory declares:
/// one byte more ends the entry.
final class EntryReader {
  /// Entries up to this size are decoded in one piece, in bytes.
  static let wholeLimit: UInt64 = 4 << 20
  /// Compressed and decoded bytes handled at a time above that.
  static let chunkSize = 512 << 10

  let core: ArchiveCore
  /// What is tried on encrypted entries, in order.
  var passwords: [[UInt8]] = []
  /// Decoder memory and ratio are held against these.
  var limits = ExtractionLimits()
  let window: SourceWindow
  /// Decoded bytes of ``decodeWhole(_:_:)`` or of the last chunk.
  private(set) var output: [UInt8] = []
  /// What ``decodeWhole(_:_:)`` decoded: where it stands, in ``output`` or in the window's storage.
  private(set) var whole: (range: Range<Int>, isInWindow: Bool) = (0..<0, false)
  /// The local header of the current entry.
  private(set) var local: LocalHeader?
  /// The first byte behind the current entry's data.
  private(set) var dataEnd: UInt64 = 0

  private var decoders: [CompressionMethod: any EntryDecoder] = [:]
  private var decoder: (any EntryDecoder)?
  private var cipher: (any EntryCipher)?
  private var plain: [UInt8] = []
  private var plainRange = 0..<0
  private var feed: EntryFeed?
  private var offset: UInt64 = 0
  private var remaining: UInt64 = 0
  private var produced: UInt64 = 0
  private var declared: UInt64 = 0
  private var compressed: UInt64 = 0
  private var index = 0
  private var isStored = false
  /// Threads that the current entry may keep busy.
  private var threads = 1

  init(_ core: ArchiveCore) {
    self.core = core
    window = SourceWindow(core.source)
  }

  /// Reads with the passwords and limits of an extraction.
  convenience init(_ core: ArchiveCore, _ options: ExtractionOptions) {
    self.init(core)
    passwords = options.passwords
    limits = options.limits
  }

  // MARK: Starting an entry

  /// Finds an entry's data and makes its decoder ready.
  ///
  /// `threads` may share the work on the entry, where it is large.
  func begin(_ index: Int, _ header: CentralHeader, threads: Int = 1) throws(ZipError) {
    self.index = index
    self.threads = header.size >= EntryPipeline.entrySize ? threads : 1
    produced = 0
    declared = header.size
    compressed = header.compressedSize
    cipher = nil
    plainRange = 0..<0
    try locate(header)
    try checkRatio()
    var coding = EntryCoding(
      method: header.method, flags: header.flags, compressedSize: remaining, size: header.size,
      crc32: header.crc32, dosTime: header.dosTime, memoryLimit: limits.decoderMemory,
      threads: threads)
    if header.flags.contains(.encrypted) || header.method == .winZipAES {
      try unlock(&coding, header)
    }
    isStored = coding.method == .stored && cipher == nil
    do {
      try prepareDecoder(coding)
    } catch {
      throw core.error(.decoding(error, offset: offset), index)
    }
  }

  private func checkRatio() throws(ZipError) {
    do {
      try limits.checkRatio(max(declared, produced), compressed)
    } catch {
      throw core.error(error, index)
    }
  }

  private func locate(_ header: CentralHeader) throws(ZipError) {
    guard !header.lacksZip64 else { throw core.error(.zip64FieldMissing(), index) }
    guard let start = core.directory.localOffset(header) else {
      throw core.error(
        core.directory.partMissing(header) ?? .localHeaderMissing(at: header.localOffset), index)
    }
    if core.directory.split != nil, let missing = core.directory.partMissing(header, at: start) {
      throw core.error(missing, index)
    }
    let wanted = LocalHeader.fixedSize
    let range = try window.load(at: start, count: wanted)
    let bytes = window.storage
    guard let local = LocalHeader(unsafe bytes.span.bytes.extracting(range), at: 0) else {
      throw core.error(.localHeaderMissing(at: start), index)
    }
    self.local = local
    guard let data = start.adding(UInt64(local.headerSize)),
      let end = data.adding(header.compressedSize), end <= core.source.size
    else {
      throw core.error(
        .entryTruncated(header.compressedSize, archive: core.source.size, at: start), index)
    }
    offset = data
    remaining = header.compressedSize
    dataEnd = end
  }

  private func unlock(_ coding: inout EntryCoding, _ header: CentralHeader) throws(ZipError) {
    coding.extraFields = core.directory.text.bytes(core.directory.extraRange(index, header))
    let made: (any EntryCipher)?
    do {
      made =
        header.flags.contains(.strongEncryption) ? nil : try core.registry.cipher(for: coding)
    } catch {
      throw core.error(.decoding(error, offset: offset), index)
    }
    guard let cipher = made else {
      throw core.error(.encryptionUnsupported(header), index)
    }
    if let field = core.aes(index, header) { coding.method = field.method }
    let overhead = UInt64(cipher.headerSize + cipher.trailerSize)
    guard remaining >= overhead else {
      throw core.error(.cipherTruncated(remaining, needs: overhead, at: offset), index)
    }
    guard !passwords.isEmpty else { throw core.error(.passwordNeeded(), index) }
    let range = try window.load(at: offset, count: cipher.headerSize)
    let bytes = window.storage
    var isOpen = false
    do {
      for password in passwords where !isOpen {
        isOpen = try cipher.unlock(
          header: unsafe bytes.span.bytes.extracting(range), password: password)
      }
    } catch {
      throw core.error(.decoding(error, offset: offset), index)
    }
    guard isOpen else { throw core.error(.passwordWrong(), index) }
    offset += UInt64(cipher.headerSize)
    remaining -= overhead
    coding.compressedSize = remaining
    self.cipher = cipher
  }

  private func prepareDecoder(_ coding: EntryCoding) throws(DecodeError) {
    if let kept = decoders[coding.method], try kept.reset(for: coding) {
      decoder = kept
      return
    }
    guard let made = try core.registry.decoder(for: coding) else {
      let name = coding.method.name.map { " (\($0))" } ?? ""
      throw DecodeError(
        .unsupported,
        "expected a method that can be decoded, found number \(coding.method.rawValue)\(name)")
    }
    guard made.memoryNeed <= limits.decoderMemory else {
      throw DecodeError(
        .memory,
        "expected a decoder within \(limits.decoderMemory) bytes of memory, found one that needs "
          + "\(made.memoryNeed)")
    }
    decoder = made
    decoders[coding.method] = made
  }

  // MARK: Content

  /// Decodes a small entry in memory and verifies it; see ``whole``.
  func decodeWhole(_ index: Int, _ header: CentralHeader) throws(ZipError) {
    // One read for header and data, where the local extra fields are not absurdly long.
    if let start = core.directory.localOffset(header), core.directory.split == nil,
      header.compressedSize <= 2 * Self.wholeLimit
    {
      let span = LocalHeader.fixedSize + Int(header.nameLength) + 256 + Int(header.compressedSize)
      _ = try window.load(at: start, count: span)
    }
    try begin(index, header)
    if isStored {
      guard remaining == declared else {
        throw core.error(.sizeMismatch(declared, remaining), index)
      }
      whole = (try window.load(at: offset, count: Int(declared)), true)
      guard whole.range.count == Int(declared) else { throw truncated() }
      produced = declared
    } else {
      let capacity = Int(declared) + 1
      if output.count < capacity { output = [UInt8](repeating: 0, count: max(capacity, 64 << 10)) }
      whole = (0..<(try fillOutput(capacity)), false)
    }
    let bytes = whole.isInWindow ? window.storage : output
    try finish(
      crc: core.registry.checksum(0, unsafe bytes.span.bytes.extracting(whole.range)), header)
  }

  /// Calls with the bytes that ``decodeWhole(_:_:)`` left.
  func withWhole<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (range, isInWindow) = whole
    return try unsafe (isInWindow ? window.storage : output).withUnsafeBufferPointer {
      (elements) throws(Failure) in
      try unsafe body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(elements)[range]))
    }
  }

  /// Puts other bytes in the place of those that ``decodeWhole(_:_:)`` left.
  func replaceWhole(_ body: (RawSpan) -> [UInt8]) {
    let bytes = whole.isInWindow ? window.storage : output
    output = body(unsafe bytes.span.bytes.extracting(whole.range))
    whole = (0..<output.count, false)
  }

  /// Decodes an entry of any size, handing out pieces, and verifies it after the last.
  ///
  /// - Throws: What `sink` throws, or the entry's own trouble; the pieces handed out are worth nothing then.
  func stream(
    _ index: Int, _ header: CentralHeader, threads: Int = 1,
    to sink: (RawSpan) throws(ZipError) -> Void
  ) throws(ZipError) {
    try begin(index, header, threads: threads)
    try streamRest(header, to: sink)
  }

  /// Does what ``stream(_:_:threads:to:)`` does, for an entry that was begun.
  func streamRest(
    _ header: CentralHeader, to sink: (RawSpan) throws(ZipError) -> Void
  ) throws(ZipError) {
    defer { stopFeeding() }
    var crc: UInt32 = 0
    let checksum = core.registry.checksum
    func take(_ bytes: RawSpan) throws(ZipError) {
      crc = checksum(crc, bytes)
      try sink(bytes)
    }
    let isDone = threads > 1 && !isStored ? try EntryPipeline.run(self, to: take) : false
    while !isDone, let range = try nextChunk() {
      let storage = chunkStorage
      try take(unsafe storage.span.bytes.extracting(range))
    }
    try finish(crc: crc, header)
  }

  /// Decodes the next piece, at most `size` bytes, into ``chunkStorage``; nil after the last one.
  func nextChunk(_ size: Int = EntryReader.chunkSize) throws(ZipError) -> Range<Int>? {
    if isStored {
      guard remaining > 0 else { return nil }
      let count = Int(min(remaining, UInt64(size)))
      let range = try window.load(at: offset, count: count)
      guard range.count == count else { throw truncated() }
      offset += UInt64(count)
      remaining -= UInt64(count)
      produced += UInt64(count)
      guard produced <= declared else { throw core.error(.sizeMismatch(declared, produced), index) }
      return range
    }
    if output.count < size { output = [UInt8](repeating: 0, count: size) }
    let count = try fillOutput(size)
    return count > 0 ? 0..<count : nil
  }

  /// Where ``nextChunk()`` left its bytes.
  var chunkStorage: [UInt8] { isStored ? window.storage : output }

  /// Exchanges the output buffer, so that another thread may have the filled one.
  func exchangeOutput(_ other: inout [UInt8]) { swap(&output, &other) }

  /// Has another thread read and decrypt the entry that was begun, until ``stopFeeding()``.
  func feedAhead() throws(SystemError) {
    feed = try EntryFeed(core.source, offset..<(offset + remaining), cipher)
    plain = []
  }

  /// Ends what ``feedAhead()`` began.
  func stopFeeding() {
    feed?.stop()
    feed = nil
  }

  private func fillOutput(_ capacity: Int) throws(ZipError) -> Int {
    try unsafe output.withUnsafeMutableBufferPointer { (elements) throws(ZipError) in
      // Safety: the span lives inside this closure, over memory the array holds.
      let raw = unsafe UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(elements)[..<capacity])
      var span = unsafe OutputRawSpan(buffer: raw, initializedCount: 0)
      try fill(&span)
      return unsafe span.finalize(for: raw)
    }
  }

  /// Decodes until the output is full or the stream ends.
  private func fill(_ output: inout OutputRawSpan) throws(ZipError) {
    while let decoder, output.freeCapacity > 0 {
      let before = output.byteCount
      let step: DecodeStep
      let given: Int
      let isFinal: Bool
      if cipher != nil || feed != nil {
        if plainRange.isEmpty { try nextPlain() }
        let bytes = plain
        given = plainRange.count
        isFinal = UInt64(given) == remaining
        step = try decode(decoder, unsafe bytes.span.bytes.extracting(plainRange), isFinal, &output)
        plainRange = (plainRange.lowerBound + min(step.consumed, given))..<plainRange.upperBound
      } else {
        let range = try loadMore()
        let bytes = window.storage
        given = range.count
        isFinal = UInt64(given) == remaining
        step = try decode(decoder, unsafe bytes.span.bytes.extracting(range), isFinal, &output)
      }
      let consumed = min(max(step.consumed, 0), given)
      offset += UInt64(consumed)
      remaining -= UInt64(consumed)
      let made = output.byteCount - before
      produced += UInt64(made)
      if produced > declared { try extendDeclared() }
      if step.isFinished {
        self.decoder = nil
      } else if consumed == 0, made == 0 {
        throw isFinal ? truncated() : core.error(.decoderStuck(at: offset), index)
      }
    }
  }

  // A size that is known modulo 4 GiB may be any that the compressed bytes can hold.
  private func extendDeclared() throws(ZipError) {
    let (most, isHuge) = compressed.multipliedReportingOverflow(by: 1032)
    if core.directory.isModulo, declared > Self.wholeLimit {
      while produced > declared, isHuge || declared < most { declared += 1 << 32 }
      try checkRatio()
    }
    guard produced <= declared else {
      throw core.error(.sizeExceeded(declared, at: offset), index)
    }
  }

  // Whatever is in the window serves, unless it is a scrap: a read in the middle of the window would
  // fetch its rest twice.
  private func loadMore() throws(ZipError) -> Range<Int> {
    let count =
      remaining <= 2 * Self.wholeLimit && produced == 0
      ? Int(remaining) : Int(min(remaining, UInt64(Self.chunkSize)))
    let range = try window.load(
      at: offset, count: count, enough: produced == 0 ? nil : min(count, 16 << 10))
    guard !range.isEmpty || remaining == 0 else { throw truncated() }
    return range
  }

  /// Brings the next bytes for the decoder into ``plain``.
  private func nextPlain() throws(ZipError) {
    if let feed {
      plainRange = 0..<(try feed.exchange(&plain))
      return
    }
    guard let cipher else { return }
    let whole = declared <= Self.wholeLimit && remaining <= 2 * Self.wholeLimit
    let count = whole ? Int(remaining) : Int(min(remaining, UInt64(Self.chunkSize)))
    let range = try window.load(at: offset, count: count)
    guard range.count == count else { throw truncated() }
    if plain.count < count { plain = [UInt8](repeating: 0, count: max(count, Self.chunkSize)) }
    plain.replaceSubrange(0..<count, with: window.storage[range])
    unsafe plain.withUnsafeMutableBytes { all in
      // Safety: the span lives inside this closure, over memory the array holds.
      var part = unsafe UnsafeMutableRawBufferPointer(rebasing: all[..<count]).mutableBytes
      cipher.decrypt(&part)
    }
    plainRange = 0..<count
  }

  private func decode(
    _ decoder: any EntryDecoder, _ input: RawSpan, _ isFinal: Bool, _ output: inout OutputRawSpan
  ) throws(ZipError) -> DecodeStep {
    do {
      return try decoder.decode(input, isFinal: isFinal, into: &output)
    } catch {
      throw core.error(.decoding(error, offset: offset), index)
    }
  }

  // MARK: Ending an entry

  /// Holds the content against what the directory and the cipher say.
  func finish(crc: UInt32, _ header: CentralHeader) throws(ZipError) {
    guard produced == declared else {
      throw core.error(.sizeMismatch(declared, produced), index)
    }
    if let cipher {
      try finish(cipher)
      if cipher.replacesChecksum, header.crc32 == 0 { return }
    }
    guard crc == header.crc32 else {
      throw core.error(.crcMismatch(header.crc32, found: crc), index)
    }
  }

  private func finish(_ cipher: any EntryCipher) throws(ZipError) {
    // The code is over all encrypted bytes, also those that the decoder had no use for.
    offset += UInt64(plainRange.count)
    remaining -= UInt64(plainRange.count)
    plainRange = 0..<0
    while remaining > 0 {
      try nextPlain()
      guard !plainRange.isEmpty else { throw truncated() }
      offset += UInt64(plainRange.count)
      remaining -= UInt64(plainRange.count)
    }
    stopFeeding()
    let range = try window.load(at: offset, count: cipher.trailerSize)
    guard range.count == cipher.trailerSize else { throw truncated() }
    let bytes = window.storage
    do {
      try cipher.finish(trailer: unsafe bytes.span.bytes.extracting(range))
    } catch {
      throw core.error(.decoding(error, offset: offset), index)
    }
  }

  private func truncated() -> ZipError { core.error(.dataTruncated(at: offset), index) }
}

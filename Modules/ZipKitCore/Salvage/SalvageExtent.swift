/// How far the data of one entry go, and who says so.
struct SalvageExtent {
  var crc32: UInt32
  var compressedSize: UInt64
  var size: UInt64
  var origin: ArchiveSalvage.Origin
  /// Where the search for the next record goes on.
  var next: UInt64
}

/// Finds the extent of an entry whose local header stands at a known place.
///
/// Sizes that a header declares are believed when a record follows where they say, or when the content
/// decodes to its checksum. Where none are declared, the data themselves tell: the decoder by its end mark,
/// or a data descriptor by the distance it counts.
struct SalvageExtentFinder {
  /// Sizes are found by decoding or searching for so many times the source's bytes at the most, as
  /// headers may be made to send a reader over the same bytes again and again.
  private static let effort: UInt64 = 8
  /// What beginning to decode or to search costs, in bytes.
  private static let attempt: UInt64 = 64 << 10
  /// What a look at a record costs, in bytes.
  private static let look: UInt64 = 512

  let source: any ArchiveSource
  let registry: DecoderRegistry
  let memoryLimit: UInt64
  let check: () throws(ZipError) -> Void
  private let search: RecordSearch
  private let data: SourceWindow
  private var budget: UInt64
  private var output: [UInt8] = []

  init(
    _ source: any ArchiveSource, _ registry: DecoderRegistry, memoryLimit: UInt64,
    check: @escaping () throws(ZipError) -> Void
  ) {
    self.source = source
    self.registry = registry
    self.memoryLimit = memoryLimit
    self.check = check
    search = RecordSearch(source)
    data = SourceWindow(source)
    budget = (source.size.multipliedReportingOverflow(by: Self.effort).partialValue)
    budget = budget.adding(64 << 20) ?? .max
  }

  private mutating func spend(_ count: UInt64) throws(ZipError) -> Bool {
    try check()
    guard budget > count else {
      budget = 0
      return false
    }
    budget -= count
    return true
  }

  /// Finds the extent.
  ///
  /// - Parameters:
  ///   - local: The header, its Zip64 field applied.
  ///   - start: The first byte of the data.
  ///   - known: The central header of the entry, where there is one.
  /// - Returns: The best guess; its end is the data's first byte where it is not settled.
  /// - Throws: What the source throws; `cancelled`.
  mutating func find(
    _ local: LocalHeader, dataAt start: UInt64, known: CentralHeader?
  ) throws(ZipError) -> SalvageExtent {
    if let known, known.method == local.method, !known.lacksZip64 {
      var header = known
      header.flags = local.flags
      return try declared(header, dataAt: start, .directory)
    }
    // Writers of streams may know some of these beforehand.
    let hasSizes = local.crc32 != 0 && local.compressedSize != 0
    if hasSizes || !local.flags.contains(.dataDescriptor) {
      return try declared(CentralHeader(local, at: 0), dataAt: start, .localHeader)
    }
    if !local.flags.contains(.encrypted), local.method != .stored,
      let extent = try decoded(local, dataAt: start)
    {
      return extent
    }
    return try described(local, dataAt: start)
  }

  // MARK: Declared sizes

  private mutating func declared(
    _ header: CentralHeader, dataAt start: UInt64, _ origin: ArchiveSalvage.Origin
  ) throws(ZipError) -> SalvageExtent {
    var extent = SalvageExtent(
      crc32: header.crc32, compressedSize: header.compressedSize, size: header.size,
      origin: origin, next: start)
    guard let end = start.adding(header.compressedSize), end <= source.size else {
      return extent
    }
    if header.flags.contains(.dataDescriptor) {
      let bytes = try search.bytes(at: end, count: DataDescriptor.maximumSize)
      if let form = DataDescriptor.matching(
        unsafe bytes.span.bytes, crc32: header.crc32, compressedSize: header.compressedSize,
        size: header.size)
      {
        extent.next = end + UInt64(form.length)
        return extent
      }
    }
    if try search.isBoundary(end) {
      extent.next = end
    } else if try isVerified(header, dataAt: start) {
      extent.next = end
    }
    return extent
  }

  /// Whether the bytes decode to the declared size and checksum.
  private mutating func isVerified(
    _ header: CentralHeader, dataAt start: UInt64
  ) throws(ZipError) -> Bool {
    guard !header.flags.contains(.encrypted),
      let found = try decode(
        header.method, header.flags, dataAt: start, count: header.compressedSize,
        size: header.size)
    else { return false }
    return found.isFinished && found.size == header.size && found.crc32 == header.crc32
  }

  // MARK: Decoding to the end mark

  private mutating func decoded(
    _ local: LocalHeader, dataAt start: UInt64
  ) throws(ZipError) -> SalvageExtent? {
    guard
      let found = try decode(
        local.method, local.flags, dataAt: start, count: source.size - min(start, source.size),
        size: nil)
    else { return nil }
    // Without a descriptor there is no checksum, and what the header says, 0, does not hold.
    var extent = SalvageExtent(
      crc32: 0, compressedSize: found.consumed, size: found.size, origin: .inferred,
      next: start)
    guard found.isFinished else {
      // The source ends before the data: nothing can follow.
      extent.next = source.size
      return extent
    }
    let end = start + found.consumed
    let bytes = try search.bytes(at: end, count: DataDescriptor.maximumSize)
    extent.next = end
    if let form = DataDescriptor.matching(
      unsafe bytes.span.bytes, crc32: found.crc32, compressedSize: found.consumed,
      size: found.size)
    {
      extent.crc32 = form.crc32
      extent.origin = .descriptor
      extent.next = end + UInt64(form.length)
    }
    return extent
  }

  private struct Decoded {
    var consumed: UInt64 = 0
    var size: UInt64 = 0
    var crc32: UInt32 = 0
    var isFinished = false
  }

  /// Decodes and counts; nil for damaged data, and for methods without a decoder.
  private mutating func decode(
    _ method: CompressionMethod, _ flags: EntryFlags, dataAt start: UInt64, count: UInt64,
    size: UInt64?
  ) throws(ZipError) -> Decoded? {
    let coding = EntryCoding(
      method: method, flags: flags, compressedSize: size == nil ? 0 : count, size: size,
      memoryLimit: memoryLimit)
    guard try spend(Self.attempt) else { return nil }
    guard let decoder = try? registry.decoder(for: coding), decoder.memoryNeed <= memoryLimit
    else { return nil }
    var result = Decoded()
    if output.isEmpty { output = [UInt8](repeating: 0, count: EntryReader.chunkSize) }
    while !result.isFinished {
      let left = count - result.consumed
      let range = try data.load(
        at: start + result.consumed, count: Int(min(left, UInt64(EntryReader.chunkSize))),
        enough: Int(min(left, 4096)))
      let bytes = data.storage
      let isFinal = UInt64(range.count) == left
      guard
        let step = Self.step(
          decoder, unsafe bytes.span.bytes.extracting(range), isFinal, &output)
      else { return nil }
      result.crc32 = unsafe registry.checksum(
        result.crc32, output.span.bytes.extracting(0..<step.made))
      result.size += UInt64(step.made)
      result.consumed += UInt64(step.consumed)
      result.isFinished = step.isFinished
      // What the declared size does not bound is bounded by the effort.
      guard try spend(UInt64(max(step.consumed, step.made / 8, 1))) else { return nil }
      if let size, result.size > size { return nil }
      if !step.isFinished, step.consumed == 0, step.made == 0 {
        return isFinal ? result : nil
      }
    }
    return result
  }

  private static func step(
    _ decoder: any EntryDecoder, _ input: RawSpan, _ isFinal: Bool, _ output: inout [UInt8]
  ) -> (consumed: Int, made: Int, isFinished: Bool)? {
    unsafe output.withUnsafeMutableBytes { raw in
      // Safety: the span lives inside this closure, over memory the array holds.
      var span = unsafe OutputRawSpan(buffer: raw, initializedCount: 0)
      guard let step = try? decoder.decode(input, isFinal: isFinal, into: &span) else {
        return nil
      }
      let made = unsafe span.finalize(for: raw)
      return (min(max(step.consumed, 0), input.byteCount), made, step.isFinished)
    }
  }

  // MARK: Descriptors

  /// Searches for a descriptor that counts the distance to where it stands.
  private mutating func described(
    _ local: LocalHeader, dataAt start: UInt64
  ) throws(ZipError) -> SalvageExtent {
    var extent = SalvageExtent(
      crc32: 0, compressedSize: source.size - min(start, source.size), size: 0,
      origin: .inferred, next: start)
    let isPlain = local.method == .stored && !local.flags.contains(.encrypted)
    if isPlain { extent.size = extent.compressedSize }
    guard try spend(Self.attempt) else { return extent }
    var crc = RunningChecksum(source, registry, from: start)
    var position = start
    while let (place, signature) = try search.next(from: position) {
      guard try spend(place - position + Self.look) else { break }
      position = place + 4
      if signature == DataDescriptor.signature {
        let bytes = try search.bytes(at: place, count: DataDescriptor.maximumSize)
        let forms = DataDescriptor.forms(unsafe bytes.span.bytes).filter { $0.length % 8 == 0 }
        if let form = try matching(forms, place - start, isPlain, &crc, at: place) {
          return Self.described(form, at: place)
        }
        continue
      }
      guard signature == LocalHeader.signature || signature == CentralHeader.signature else {
        continue
      }
      // An empty entry may do without any.
      if place == start, isPlain {
        extent.compressedSize = 0
        extent.size = 0
        extent.next = start
        return extent
      }
      for length in [UInt64(12), 20] where place - start >= length {
        let bytes = try search.bytes(at: place - length, count: Int(length))
        let forms = DataDescriptor.forms(unsafe bytes.span.bytes)
          .filter { $0.length == Int(length) }
        let distance = place - length - start
        if let form = try matching(forms, distance, isPlain, &crc, at: place - length) {
          return Self.described(form, at: place - length)
        }
      }
    }
    return extent
  }

  private static func described(_ form: DataDescriptor, at place: UInt64) -> SalvageExtent {
    SalvageExtent(
      crc32: form.crc32, compressedSize: form.compressedSize, size: form.size,
      origin: .descriptor, next: place + UInt64(form.length))
  }

  // A descriptor is easily forged in stored data, its checksum of all that stands before it is not.
  private mutating func matching(
    _ forms: [DataDescriptor], _ distance: UInt64, _ isPlain: Bool,
    _ crc: inout RunningChecksum, at place: UInt64
  ) throws(ZipError) -> DataDescriptor? {
    for form in forms where form.compressedSize == distance {
      if !isPlain { return form }
      guard form.size == distance, try spend(distance - min(distance, crc.count)) else {
        continue
      }
      if try crc.value(upTo: place) == form.crc32 { return form }
    }
    return nil
  }
}

/// The CRC-32 of a source's bytes from one place to others ever farther on.
private struct RunningChecksum {
  private let source: any ArchiveSource
  private let registry: DecoderRegistry
  private let start: UInt64
  private(set) var count: UInt64 = 0
  private var crc: UInt32 = 0

  init(_ source: any ArchiveSource, _ registry: DecoderRegistry, from start: UInt64) {
    self.source = source
    self.registry = registry
    self.start = start
  }

  /// The checksum up to a place; nil for places before the last one.
  mutating func value(upTo end: UInt64) throws(ZipError) -> UInt32? {
    guard end >= start + count else { return nil }
    while start + count < end {
      let piece = Int(min(end - start - count, UInt64(EntryReader.chunkSize)))
      let bytes = try source.bytes(at: start + count, count: piece)
      guard bytes.count == piece else { return nil }
      crc = registry.checksum(crc, unsafe bytes.span.bytes)
      count += UInt64(piece)
    }
    return crc
  }
}

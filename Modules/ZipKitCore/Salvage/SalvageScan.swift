/// A walk over all of a source that collects what is left of an archive.
struct SalvageScan {
  /// An entry by its local header.
  struct Found {
    var offset: UInt64
    var local: LocalHeader
    var name: [UInt8]
    var extra: [UInt8]
    var dataStart: UInt64
    var extent: SalvageExtent

    /// Whether a place is among data whose extent is settled.
    func holds(_ place: UInt64) -> Bool { dataStart <= place && place < extent.next }
  }

  /// A central header, wherever it stands.
  struct Central {
    var header: CentralHeader
    var name: [UInt8]
    var extra: [UInt8]
    var comment: [UInt8]
  }

  private(set) var found: [Found] = []
  private(set) var centrals: [Central] = []
  /// Bytes that belong to no record and no entry.
  private(set) var gaps: [Range<UInt64>] = []

  private let source: any ArchiveSource
  private let search: RecordSearch
  /// Where the directory has its local headers, in order.
  private var knownPlaces: [UInt64] = []
  private let pass: (UInt64) throws(ZipError) -> Void
  private var finder: SalvageExtentFinder

  init(
    _ source: any ArchiveSource, _ finder: SalvageExtentFinder,
    pass: @escaping (UInt64) throws(ZipError) -> Void
  ) {
    self.source = source
    self.finder = finder
    self.pass = pass
    search = RecordSearch(source)
  }

  /// Walks over the source.
  ///
  /// - Parameter known: Central headers by the offsets of their local ones, where a directory was found.
  /// - Throws: What the source throws; `cancelled`.
  mutating func run(known: [UInt64: CentralHeader]) throws(ZipError) {
    knownPlaces = known.keys.sorted()
    var position: UInt64 = 0
    // What is behind here belongs to something.
    var accounted: UInt64 = 0
    while let (place, signature) = try search.next(from: position, pass: pass) {
      guard let next = try take(place, signature, known) else {
        position = place + 4
        continue
      }
      if place > accounted { gaps.append(accounted..<place) }
      accounted = max(accounted, min(next.end, source.size))
      position = max(next.search, place + 4)
      try pass(min(position, source.size) - place)
    }
    if source.size > accounted { gaps.append(accounted..<source.size) }
  }

  /// Where a record ends, and where to look for the next one; nil where it is none after all.
  private mutating func take(
    _ place: UInt64, _ signature: UInt32, _ known: [UInt64: CentralHeader]
  ) throws(ZipError) -> (end: UInt64, search: UInt64)? {
    switch signature {
    case LocalHeader.signature:
      guard let entry = try local(place, known) else { return nil }
      found.append(entry)
      let end = entry.dataStart.adding(entry.extent.compressedSize) ?? .max
      return (max(end, entry.extent.next), entry.extent.next)
    case CentralHeader.signature:
      guard let end = try central(place) else { return nil }
      return (end, end)
    case EndRecord.signature:
      let bytes = try search.bytes(at: place, count: EndRecord.fixedSize)
      guard let record = EndRecord(unsafe bytes.span.bytes, at: 0) else { return nil }
      let end = place + UInt64(EndRecord.fixedSize)
      return (end + UInt64(record.commentLength), place + 4)
    // Nothing vouches for these two; a signature that stands there by chance must not hide an entry.
    case Zip64EndRecord.signature: return (place + UInt64(Zip64EndRecord.fixedSize), place + 4)
    case Zip64Locator.signature: return (place + UInt64(Zip64Locator.size), place + 4)
    default:
      return nil
    }
  }

  private mutating func local(
    _ place: UInt64, _ known: [UInt64: CentralHeader]
  ) throws(ZipError) -> Found? {
    let listed = known[place]
    let fixed = try search.bytes(at: place, count: LocalHeader.fixedSize)
    guard var local = LocalHeader(unsafe fixed.span.bytes, at: 0),
      let start = place.adding(UInt64(local.headerSize)), start <= source.size
    else { return nil }
    let rest = try search.bytes(
      at: place + UInt64(LocalHeader.fixedSize),
      count: Int(local.nameLength) + Int(local.extraLength))
    guard rest.count == Int(local.nameLength) + Int(local.extraLength) else { return nil }
    let name = Array(rest[..<Int(local.nameLength)])
    let extra = Array(rest[Int(local.nameLength)...])
    // Within other entries' bytes a signature may stand by chance, a name hardly.
    guard listed != nil || !name.isEmpty && !name.contains(0) && hidden(place, start) == nil else {
      return nil
    }
    local.applyZip64(unsafe extra.span.bytes)
    var extent = try finder.find(local, dataAt: start, known: listed)
    // What the directory lists goes before the rest of what was replaced, say; but an archive in the archive, whose
    // entries stand wholly within, is one entry.
    if listed == nil, let next = hidden(place, extent.next), let size = known[next]?.compressedSize,
      extent.next - next < size.adding(UInt64(LocalHeader.fixedSize)) ?? .max,
      try search.isLocalHeader(next)
    {
      extent.next = next
    }
    return Found(
      offset: place, local: local, name: name, extra: extra, dataStart: start, extent: extent)
  }

  private mutating func central(_ place: UInt64) throws(ZipError) -> UInt64? {
    let fixed = try search.bytes(at: place, count: CentralHeader.fixedSize)
    let span = unsafe fixed.span.bytes
    guard let name = span.uint16(at: 28), let extra = span.uint16(at: 30),
      let comment = span.uint16(at: 32)
    else { return nil }
    let count = CentralHeader.fixedSize + Int(name) + Int(extra) + Int(comment)
    let bytes = try search.bytes(at: place, count: count)
    guard bytes.count == count, let header = CentralHeader(unsafe bytes.span.bytes, at: 0),
      hidden(place, place + UInt64(count)) == nil
    else { return nil }
    let nameEnd = CentralHeader.fixedSize + Int(name)
    centrals.append(
      Central(
        header: header, name: Array(bytes[CentralHeader.fixedSize..<nameEnd]),
        extra: Array(bytes[nameEnd..<(nameEnd + Int(extra))]),
        comment: Array(bytes[(nameEnd + Int(extra))...])))
    return place + UInt64(count)
  }

  /// The first place behind `start` and before `end` where the directory has a local header.
  private func hidden(_ start: UInt64, _ end: UInt64) -> UInt64? {
    var (low, high) = (0, knownPlaces.count)
    while low < high {
      let middle = (low + high) / 2
      if knownPlaces[middle] <= start { low = middle + 1 } else { high = middle }
    }
    return low < knownPlaces.count && knownPlaces[low] < end ? knownPlaces[low] : nil
  }
}

/// An archive taken apart for mutation, and put together again: what it says of places and counts is then
/// true again, or left as it was.
struct ArchiveModel {
  /// A central header and what belongs to it.
  struct Central {
    /// The 46 bytes that every header has.
    var fixed: [UInt8]
    var name: [UInt8]
    var extra: [UInt8]
    var comment: [UInt8]
    /// The number of its local header's segment.
    var segment: Int?
  }

  var prefix: [UInt8]
  /// Local headers, each with all that follows it up to the next.
  var segments: [[UInt8]]
  var centrals: [Central]
  /// The end records and all behind the directory.
  var tail: [UInt8]
  /// Whether offsets count the prefix.
  private var countsPrefix: Bool

  /// Takes an archive apart; nil where no directory is found.
  init?(_ bytes: [UInt8]) {
    guard let end = Self.last([0x50, 0x4b, 5, 6], in: bytes), end + 22 <= bytes.count,
      let first = Self.directory(bytes, end)
    else { return nil }
    var centrals: [(Central, offset: Int)] = []
    var place = first
    while place + 46 <= end, bytes[place..<(place + 4)].elementsEqual([0x50, 0x4b, 1, 2]) {
      let name = place + 46
      let extra = name + bytes.number(place + 28, 2)
      let comment = extra + bytes.number(place + 30, 2)
      let next = comment + bytes.number(place + 32, 2)
      guard next <= end else { break }
      let central = Central(
        fixed: Array(bytes[place..<name]), name: Array(bytes[name..<extra]),
        extra: Array(bytes[extra..<comment]), comment: Array(bytes[comment..<next]))
      centrals.append((central, bytes.number(place + 42, 4)))
      place = next
    }
    guard !centrals.isEmpty else { return nil }
    // Offsets may leave out what is in front of the archive.
    func isLocal(_ offset: Int) -> Bool {
      offset >= 0 && offset + 30 <= first
        && bytes[offset..<(offset + 4)].elementsEqual([0x50, 0x4b, 3, 4])
    }
    let shift = centrals.contains { isLocal($0.offset) } ? 0 : first - bytes.number(end + 16, 4)
    countsPrefix = shift == 0
    let starts = Set(centrals.map { $0.offset + shift }.filter(isLocal)).sorted()
    prefix = Array(bytes[..<(starts.first ?? first)])
    segments = starts.enumerated().map { number, start in
      Array(bytes[start..<(number + 1 < starts.count ? starts[number + 1] : first)])
    }
    self.centrals = centrals.map { central, offset in
      var central = central
      central.segment = starts.firstIndex(of: offset + shift)
      return central
    }
    tail = Array(bytes[place...])
  }

  private static func directory(_ bytes: [UInt8], _ end: Int) -> Int? {
    let size = bytes.number(end + 12, 4)
    for place in [end - size, bytes.number(end + 16, 4)] where place >= 0 && place + 46 <= end {
      if bytes[place..<(place + 4)].elementsEqual([0x50, 0x4b, 1, 2]) { return place }
    }
    return bytes.indices.dropLast(46).first {
      bytes[$0..<($0 + 4)].elementsEqual([0x50, 0x4b, 1, 2])
    }
  }

  private static func last(_ pattern: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= pattern.count else { return nil }
    return (0...(bytes.count - pattern.count)).last {
      bytes[$0..<($0 + pattern.count)].elementsEqual(pattern)
    }
  }

  /// The archive again; honest about places, lengths and counts, or as it was about those in end records.
  func bytes(isHonest: Bool) -> [UInt8] {
    var result = prefix
    let base = countsPrefix ? 0 : prefix.count
    var starts: [Int] = []
    for segment in segments {
      starts.append(result.count - base)
      result += segment
    }
    let directory = result.count
    for central in centrals {
      var fixed = central.fixed
      fixed.put(central.name.count, at: 28, 2)
      fixed.put(central.extra.count, at: 30, 2)
      fixed.put(central.comment.count, at: 32, 2)
      if let segment = central.segment, fixed.number(42, 4) != 0xffff_ffff {
        fixed.put(starts[segment], at: 42, 4)
      }
      result += fixed + central.name + central.extra + central.comment
    }
    var tail = tail
    if isHonest { tell(&tail, directory, result.count, base) }
    return result + tail
  }

  private func tell(_ tail: inout [UInt8], _ directory: Int, _ end: Int, _ base: Int) {
    if tail.starts(with: [0x50, 0x4b, 6, 6]), tail.count >= 56 + 20 {
      tail.put(centrals.count, at: 24, 8)
      tail.put(centrals.count, at: 32, 8)
      tail.put(end - directory, at: 40, 8)
      tail.put(directory - base, at: 48, 8)
      if tail[56..<60].elementsEqual([0x50, 0x4b, 6, 7]) { tail.put(end - base, at: 64, 8) }
      return
    }
    guard let record = Self.last([0x50, 0x4b, 5, 6], in: tail), record + 22 <= tail.count else {
      return
    }
    tail.put(centrals.count, at: record + 8, 2)
    tail.put(centrals.count, at: record + 10, 2)
    tail.put(end - directory, at: record + 12, 4)
    tail.put(directory - base, at: record + 16, 4)
  }

  /// Where in a segment its name begins and its data do.
  func local(_ segment: Int) -> (name: Range<Int>, data: Int)? {
    let bytes = segments[segment]
    let name = 30 + bytes.number(26, 2)
    let data = name + bytes.number(28, 2)
    return data <= bytes.count ? (30..<name, data) : nil
  }
}

extension [UInt8] {
  /// A little-endian number; zeros where the bytes end.
  func number(_ place: Int, _ width: Int) -> Int {
    (0..<width).reduce(0) { value, byte in
      place + byte < count ? value | Int(self[place + byte]) << (8 * byte) : value
    }
  }

  /// Overwrites bytes with a little-endian number.
  mutating func put(_ value: Int, at place: Int, _ width: Int) {
    for byte in 0..<width where place + byte < count {
      self[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte))
    }
  }
}

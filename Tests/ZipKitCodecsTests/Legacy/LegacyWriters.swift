// Small writers of the methods of PKZIP 1, as no tool here makes such streams. They are plain and not
// good at compressing, but use every feature of the format.

/// Writes shrunk data (APPNOTE 5.1): LZW with longer codes and partial clears.
func shrink(_ plain: [UInt8]) -> [UInt8] {
  var writer = BitWriter()
  // Code of the string that a code and a byte make.
  var strings: [Int: Int] = [:]
  var parents = [Int?](repeating: nil, count: 1 << 13)
  var keys = [Int?](repeating: nil, count: 1 << 13)
  var size = 9
  var last = 256
  var current: Int?
  for byte in plain {
    guard let code = current else {
      current = Int(byte)
      continue
    }
    let key = code << 8 | Int(byte)
    if let longer = strings[key] {
      current = longer
      continue
    }
    while code >= 1 << size {
      writer.write(256, size)
      writer.write(1, size)
      size += 1
    }
    writer.write(code, size)
    func firstFree() -> Int {
      var free = last + 1
      while free < 1 << 13, parents[free] != nil { free += 1 }
      return free
    }
    var free = firstFree()
    if free == 1 << 13 {
      writer.write(256, size)
      writer.write(2, size)
      let inUse = Set(parents.compactMap { $0 })
      for code in 257..<(1 << 13) where !inUse.contains(code) {
        if let key = keys[code] { strings[key] = nil }
        parents[code] = nil
        keys[code] = nil
      }
      last = 256
      free = firstFree()
    }
    last = free
    // The reader builds on the code just written, even if the clear took it; such a string is not used.
    let isSound = code < 256 || parents[code] != nil
    parents[free] = code
    if isSound {
      strings[key] = free
      keys[free] = key
    }
    current = Int(byte)
  }
  if let code = current {
    while code >= 1 << size {
      writer.write(256, size)
      writer.write(1, size)
      size += 1
    }
    writer.write(code, size)
  }
  return writer.bytes
}

/// A repeat of bytes in what was written, or one byte.
enum Item {
  case byte(UInt8)
  case match(distance: Int, length: Int)
}

/// Cuts bytes into items, matches being the longest that a search by the next three bytes finds.
func items(of plain: [UInt8], reach: Int, longest: Int) -> [Item] {
  var items: [Item] = []
  var places: [Int: Int] = [:]
  var index = 0
  while index < plain.count {
    var length = 0
    var distance = 0
    if index + 3 <= plain.count {
      let key = Int(plain[index]) | Int(plain[index + 1]) << 8 | Int(plain[index + 2]) << 16
      if let place = places[key], index - place <= reach {
        distance = index - place
        while length < longest, index + length < plain.count,
          plain[place + length] == plain[index + length]
        { length += 1 }
      }
      places[key] = index
    }
    if length >= 4 {
      items.append(.match(distance: distance, length: length))
      index += length
    } else {
      items.append(.byte(plain[index]))
      index += 1
    }
  }
  return items
}

/// Writes reduced data (APPNOTE 5.2) with a factor of 1 to 4.
func reduce(_ plain: [UInt8], factor: Int) -> [UInt8] {
  let mask = 0xFF >> factor
  var coded: [UInt8] = []
  for item in items(of: plain, reach: 1 << (8 + factor), longest: mask + 255 + 3) {
    switch item {
    case .byte(144): coded += [144, 0]
    case .byte(let byte): coded.append(byte)
    case .match(let distance, let length):
      let over = length - 3
      let high = ((distance - 1) >> 8) << (8 - factor)
      let first = high | min(over, mask)
      // A value of 0 would stand for the escape itself; four bytes at least make a length of 1.
      precondition(first != 0)
      coded += [144, UInt8(first)]
      if over >= mask { coded.append(UInt8(over - mask)) }
      coded.append(UInt8((distance - 1) & 0xFF))
    }
  }
  return follow(coded)
}

/// Writes bytes by the sets of those that follow each byte most often.
private func follow(_ coded: [UInt8]) -> [UInt8] {
  var counts = [[UInt8: Int]](repeating: [:], count: 256)
  var last: UInt8 = 0
  for byte in coded {
    counts[Int(last)][byte, default: 0] += 1
    last = byte
  }
  // Sets of different sizes, none among them.
  let sets = counts.enumerated().map { index, followers in
    Array(
      followers.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(index % 33).map(\.key))
  }
  var writer = BitWriter()
  for set in sets.reversed() {
    writer.write(set.count, 6)
    for byte in set { writer.write(Int(byte), 8) }
  }
  last = 0
  for byte in coded {
    let set = sets[Int(last)]
    if set.isEmpty {
      writer.write(Int(byte), 8)
    } else if let index = set.firstIndex(of: byte) {
      writer.write(0, 1)
      var bits = 1
      while 1 << bits < set.count { bits += 1 }
      writer.write(index, bits)
    } else {
      writer.write(1, 1)
      writer.write(Int(byte), 8)
    }
    last = byte
  }
  return writer.bytes
}

/// Writes imploded data (APPNOTE 5.3) with trees of two code lengths each.
func implode(
  _ plain: [UInt8], hasLiteralTree: Bool, hasLargeWindow: Bool, shortest: Int? = nil
) -> [UInt8] {
  var writer = BitWriter()
  // Half of the symbols have codes one bit shorter than the other half, as far as that fills the tree.
  func tree(_ symbols: Int, _ bits: Int) -> [(code: Int, length: Int)] {
    let short = symbols / 4
    let lengths = (0..<symbols).map {
      $0 < short ? bits - 1 : $0 < symbols - short * 2 ? bits : bits + 1
    }
    var runs: [(length: Int, count: Int)] = []
    for length in lengths {
      if let run = runs.last, run.length == length, run.count < 16 {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((length, 1))
      }
    }
    writer.write(runs.count - 1, 8)
    for run in runs {
      writer.write(run.length - 1, 4)
      writer.write(run.count - 1, 4)
    }
    var code = 0
    var previous = 0
    return lengths.map { length in
      code <<= length - previous
      previous = length
      defer { code += 1 }
      return (code ^ (1 << length - 1), length)
    }
  }
  let literals = hasLiteralTree ? tree(256, 8) : []
  let lengths = tree(64, 6)
  let distances = tree(64, 6)
  let low = hasLargeWindow ? 7 : 6
  let least = shortest ?? (hasLiteralTree ? 3 : 2)
  for item in items(of: plain, reach: 64 << low, longest: 63 + 255 + least) {
    switch item {
    case .byte(let byte):
      writer.write(1, 1)
      if hasLiteralTree {
        writer.writeCode(literals[Int(byte)].code, literals[Int(byte)].length)
      } else {
        writer.write(Int(byte), 8)
      }
    case .match(let distance, let length):
      writer.write(0, 1)
      writer.write((distance - 1) & (1 << low - 1), low)
      let high = distances[(distance - 1) >> low]
      writer.writeCode(high.code, high.length)
      let over = length - least
      let code = lengths[min(over, 63)]
      writer.writeCode(code.code, code.length)
      if over >= 63 { writer.write(over - 63, 8) }
    }
  }
  return writer.bytes
}

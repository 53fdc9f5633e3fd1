import FuzzTargets

// Changes that keep an archive one, so that mutants reach what is behind the parser.
extension ArchiveModel {
  private static let names = [
    "a", "b", "d/", "d/a", "d/b", "D/A", "A", "l", "l/a", "l/", "x", "../x", "/x", "..", ".", "",
    "d/../a", "./a", "a/", "a//b", "C:\\a", "..\\a", "a\\b", "a\0b", "a\u{1}b", "é", "e\u{301}",
    "ß", "SS", "CON", "a.", "a ", "d", "d/e/f/g/h", "__MACOSX/._a", ".DS_Store", "a (2)", "a~",
    "../outside/file", "l/file", "whole", "\u{202e}gpj", "l/\u{301}x", ".unzip-1-1.part",
  ]
  private static let contents = [
    "", "x", "text\r\nlines\r\rof\u{1a}", "../outside", "../outside/file", "d", "d/a", "..",
    "../..",
    "d/../..", "/etc", "l", "a", ".", "a/../../outside", "../\u{301}x",
    String(repeating: "ab", count: 900),
  ]
  private static let numbers = [
    0, 1, 5, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_fffe, 0xffff_ffff, 0x8000_0000, 0x10_0000,
  ]
  private static let modes = [
    0, 0o100644, 0o100000, 0o104755, 0o102755, 0o101777, 0o120777, 0o040755, 0o040000, 0o010644,
    0o020644, 0o060644, 0o140644, 0o100777,
  ]
  private static let hosts = [0, 3, 3, 3, 10, 11, 14, 19, 6]
  private static let methods = [0, 1, 2, 5, 6, 8, 8, 9, 10, 12, 14, 20, 93, 95, 98, 99]

  /// Makes one change.
  mutating func mutate(_ random: inout SmallRandom) {
    guard !centrals.isEmpty else { return random.change(&tail) }
    let number = random.below(centrals.count)
    switch random.below(16) {
    case 0, 1: rename(number, &random)
    case 2:
      centrals[number].fixed.put(random.one(of: Self.modes), at: 40, 2)
      centrals[number].fixed.put(random.one(of: Self.hosts), at: 5, 1)
    case 3, 4: replaceContent(number, &random)
    case 5: if centrals.count > 1 { centrals.remove(at: number) }
    case 6: if centrals.count < 24 { duplicate(number, &random) }
    case 7: centrals.swapAt(number, random.below(centrals.count))
    case 8, 9: addExtra(number, &random)
    case 10: flip(number, &random)
    case 11: lie(number, &random)
    case 12: describe(number, &random)
    case 13: random.change(&centrals[number].fixed, room: 0)
    case 14: mutateSegment(number, &random)
    default: mutateRest(number, &random)
    }
    centrals[number % centrals.count].fixed.pad(to: 46)
  }

  // What is said of an entry is said in both headers, mostly.
  private mutating func put(
    _ value: Int, _ number: Int, central: Int, local: Int, _ width: Int, _ random: inout SmallRandom
  ) {
    centrals[number].fixed.put(value, at: central, width)
    if let segment = centrals[number].segment, !random.once(in: 8) {
      segments[segment].put(value, at: local, width)
    }
  }

  private mutating func rename(_ number: Int, _ random: inout SmallRandom) {
    var name = Array(random.one(of: Self.names).utf8)
    switch random.below(6) {
    case 0: name = centrals[random.below(centrals.count)].name
    case 1: name = centrals[random.below(centrals.count)].name + [0x2f] + name
    case 2:
      name = centrals[number].name
      random.change(&name)
    case 3: name = Array("d/".utf8) + name
    default: break
    }
    centrals[number].name = name
    guard !random.once(in: 8), let segment = centrals[number].segment, let place = local(segment)
    else { return }
    segments[segment].replaceSubrange(place.name, with: name)
    segments[segment].put(name.count, at: 26, 2)
  }

  private mutating func replaceContent(_ number: Int, _ random: inout SmallRandom) {
    guard let segment = centrals[number].segment, let place = local(segment) else { return }
    var content = Array(random.one(of: Self.contents).utf8)
    if random.once(in: 4) { random.change(&content) }
    let method: UInt16 = random.once(in: 2) ? 8 : 0
    let coded = ZipBuilder.code(content, method: method)
    segments[segment].removeSubrange(place.data...)
    segments[segment] += coded
    centrals[number].fixed.put(0, at: 8, 2)
    segments[segment].put(0, at: 6, 2)
    put(Int(method), number, central: 10, local: 8, 2, &random)
    put(Int(TestChecksum.crc32(content)), number, central: 16, local: 14, 4, &random)
    put(coded.count, number, central: 20, local: 18, 4, &random)
    put(content.count, number, central: 24, local: 22, 4, &random)
  }

  private mutating func duplicate(_ number: Int, _ random: inout SmallRandom) {
    var copy = centrals[number]
    if let segment = copy.segment, !random.once(in: 4) {
      segments.append(segments[segment])
      copy.segment = segments.count - 1
    }
    centrals.insert(copy, at: random.below(centrals.count + 1))
  }

  private mutating func addExtra(_ number: Int, _ random: inout SmallRandom) {
    let id = random.one(of: [1, 0xa, 0x17, 0x5455, 0x5855, 0x6375, 0x7075, 0x7855, 0x7875, 0x9901])
    var data = (0..<random.one(of: [0, 4, 5, 7, 8, 9, 12, 13, 16, 24, 28, 32])).map { _ in
      UInt8(truncatingIfNeeded: random.next())
    }
    switch id {
    case 0x7075, 0x6375:
      var field: [UInt8] = [1]
      field.put(TestChecksum.crc32(centrals[number].name))
      data = field + Array(random.one(of: Self.names).utf8)
    case 0xa: data = [0, 0, 0, 0, 1, 0, 24, 0] + data + [UInt8](repeating: 1, count: 24)
    case 0x9901:
      data = [2, 0, 0x41, 0x45, UInt8(random.below(5)), UInt8(random.one(of: [0, 8])), 0]
    case 1 where random.once(in: 2):
      data = []
      for _ in 0..<3 { data.put(UInt64(random.one(of: Self.numbers))) }
    default: break
    }
    let field = ZipBuilder.extra(UInt16(id), data)
    if random.once(in: 2) { centrals[number].extra = [] }
    if centrals[number].extra.count < 400 { centrals[number].extra += field }
    guard random.once(in: 2), let segment = centrals[number].segment, let place = local(segment)
    else { return }
    segments[segment].replaceSubrange(place.name.upperBound..<place.data, with: field)
    segments[segment].put(field.count, at: 28, 2)
  }

  private mutating func flip(_ number: Int, _ random: inout SmallRandom) {
    if random.once(in: 2) {
      put(random.one(of: Self.methods), number, central: 10, local: 8, 2, &random)
    } else {
      let bit = 1 << random.one(of: [0, 1, 2, 3, 3, 6, 11, 13, 5])
      put(
        centrals[number].fixed.number(8, 2) ^ bit, number, central: 8, local: 6, 2, &random)
    }
  }

  private mutating func lie(_ number: Int, _ random: inout SmallRandom) {
    let fields = [(16, 14), (20, 18), (24, 22), (42, 22), (12, 10)]
    let (central, local) = random.one(of: fields)
    var value = random.one(of: Self.numbers)
    if random.once(in: 2) {
      value = centrals[number].fixed.number(central, 4) + random.one(of: [-1, 1, 2, 12, 16, 22])
    }
    if random.once(in: 3), let segment = centrals[number].segment {
      segments[segment].put(value, at: local, 4)
    } else {
      put(value, number, central: central, local: local, 4, &random)
    }
  }

  /// Puts a data descriptor behind an entry.
  private mutating func describe(_ number: Int, _ random: inout SmallRandom) {
    guard let segment = centrals[number].segment, let place = local(segment) else { return }
    let packed = centrals[number].fixed.number(20, 4)
    let end = place.data + packed
    guard end <= segments[segment].count else { return }
    var descriptor: [UInt8] = random.once(in: 3) ? [] : [0x50, 0x4b, 7, 8]
    descriptor += centrals[number].fixed[16..<20]
    let width = random.once(in: 3) ? 8 : 4
    for field in [20, 24] {
      descriptor += centrals[number].fixed[field..<(field + 4)]
      descriptor += [UInt8](repeating: 0, count: width - 4)
    }
    segments[segment].replaceSubrange(end..., with: descriptor)
    put(centrals[number].fixed.number(8, 2) | 8, number, central: 8, local: 6, 2, &random)
    if random.once(in: 2) { for place in 14..<26 { segments[segment].put(0, at: place, 1) } }
  }

  private mutating func mutateSegment(_ number: Int, _ random: inout SmallRandom) {
    guard let segment = centrals[number].segment, let place = local(segment) else { return }
    if random.once(in: 2) {
      var head = Array(segments[segment][..<place.data])
      random.change(&head, room: 0)
      segments[segment].replaceSubrange(..<place.data, with: head.padded(to: place.data))
    } else {
      var data = Array(segments[segment][place.data...])
      random.change(&data)
      segments[segment].replaceSubrange(place.data..., with: data)
    }
  }

  private mutating func mutateRest(_ number: Int, _ random: inout SmallRandom) {
    switch random.below(5) {
    case 0: random.change(&centrals[number].extra)
    case 1: random.change(&centrals[number].comment)
    case 2: random.change(&prefix)
    case 3: random.change(&tail)
    default: swapSegments(&random)
    }
  }

  // Entries change places; their headers follow them.
  private mutating func swapSegments(_ random: inout SmallRandom) {
    guard segments.count > 1 else { return }
    let (first, second) = (random.below(segments.count), random.below(segments.count))
    segments.swapAt(first, second)
    for number in centrals.indices {
      switch centrals[number].segment {
      case first: centrals[number].segment = second
      case second: centrals[number].segment = first
      default: break
      }
    }
  }
}

extension [UInt8] {
  fileprivate mutating func pad(to size: Int) { self = padded(to: size) }

  fileprivate func padded(to size: Int) -> [UInt8] {
    count >= size ? Array(self[..<size]) : self + [UInt8](repeating: 0, count: size - count)
  }
}

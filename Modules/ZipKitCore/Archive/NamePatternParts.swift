/// What a pattern was read into; patterns are copied often, and this is shared by the copies.
final class NamePatternParts: Sendable {
  private enum Token: Equatable {
    case byte(UInt8)
    case any
    /// Any run of bytes; without `/` where wildcards stop at directories.
    case run(crossing: Bool)
    case set([ClosedRange<UInt8>], isNegated: Bool)
  }

  let text: String
  let ignoresCase: Bool
  let stopsAtSlash: Bool
  let literal: [UInt8]?
  /// The bytes that alone match, where that is so in every character set: ASCII, in this case only.
  let plain: [UInt8]?
  private let tokens: [Token]
  /// The bytes that a name must end with.
  private let ending: [UInt8]
  /// For each place in the pattern, the places that come with it, as runs may be empty; for patterns of
  /// less than 64 tokens.
  private let reachable: [UInt64]

  init(_ text: String, ignoresCase: Bool, stopsAtSlash: Bool) {
    self.text = text
    self.ignoresCase = ignoresCase
    self.stopsAtSlash = stopsAtSlash
    tokens = Self.parse(Array(text.utf8).map { ignoresCase ? Self.lower($0) : $0 }, stopsAtSlash)
    var literal: [UInt8]? = []
    for token in tokens {
      if case .byte(let byte) = token { literal?.append(byte) } else { literal = nil }
    }
    self.literal = literal
    ending = tokens.reversed().prefix { if case .byte = $0 { true } else { false } }.reversed()
      .compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
    reachable = tokens.count < 64 ? Self.reachable(tokens) : []
    plain = ignoresCase || literal?.contains { $0 >= 0x80 } == true ? nil : literal
  }

  /// Whether a name matches as a whole, byte by byte.
  func matches(_ name: some RandomAccessCollection<UInt8>) -> Bool {
    if let literal {
      return literal.count == name.count
        && zip(literal, name).allSatisfy { $0 == (ignoresCase ? Self.lower($1) : $1) }
    }
    // Most names end otherwise.
    guard name.count >= ending.count else { return false }
    for (wanted, byte) in zip(ending, name.suffix(ending.count))
    where wanted != (ignoresCase ? Self.lower(byte) : byte) {
      return false
    }
    if !reachable.isEmpty { return matchesByBits(name) }
    // The places in the pattern that may come next, all at once: no backtracking.
    var states = Set(closure([0]))
    for byte in name {
      let byte = ignoresCase ? Self.lower(byte) : byte
      var next: Set<Int> = []
      // The rest of a character of several bytes belongs to the wildcard that took its first.
      if byte & 0xc0 == 0x80 {
        for state in states where state > 0 && isOneCharacter(tokens[state - 1]) {
          next.insert(state)
        }
      }
      for state in states where state < tokens.count {
        switch tokens[state] {
        case .byte(let wanted): if byte == wanted { next.insert(state + 1) }
        case .any:
          if !stopsAtSlash || byte != UInt8(ascii: "/") { next.insert(state + 1) }
        case .run(let crosses):
          if crosses || byte != UInt8(ascii: "/") { next.insert(state) }
        case .set(let ranges, let isNegated):
          if ranges.contains(where: { $0.contains(byte) }) != isNegated { next.insert(state + 1) }
        }
      }
      if next.isEmpty { return false }
      states = Set(closure(next))
    }
    return states.contains(tokens.count)
  }

  private static func reachable(_ tokens: [Token]) -> [UInt64] {
    (0...tokens.count).map { place in
      var mask: UInt64 = 1 << UInt64(place)
      var next = place
      while next < tokens.count, case .run = tokens[next] {
        next += 1
        mask |= 1 << UInt64(next)
      }
      return mask
    }
  }

  /// The same as the long way, with a bit for each place.
  private func matchesByBits(_ name: some RandomAccessCollection<UInt8>) -> Bool {
    var states = reachable[0]
    for byte in name {
      let byte = ignoresCase ? Self.lower(byte) : byte
      var next: UInt64 = 0
      var rest = states
      while rest != 0 {
        let place = rest.trailingZeroBitCount
        rest &= rest - 1
        // A wildcard for one character takes all bytes of it.
        if byte & 0xc0 == 0x80, place > 0, isOneCharacter(tokens[place - 1]) {
          next |= reachable[place]
        }
        guard place < tokens.count else { continue }
        switch tokens[place] {
        case .byte(let wanted): if byte == wanted { next |= reachable[place + 1] }
        case .any:
          if !stopsAtSlash || byte != UInt8(ascii: "/") { next |= reachable[place + 1] }
        case .run(let crosses):
          if crosses || byte != UInt8(ascii: "/") { next |= reachable[place] }
        case .set(let ranges, let isNegated):
          if ranges.contains(where: { $0.contains(byte) }) != isNegated {
            next |= reachable[place + 1]
          }
        }
      }
      if next == 0 { return false }
      states = next
    }
    return states >> UInt64(tokens.count) & 1 == 1
  }

  private func isOneCharacter(_ token: Token) -> Bool {
    switch token {
    case .any, .set: true
    case .byte, .run: false
    }
  }

  // A run may be empty: the place behind it counts too.
  private func closure(_ states: Set<Int>) -> Set<Int> {
    var result = states
    for state in states {
      var place = state
      while place < tokens.count, case .run = tokens[place] {
        place += 1
        result.insert(place)
      }
    }
    return result
  }

  private static func parse(_ bytes: [UInt8], _ stopsAtSlash: Bool) -> [Token] {
    var tokens: [Token] = []
    var place = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "*"):
        let isDouble = place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "*")
        if isDouble { place += 1 }
        tokens.append(.run(crossing: !stopsAtSlash || isDouble))
      case UInt8(ascii: "?"): tokens.append(.any)
      case UInt8(ascii: "["):
        if let (set, end) = set(bytes, from: place + 1) {
          tokens.append(set)
          place = end
        } else {
          tokens.append(.byte(bytes[place]))
        }
      case UInt8(ascii: "\\") where place + 1 < bytes.count:
        place += 1
        tokens.append(.byte(bytes[place]))
      default: tokens.append(.byte(bytes[place]))
      }
      place += 1
    }
    return tokens
  }

  private static func set(_ bytes: [UInt8], from start: Int) -> (Token, end: Int)? {
    var place = start
    let isNegated =
      place < bytes.count
      && (bytes[place] == UInt8(ascii: "!") || bytes[place] == UInt8(ascii: "^"))
    if isNegated { place += 1 }
    var ranges: [ClosedRange<UInt8>] = []
    let first = place
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "]"), place > first {
        return (.set(ranges, isNegated: isNegated), place)
      }
      if bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count { place += 1 }
      let low = bytes[place]
      if place + 2 < bytes.count, bytes[place + 1] == UInt8(ascii: "-"),
        bytes[place + 2] != UInt8(ascii: "]")
      {
        let high = bytes[place + 2]
        if low <= high { ranges.append(low...high) }
        place += 3
      } else {
        ranges.append(low...low)
        place += 1
      }
    }
    return nil
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}

/// What is left of a name where upper and lower case, and ways to put accents together, do not count.
enum NameFolding {
  /// A hash that is equal for names that fold to the same.
  static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var hash = seed
    for index in bytes.indices {
      let byte = unsafe bytes[index]
      if byte >= 0x80 { return unsafe slowHash(bytes, seed) }
      // One multiplication a byte: this runs over all names of an archive.
      let small = byte &- 0x41 < 26 ? byte | 0x20 : byte
      hash = (hash ^ UInt64(small)) &* 0x0000_0100_0000_01b3
    }
    return hash ^ hash >> 29
  }

  private static func slowHash(_ bytes: UnsafeRawBufferPointer, _ seed: UInt64) -> UInt64 {
    var folded = unsafe folded(String(decoding: bytes, as: UTF8.self))
    // Letters beyond ASCII may fold into it, as sharp s does.
    if folded.utf8.allSatisfy({ $0 < 0x80 }) {
      return folded.withUTF8 { unsafe hash(UnsafeRawBufferPointer($0), seed: seed) }
    }
    var hasher = Hasher()
    hasher.combine(seed)
    // Equality of strings is canonical equivalence, and their hashes follow it.
    hasher.combine(folded)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  /// A name without the difference of upper and lower case.
  ///
  /// Upper case first, so that letters with two lower forms, as ς and σ, and ß and ss, fall together.
  static func folded(_ name: String) -> String {
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
    return name.uppercased().lowercased()
  }
}

/// A name that equals another when its bytes do, where strings may be equal and written differently.
struct ExactName: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ExactName, right: ExactName) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

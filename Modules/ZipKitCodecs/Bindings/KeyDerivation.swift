internal import CLateLibraries
package import ZipKitCore

/// PBKDF2 with HMAC-SHA1 (RFC 8018): an archive of many entries derives a key for each.
package enum KeyDerivation {
  /// Derives `count` bytes from a password, with a salt of at most 32 bytes.
  ///
  /// - Throws: ``DecodeError`` when libcrypto cannot.
  package static func pbkdf2Sha1(
    password: [UInt8], salt: [UInt8], iterations: Int, count: Int
  ) throws(DecodeError) -> [UInt8] {
    precondition(salt.count <= 32 && iterations > 0, "a salt and its number fit into a block")
    let library = try LateLibrary.crypto()
    var key = password
    if key.count > HmacRounds.blockSize {
      key = [UInt8](repeating: 0, count: HmacRounds.codeSize)
      guard unsafe clate_sha1(library.calls, password, password.count, &key) else {
        throw .crypto("SHA-1")
      }
    }
    let rounds = HmacRounds(key: key, library)
    var result: [UInt8] = []
    var number: UInt8 = 1
    while result.count < count {
      result += rounds.run(salt + [0, 0, 0, number], count: iterations)
      number += 1
    }
    return Array(result[..<count])
  }
}

/// HMAC-SHA1 of short messages under one key, of which each is the code of the one before.
@safe
private struct HmacRounds: ~Copyable {
  static let blockSize = 64
  static let codeSize = 20

  /// The five words of a SHA-1, and three more.
  private typealias Words = SIMD8<UInt32>

  private static let start = Words(
    0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0, 0, 0, 0)

  // Safety: allocated with a block and eight words, freed in deinit, used by one thread at a time.
  private let block: UnsafeMutablePointer<UInt8>
  private let words: UnsafeMutablePointer<Words>
  private let library: LateLibrary<clate_crypto>
  private let inner: Words
  private let outer: Words

  init(key: [UInt8], _ library: LateLibrary<clate_crypto>) {
    let block = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.blockSize)
    let words = UnsafeMutablePointer<Words>.allocate(capacity: 1)
    unsafe words.initialize(to: Self.start)
    func state(mixedWith pad: UInt8) -> Words {
      for place in 0..<Self.blockSize {
        unsafe block[place] = (place < key.count ? key[place] : 0) ^ pad
      }
      return unsafe Self.hash(block, words, Self.start, library)
    }
    self.library = library
    inner = state(mixedWith: 0x36)
    outer = state(mixedWith: 0x5C)
    unsafe self.block = unsafe block
    unsafe self.words = unsafe words
  }

  deinit {
    unsafe block.deallocate()
    unsafe words.deallocate()
  }

  /// The sum, without carry, of the codes of so many rounds.
  func run(_ message: [UInt8], count: Int) -> [UInt8] {
    set(message)
    var code = unsafe Self.hash(block, words, inner, library)
    set([UInt8](repeating: 0, count: Self.codeSize))
    var sum = Words()
    for round in 0..<count {
      if round > 0 {
        set(code)
        code = unsafe Self.hash(block, words, inner, library)
      }
      set(code)
      code = unsafe Self.hash(block, words, outer, library)
      sum ^= code
    }
    return (0..<Self.codeSize).map {
      UInt8(truncatingIfNeeded: sum[$0 / 4] >> UInt32(24 - $0 % 4 * 8))
    }
  }

  /// Makes a block of a message that follows a block of the key: itself, a bit, and its length with the key's.
  private func set(_ message: [UInt8]) {
    for place in 0..<Self.blockSize {
      unsafe block[place] = place < message.count ? message[place] : 0
    }
    unsafe block[message.count] = 0x80
    let bits = (Self.blockSize + message.count) * 8
    unsafe block[Self.blockSize - 2] = UInt8(bits >> 8)
    unsafe block[Self.blockSize - 1] = UInt8(bits & 0xFF)
  }

  /// Puts a code into a block that was made for messages of its size.
  private func set(_ code: Words) {
    for index in 0..<5 {
      unsafe UnsafeMutableRawPointer(block).storeBytes(
        of: code[index].bigEndian, toByteOffset: 4 * index, as: UInt32.self)
    }
  }

  private static func hash(
    _ block: UnsafeMutablePointer<UInt8>, _ words: UnsafeMutablePointer<Words>, _ state: Words,
    _ library: LateLibrary<clate_crypto>
  ) -> Words {
    unsafe words.pointee = state
    unsafe clate_sha1_block(
      library.calls, UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt32.self), block)
    return unsafe words.pointee
  }
}

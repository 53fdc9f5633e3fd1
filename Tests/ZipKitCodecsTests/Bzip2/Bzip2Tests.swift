import TestSupport
import Testing
import ZipKitCore

/// Content that some part of bzip2 finds hard.
struct Bzip2Content: Sendable, CustomTestStringConvertible {
  var name: String
  var bytes: [UInt8]
  var level: Int32 = 1

  var testDescription: String { name }

  /// Runs of every length up to 300, and each of them again next to another byte.
  private static let runs: [UInt8] = (1...300).flatMap { length in
    [UInt8](repeating: 7, count: length) + [UInt8](repeating: UInt8(length & 0xFF), count: length)
  }

  /// The marks of a block and of the end, at every bit.
  private static let marks: [UInt8] = (0..<2000).flatMap { number in
    let mark: UInt64 = number % 2 == 0 ? 0x3141_5926_5359 : 0x1772_4538_5090
    return (0..<7).reversed().map {
      UInt8(truncatingIfNeeded: (mark << UInt64(number % 8)) >> UInt64(8 * $0))
    }
  }

  static let all = [
    Bzip2Content(name: "nothing", bytes: []),
    Bzip2Content(name: "one byte", bytes: [9]),
    Bzip2Content(name: "four equal bytes", bytes: [9, 9, 9, 9]),
    Bzip2Content(name: "words", bytes: Sample.long + Sample.bytes + Sample.long),
    Bzip2Content(name: "noise in several blocks", bytes: SeededRandom.bytes(350_000)),
    Bzip2Content(name: "two values", bytes: SeededRandom.bytes(250_000, below: 2)),
    Bzip2Content(name: "runs", bytes: runs),
    Bzip2Content(name: "marks of blocks", bytes: marks),
    Bzip2Content(name: "a pattern that repeats", bytes: (0..<250_000).map { UInt8($0 % 3) }),
    Bzip2Content(name: "a long pattern", bytes: (0..<40).flatMap { _ in SeededRandom.bytes(9001) }),
    Bzip2Content(name: "many zeros", bytes: [UInt8](repeating: 0, count: 6_000_000)),
    Bzip2Content(name: "a large block", bytes: SeededRandom.bytes(1_000_000, below: 20), level: 9),
  ]
}

@Suite struct Bzip2Tests {
  private func decoder(_ stream: [UInt8], threads: Int) throws -> any EntryDecoder {
    try ZipKitCodecsTests.decoder(
      for: EntryCoding(
        method: .bzip2, compressedSize: UInt64(stream.count), threads: threads))
  }

  @Test(arguments: Bzip2Content.all, [1, 2, 5])
  func `What libbz2 packed comes back, with any number of threads`(
    _ content: Bzip2Content, threads: Int
  ) throws {
    let stream = Libbz2.pack(content.bytes, level: content.level)
    for (piece, room) in [(Int.max, 1 << 20), (70_001, 99_991), (4099, 1 << 16)] {
      let result = run(
        try decoder(stream + [1, 2, 3], threads: threads), stream + [1, 2, 3], piece: piece,
        room: room)
      #expect(result.isWhole(content.bytes[...], consumed: stream.count), "\(result)")
    }
  }

  /// Four blocks of words, each different.
  private static let blocks: [UInt8] = (0..<4).flatMap { number in
    Sample.long + Sample.long.map { $0 &+ UInt8(number) } + Sample.bytes
  }

  @Test func `Damage anywhere is found, and costs the same with threads as without`() throws {
    let stream = Libbz2.pack(Self.blocks, level: 1)
    for index in stride(from: 0, to: stream.count, by: max(1, stream.count / 40)) {
      var damaged = stream
      damaged[index] ^= 1 << UInt8(index % 8)
      let alone = run(try decoder(damaged, threads: 1), damaged)
      let shared = run(try decoder(damaged, threads: 3), damaged)
      let other = Libbz2.unpack(damaged, size: Self.blocks.count + 1)
      #expect((alone.error == nil && alone.isFinished) == (other != nil), "byte \(index)")
      #expect(alone.error == shared.error, "byte \(index)")
      #expect(alone.bytes == shared.bytes, "byte \(index)")
    }
  }

  @Test func `Of a small stream, every bit that is another is judged as by libbz2`() throws {
    // Unused symbols get codes too, so that a code table may be wrong and do no harm.
    let plain = Array("a few words, and a few words more, and some".utf8)
    let stream = Libbz2.pack(plain, level: 1)
    var harmless = 0
    // Bit 112 says that the block is randomised, which is another test's.
    for bit in 0..<(stream.count * 8) where bit != 112 {
      var damaged = stream
      damaged[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      let result = run(try decoder(damaged, threads: 1), damaged)
      let other = Libbz2.unpack(damaged, size: 1000)
      if result.error == nil, result.isFinished { harmless += 1 }
      #expect((result.error == nil && result.isFinished) == (other != nil), "bit \(bit)")
      if let other { #expect(result.bytes == other, "bit \(bit)") }
    }
    #expect(harmless > 0)
  }

  @Test(arguments: [1, 3])
  func `The blocks before the damage are handed out`(threads: Int) throws {
    var stream = Libbz2.pack(Self.blocks, level: 1)
    stream[stream.count - 20] ^= 0xFF
    let result = run(try decoder(stream, threads: threads), stream)
    #expect(result.error?.kind == .damaged)
    #expect(result.bytes.count >= 200_000)
    #expect(Self.blocks.starts(with: result.bytes.prefix(200_000)))
  }

  @Test(arguments: [1, 3])
  func `A stream cut short is no stream`(threads: Int) throws {
    let stream = Libbz2.pack(Self.blocks, level: 1)
    for count in [0, 3, 4, 13, 14, 100, stream.count / 2, stream.count - 1] {
      let result = run(try decoder(stream, threads: threads), Array(stream[..<count]))
      #expect(!result.isFinished)
      #expect(result.error == nil)
      #expect(Self.blocks.starts(with: result.bytes))
    }
  }

  static let lies: [(String, Int, UInt8)] = [
    ("no bzip2", 0, 0x01), ("another version", 2, 0x04), ("level 0", 3, 0x01),
    ("no block's mark", 5, 0x10), ("another block checksum", 11, 0x80),
    ("an origin outside", 14, 0x70),
  ]

  @Test(arguments: lies)
  func `A header that lies is damage`(what: String, place: Int, change: UInt8) throws {
    var stream = Libbz2.pack(Array("a few words".utf8), level: 1)
    stream[place] ^= change
    let result = run(try decoder(stream, threads: 1), stream)
    #expect(result.error?.kind == .damaged)
    #expect(Libbz2.unpack(stream, size: 100) == nil)
  }

  @Test func `A randomised block is named as what is not supported`() throws {
    var stream = Libbz2.pack(Array("a few words".utf8), level: 1)
    stream[14] |= 0x80
    #expect(run(try decoder(stream, threads: 1), stream).error?.kind == .unsupported)
  }

  @Test func `A decoder with threads ends with work to do`() throws {
    let stream = Libbz2.pack(Self.blocks, level: 1)
    for count in [10, stream.count / 3, stream.count] {
      // Nobody takes what comes out: the blocks in hand are dropped with the decoder.
      let decoder = try decoder(stream, threads: 4)
      _ = run(decoder, Array(stream[..<count]), room: 10, limit: 20)
    }
  }

  @Test(arguments: [1, 2, 3, 8])
  func `Memory is bounded by the number of threads`(threads: Int) throws {
    let need = try decoder([], threads: threads).memoryNeed
    #expect(need > 0)
    #expect(need <= UInt64(threads) * 9 << 20)
  }
}

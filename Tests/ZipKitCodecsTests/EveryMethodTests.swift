import TestSupport
import Testing
import ZipKitCore

/// What holds for every decoder, whatever its method.
@Suite struct EveryMethodTests {
  @Test(arguments: MethodCase.all + MethodCase.long)
  func `A whole stream in one call gives the bytes back`(_ method: MethodCase) throws {
    let decoder = try decoder(for: method.coding)
    let result = run(decoder, method.stream, room: method.plain.count)
    #expect(result.isWhole(method.plain[...], consumed: method.stream.count))
    #expect(decoder.memoryNeed > 0)
    #expect(decoder.memoryNeed <= method.coding.memoryLimit)
  }

  @Test(arguments: MethodCase.all, [(1, 1 << 16), (1 << 16, 1), (3, 5), (101, 257)])
  func `Pieces of any size give the same bytes`(_ method: MethodCase, _ sizes: (Int, Int)) throws {
    let result = run(
      try decoder(for: method.coding), method.stream, piece: sizes.0, room: sizes.1)
    #expect(result.isWhole(method.plain[...], consumed: method.stream.count))
  }

  // A block's beginning is read at once or not at all, and may lie across two pieces while there is no room.
  @Test(arguments: MethodCase.blocks)
  func `Streams of many blocks may be cut anywhere`(_ method: MethodCase) throws {
    for piece in [1, 2, 5, 8, 15, 16, 33, 97, 98, Int.max] {
      for room in [1, 2, 5, 20, 30, 57, 1000] {
        let result = run(
          try decoder(for: method.coding), method.stream, piece: piece, room: room)
        #expect(
          result.isWhole(method.plain[...], consumed: method.stream.count),
          "pieces of \(piece) into \(room)")
      }
    }
  }

  @Test(arguments: MethodCase.all)
  func `Input that was offered whole may come in pieces after all`(_ method: MethodCase) throws {
    let result = run(
      try decoder(for: method.coding), method.stream, piece: 50, room: 900, beginsWhole: true)
    #expect(result.isWhole(method.plain[...], consumed: method.stream.count))
  }

  @Test(arguments: MethodCase.all)
  func `A decoder that agrees to be used again decodes the same once more`(
    _ method: MethodCase
  ) throws {
    let decoder = try decoder(for: method.coding)
    _ = run(decoder, Array(method.stream.prefix(method.stream.count / 2)))
    guard try decoder.reset(for: method.coding) else { return }
    let result = run(decoder, method.stream, piece: 64, room: 100)
    #expect(result.isWhole(method.plain[...], consumed: method.stream.count))
  }

  @Test(arguments: MethodCase.all)
  func `A stream cut short never counts as finished and gives no byte that is wrong`(
    _ method: MethodCase
  ) throws {
    var lengths = Set((0..<40).map { $0 * method.stream.count / 40 })
    lengths.formUnion(0..<20)
    lengths.insert(method.stream.count - 1)
    for length in lengths.sorted() where length < method.stream.count {
      // What two frames hold ends well after the first of them; only the declared size tells.
      let result = run(try decoder(for: method.coding), Array(method.stream[..<length]))
      let isShort = result.bytes.count < method.plain.count
      #expect(!result.isFinished || isShort || !method.hasEnd, "\(length) bytes")
      let isPrefix = method.plain.starts(with: result.bytes)
      #expect(isPrefix, "\(length) bytes")
    }
  }

  @Test(arguments: [EntryFlags(), .dataDescriptor])
  func `Nothing that was shrunk is nothing, wherever its sizes stand`(_ flags: EntryFlags) throws {
    let result = run(
      try decoder(for: EntryCoding(method: .shrunk, flags: flags, size: 0)), [UInt8]())
    #expect(result.isWhole([], consumed: 0))
  }

  @Test(arguments: MethodCase.all)
  func `Bytes behind the stream are left alone`(_ method: MethodCase) throws {
    for trailing in [[0x50, 0x4B, 0x07, 0x08], [UInt8](repeating: 0xFF, count: 100)] {
      for piece in [1, 7, Int.max] {
        let result = run(
          try decoder(for: method.coding), method.stream + trailing, piece: piece, room: 4000)
        #expect(
          result.isWhole(method.plain[...], consumed: method.stream.count), "pieces of \(piece)")
      }
    }
  }

  // Made before the format was settled; libzstd still reads it, by other code.
  @Test(arguments: [1, 2, 4, Int.max])
  func `A frame of Zstandard before its format was settled is damage`(_ piece: Int) throws {
    let stream: [UInt8] = [0x25, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0, 0x63, 0, 0x64, 0xff, 0x65, 0xe5]
    var coding = EntryCoding(method: .zstandard, size: 4)
    coding.compressedSize = UInt64(stream.count)
    let result = run(try decoder(for: coding), stream, piece: piece, room: 4000)
    #expect(!result.isFinished && result.bytes.isEmpty)
    #expect(result.error?.kind == .damaged)
  }

  // An empty last block, which libzstd lets go in pieces; the field's four widths, with a dictionary's number of none.
  @Test(
    arguments: [
      [0x20, 1], [0x60, 0, 0], [0xA0, 1, 0, 0, 0], [0xE0, 1, 0, 0, 0, 0, 0, 0, 0],
      [0x40, 0, 0, 0], [0x61, 0, 0, 0], [0x62, 0, 0, 0, 0], [0x63, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func `A frame of Zstandard that is shorter than it declares is damage`(_ header: [UInt8]) throws {
    let stream = [0x28, 0xB5, 0x2F, 0xFD] + header + [1, 0, 0]
    var coding = EntryCoding(method: .zstandard, size: 0)
    coding.compressedSize = UInt64(stream.count)
    for (piece, room) in [(1, 4000), (2, 1), (5, 4000), (Int.max, 1), (Int.max, 4000)] {
      let result = run(try decoder(for: coding), stream, piece: piece, room: room)
      #expect(!result.isFinished && result.bytes.isEmpty, "pieces of \(piece)")
      #expect(result.error?.kind == .damaged, "pieces of \(piece)")
    }
  }

  @Test func `A frame of Zstandard may have an empty last block`() throws {
    let blocks: [UInt8] = [0x10, 0, 0, 7, 8, 1, 0, 0]
    for header in [[0x20, 2], [0xA0, 2, 0, 0, 0], [0, 0]] as [[UInt8]] {
      let stream = [0x28, 0xB5, 0x2F, 0xFD] + header + blocks
      var coding = EntryCoding(method: .zstandard, size: 2)
      coding.compressedSize = UInt64(stream.count)
      for piece in [1, 2, 5, Int.max] {
        let result = run(try decoder(for: coding), stream, piece: piece, room: 4000)
        #expect(result.isWhole([7, 8], consumed: stream.count), "pieces of \(piece)")
      }
    }
  }

  // A frame's first bytes, but not all of them.
  @Test(
    arguments: [[0x28, 0xB5, 0x2A], [0x50, 0x2A, 0x4D], [0x28], [0x28, 0xB5, 0x2F, 0xFE]]
      as [[UInt8]])
  func `What resembles a further frame ends the stream, in pieces as in one`(
    _ trailing: [UInt8]
  ) throws {
    var coding = EntryCoding(method: .zstandard, size: UInt64(Sample.bytes.count))
    let stream = Recorded.zstandard + trailing
    coding.compressedSize = UInt64(stream.count)
    for piece in [1, 2, 3, Int.max] {
      let result = run(try decoder(for: coding), stream, piece: piece, room: 4000)
      #expect(result.isFinished && result.bytes == Sample.bytes, "pieces of \(piece)")
    }
  }

  @Test(arguments: MethodCase.all)
  func `A stream with a flipped bit ends, with at most the declared size and one more`(
    _ method: MethodCase
  ) throws {
    for index in stride(from: 0, to: method.stream.count, by: 17) {
      var stream = method.stream
      stream[index] ^= 1 << UInt8(index % 8)
      let result = run(try decoder(for: method.coding), stream, piece: 500, limit: 1 << 20)
      // Some flips cannot be seen without the CRC; what counts is that every one comes to an end.
      #expect(result.isFinished || result.error != nil || result.consumed <= stream.count)
    }
  }

  @Test(arguments: MethodCase.all)
  func `Noise ends`(_ method: MethodCase) throws {
    var random = SeededRandom()
    for _ in 0..<12 {
      let noise = random.bytes(3000)
      for prefix in [0, 16] {
        let stream = Array(method.stream.prefix(prefix)) + noise
        let result = run(try decoder(for: method.coding), stream, piece: 999, limit: 1 << 20)
        #expect(result.idleCalls < stream.count)
      }
    }
  }

  @Test(arguments: MethodCase.all)
  func `An empty input is no stream`(_ method: MethodCase) throws {
    let result = run(try decoder(for: method.coding), [])
    #expect(result.bytes.isEmpty)
    #expect(!result.isFinished || result.bytes.count < method.plain.count)
  }
}

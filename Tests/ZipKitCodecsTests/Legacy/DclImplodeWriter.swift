import ZipKitCodecs

/// Writes data of PKWARE's Data Compression Library, by the lengths of its fixed codes.
func dclImplode(_ plain: [UInt8], codesLiterals: Bool, lowBits: Int) -> [UInt8] {
  // Shorter codes first, in the order of symbols; every bit is turned over.
  func codes(_ lengths: [UInt8]) -> [(code: Int, length: Int)] {
    var result = [(code: Int, length: Int)](repeating: (0, 0), count: lengths.count)
    var code = 0
    for length in 1...13 {
      for (symbol, bits) in lengths.enumerated() where Int(bits) == length {
        result[symbol] = (code ^ (1 << length - 1), length)
        code += 1
      }
      code <<= 1
    }
    return result
  }
  let literals = codes(DclImplode.literalBits)
  let lengths = codes(DclImplode.lengthBits)
  let distances = codes(DclImplode.distanceBits)
  var writer = BitWriter()
  writer.write(codesLiterals ? 1 : 0, 8)
  writer.write(lowBits, 8)
  func length(_ value: Int) {
    writer.write(1, 1)
    let symbol =
      value == 2
      ? 1
      : (DclImplode.ranges.indices.last { $0 != 1 && DclImplode.ranges[$0].first <= value } ?? 0)
    writer.writeCode(lengths[symbol].code, lengths[symbol].length)
    writer.write(value - DclImplode.ranges[symbol].first, DclImplode.ranges[symbol].bits)
  }
  for item in items(of: plain, reach: 64 << lowBits, longest: 518) {
    switch item {
    case .byte(let byte):
      writer.write(0, 1)
      if codesLiterals {
        writer.writeCode(literals[Int(byte)].code, literals[Int(byte)].length)
      } else {
        writer.write(Int(byte), 8)
      }
    case .match(let distance, let count):
      let low = count == 2 ? 2 : lowBits
      length(count)
      let high = distances[(distance - 1) >> low]
      writer.writeCode(high.code, high.length)
      writer.write((distance - 1) & (1 << low - 1), low)
    }
  }
  length(519)
  return writer.bytes
}

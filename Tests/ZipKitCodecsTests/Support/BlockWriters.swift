/// Bytes as a deflate stream (RFC 1951) of short blocks: dynamic, fixed and stored ones in turn.
func deflateBlocks(_ bytes: [UInt8], each count: Int) -> [UInt8] {
  var writer = BitWriter()
  for (number, start) in stride(from: 0, to: bytes.count, by: count).enumerated() {
    let block = bytes[start...].prefix(count)
    writer.write(block.endIndex == bytes.count ? 1 : 0, 1)
    switch number % 4 {
    case 0, 1: writeDynamic(block, &writer)
    case 2: writeStored(block, &writer)
    default: writeFixed(block, &writer)
    }
  }
  return writer.bytes
}

private func writeStored(_ block: ArraySlice<UInt8>, _ writer: inout BitWriter) {
  writer.write(0, 2)
  writer.align()
  writer.write(block.count, 16)
  writer.write(~block.count, 16)
  for byte in block { writer.write(Int(byte), 8) }
}

private func writeFixed(_ block: ArraySlice<UInt8>, _ writer: inout BitWriter) {
  writer.write(1, 2)
  for byte in block {
    if byte < 144 {
      writer.writeCode(0x30 + Int(byte), 8)
    } else {
      writer.writeCode(0x190 + Int(byte) - 144, 9)
    }
  }
  writer.writeCode(0, 7)
}

/// Codes of 8 bits for all literals but the last one; that and the end have 9.
private func writeDynamic(_ block: ArraySlice<UInt8>, _ writer: inout BitWriter) {
  writer.write(2, 2)
  writer.write(0, 5)
  writer.write(0, 5)
  writer.write(18 - 4, 4)
  let (one, eight, nine, again) = (0, 1, 2, 3)
  // Of the lengths' own codes, in their odd order: 16, 8, 9 and 1.
  for index in 0..<18 { writer.write([0, 4, 6, 17].contains(index) ? 2 : 0, 3) }
  writer.writeCode(eight, 2)
  for _ in 0..<42 {
    writer.writeCode(again, 2)
    writer.write(3, 2)
  }
  for code in [eight, eight, nine, nine, one] { writer.writeCode(code, 2) }
  for byte in block {
    if byte < 255 { writer.writeCode(Int(byte), 8) } else { writer.writeCode(510, 9) }
  }
  writer.writeCode(511, 9)
}

/// Bytes as a Zstandard frame (RFC 8878) of short blocks: plain ones, and one of a single byte after each.
func zstandardBlocks(_ bytes: [UInt8], each count: Int) -> [UInt8] {
  var stream: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 0]
  for start in stride(from: 0, to: bytes.count, by: count) {
    let block = bytes[start...].prefix(count)
    guard let last = block.last else { continue }
    let isLast = block.endIndex == bytes.count
    let size = block.count - 1
    stream += [UInt8(size << 3 & 0xFF), UInt8(size >> 5 & 0xFF), UInt8(size >> 13)]
    stream += block.dropLast() + [(isLast ? 1 : 0) | 2 | 1 << 3, 0, 0, last]
  }
  return stream
}

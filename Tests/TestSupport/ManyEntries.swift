import SystemIO

/// Archives of very many entries of one byte each, written without being held.
package enum ManyEntries {
  /// What is the matter with each entry.
  package enum Kind: Sendable {
    case sound
    /// The checksum is another.
    case damaged
    /// The name leads out.
    case escaping
    /// All share the first one's bytes.
    case overlapping
    /// They are directories, each in the target itself.
    case directories
    /// Two after each other have one name.
    case twice
    /// The directory tells sixteen kilobytes more of each.
    case wordy
  }

  /// Writes an archive; names are of 13 bytes, a thousand in a directory.
  package static func write(_ count: Int, _ kind: Kind, to path: String) throws {
    let file = try FileDescriptor.open(path, [.writeOnly, .create, .exclusive])
    var fields: [UInt8] = []
    for value in [10, 0, 0, 0x6000, 0x5a21] as [UInt16] { fields.put(value) }
    let isDirectory = kind == .directories
    let content: [UInt8] = isDirectory ? [] : [120]
    fields.put(TestChecksum.crc32(content) ^ (kind == .damaged ? 1 : 0))
    for _ in 0..<2 { fields.put(UInt32(content.count)) }
    let start: [UInt8] = kind == .escaping ? Array("../".utf8) : Array("dir".utf8)
    let name = start + Array((isDirectory ? "000-000000/" : "000/000000").utf8)
    fields.put(UInt16(name.count))
    let local = Array("PK\u{3}\u{4}".utf8) + fields + [0, 0] + name + content
    var central = Array("PK\u{1}\u{2}".utf8) + [30, 3] + fields
    let extra: [UInt8] =
      kind == .wordy ? [0x99, 0x99, 0x00, 0x20] + [UInt8](repeating: 0x99, count: 8192) : []
    let words: [UInt16] = [
      UInt16(extra.count), UInt16(extra.count), 0, 0, 0, isDirectory ? 0o40755 : 0o100644,
    ]
    for value in words { central.put(value) }
    central += [0, 0, 0, 0] + name + extra + extra
    let locals = kind == .overlapping ? 1 : count
    let each = kind == .twice ? 2 : 1
    try records(locals, local, nameAt: 30, each: each, offsetAt: nil, to: file)
    let offset = { kind == .overlapping ? 0 : UInt32(truncatingIfNeeded: $0 * local.count) }
    try records(count, central, nameAt: 46, each: each, offsetAt: offset, to: file)
    var end = Array("PK\u{6}\u{6}".utf8)
    end.put(UInt64(44))
    for value in [45, 45] as [UInt16] { end.put(value) }
    for value in [0, 0] as [UInt32] { end.put(value) }
    let body = UInt64(locals * local.count)
    let size = UInt64(count * central.count)
    for value in [UInt64(count), UInt64(count), size, body] { end.put(value) }
    end += Array("PK\u{6}\u{7}".utf8) + [0, 0, 0, 0]
    end.put(body + size)
    end += [1, 0, 0, 0] + Array("PK\u{5}\u{6}".utf8) + [0, 0, 0, 0]
    end += [UInt8](repeating: 255, count: 12) + [0, 0]
    try file.write(end)
  }

  private static func records(
    _ count: Int, _ record: [UInt8], nameAt place: Int, each: Int, offsetAt: ((Int) -> UInt32)?,
    to file: borrowing FileDescriptor
  ) throws {
    var record = record
    var output: [UInt8] = []
    output.reserveCapacity(1 << 20)
    for number in 0..<count {
      put(number / 1000, 3, into: &record, at: place + 3)
      put(number / each, 6, into: &record, at: place + 7)
      if let offset = offsetAt?(number) {
        for byte in 0..<4 { record[42 + byte] = UInt8(truncatingIfNeeded: offset >> (8 * byte)) }
      }
      output += record
      if output.count > 1_000_000 {
        try file.write(output)
        output.removeAll(keepingCapacity: true)
      }
    }
    try file.write(output)
  }

  private static func put(_ number: Int, _ digits: Int, into bytes: inout [UInt8], at place: Int) {
    var rest = number
    for digit in 1...digits {
      bytes[place + digits - digit] = UInt8(48 + rest % 10)
      rest /= 10
    }
  }
}

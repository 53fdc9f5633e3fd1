/// Writes zip archives byte by byte, and can tell any lie on the way.
///
/// What is set about an entry goes into both of its headers; `local` and `central` then change each one
/// alone. What is set about the archive goes into the end records; `end` changes those.
package struct ZipBuilder: Sendable {
  /// The fields of a header that can be overridden.
  package struct Fields: Sendable {
    package var signature: UInt32
    package var versionMadeBy: UInt16 = 0x031e
    package var versionNeeded: UInt16 = 20
    package var flags: UInt16 = 0
    package var method: UInt16 = 0
    package var time: UInt16 = 0x6000
    package var date: UInt16 = 0x5a21
    package var crc: UInt32 = 0
    package var compressedSize: UInt32 = 0
    package var size: UInt32 = 0
    package var name: [UInt8] = []
    package var extra: [UInt8] = []
    /// Lengths as written, where they are to differ from the truth.
    package var nameLength: UInt16?
    package var extraLength: UInt16?
    package var disk: UInt16 = 0
    package var internalAttributes: UInt16 = 0
    package var externalAttributes: UInt32 = 0
    package var offset: UInt32 = 0
    package var comment: [UInt8] = []
  }

  package struct Entry: Sendable {
    package var name: [UInt8]
    package var content: [UInt8]
    package var method: UInt16
    /// Bytes to store in place of the content's coding.
    package var coded: [UInt8]?
    package var flags: UInt16 = 0
    package var mode: UInt16?
    package var extra: [UInt8] = []
    package var comment: [UInt8] = []
    /// Bytes of a data descriptor behind the data.
    package var descriptor: [UInt8] = []
    package var local: @Sendable (inout Fields) -> Void = { _ in }
    package var central: @Sendable (inout Fields) -> Void = { _ in }
    /// Whether local header and data are left out, so that the entry shares those before it.
    package var isCentralOnly = false

    package init(
      _ name: String, _ content: String = "", method: UInt16 = 0, mode: UInt16? = nil
    ) {
      self.init(bytes: Array(name.utf8), Array(content.utf8), method: method, mode: mode)
    }

    package init(
      bytes name: [UInt8], _ content: [UInt8], method: UInt16 = 0, mode: UInt16? = nil
    ) {
      self.name = name
      self.content = content
      self.method = method
      self.mode = mode
    }

    /// Changes this entry, for building in one expression.
    package func with(_ change: (inout Entry) -> Void) -> Entry {
      var copy = self
      change(&copy)
      return copy
    }
  }

  /// The end of central directory record as it is going to be written.
  package struct End: Sendable {
    package var disk: UInt16 = 0
    package var directoryDisk: UInt16 = 0
    package var entriesOnDisk: UInt16
    package var entries: UInt16
    package var size: UInt32
    package var offset: UInt32
    package var commentLength: UInt16
  }

  package var entries: [Entry] = []
  package var prefix: [UInt8] = []
  package var trailing: [UInt8] = []
  package var comment: [UInt8] = []
  /// Whether Zip64 end records are written.
  package var isZip64 = false
  /// Whether offsets count the prefix.
  package var countsPrefix = false
  package var end: @Sendable (inout End) -> Void = { _ in }
  package var zip64End: @Sendable (inout [UInt8]) -> Void = { _ in }

  package init(_ entries: [Entry] = []) { self.entries = entries }

  /// The archive.
  package func bytes() -> [UInt8] {
    var body: [UInt8] = []
    var directory: [UInt8] = []
    let base = countsPrefix ? prefix.count : 0
    var offset = 0
    for entry in entries {
      let coded = entry.coded ?? Self.code(entry.content, method: entry.method)
      var fields = Fields(signature: 0x0403_4b50)
      fields.flags = entry.flags
      fields.method = entry.method
      fields.crc = TestChecksum.crc32(entry.content)
      fields.compressedSize = UInt32(coded.count)
      fields.size = UInt32(entry.content.count)
      fields.name = entry.name
      fields.extra = entry.extra
      fields.comment = entry.comment
      if let mode = entry.mode { fields.externalAttributes = UInt32(mode) << 16 }
      if !entry.isCentralOnly {
        offset = body.count + base
        var local = fields
        if !entry.descriptor.isEmpty {
          (local.crc, local.compressedSize, local.size) = (0, 0, 0)
          local.flags |= 8
        }
        entry.local(&local)
        body += Self.local(local) + coded + entry.descriptor
      }
      var central = fields
      if !entry.descriptor.isEmpty { central.flags |= 8 }
      central.signature = 0x0201_4b50
      central.offset = UInt32(truncatingIfNeeded: offset)
      entry.central(&central)
      directory += Self.central(central)
    }
    return prefix + body + directory + endRecords(body.count + base, directory.count) + trailing
  }

  private func endRecords(_ offset: Int, _ size: Int) -> [UInt8] {
    var result: [UInt8] = []
    if isZip64 {
      var record: [UInt8] = []
      record.put(UInt32(0x0606_4b50))
      record.put(UInt64(44))
      record.put(UInt16(45))
      record.put(UInt16(45))
      record.put(UInt32(0))
      record.put(UInt32(0))
      record.put(UInt64(entries.count))
      record.put(UInt64(entries.count))
      record.put(UInt64(size))
      record.put(UInt64(offset))
      zip64End(&record)
      result += record
      result.put(UInt32(0x0706_4b50))
      result.put(UInt32(0))
      result.put(UInt64(offset + size))
      result.put(UInt32(1))
    }
    var end = End(
      entriesOnDisk: isZip64 ? 0xffff : UInt16(truncatingIfNeeded: entries.count),
      entries: isZip64 ? 0xffff : UInt16(truncatingIfNeeded: entries.count),
      size: isZip64 ? 0xffff_ffff : UInt32(size), offset: isZip64 ? 0xffff_ffff : UInt32(offset),
      commentLength: UInt16(truncatingIfNeeded: comment.count))
    self.end(&end)
    result.put(UInt32(0x0605_4b50))
    result.put(end.disk)
    result.put(end.directoryDisk)
    result.put(end.entriesOnDisk)
    result.put(end.entries)
    result.put(end.size)
    result.put(end.offset)
    result.put(end.commentLength)
    return result + comment
  }

  private static func local(_ fields: Fields) -> [UInt8] {
    var result: [UInt8] = []
    result.put(fields.signature)
    result.put(fields.versionNeeded)
    result.put(fields.flags)
    result.put(fields.method)
    result.put(fields.time)
    result.put(fields.date)
    result.put(fields.crc)
    result.put(fields.compressedSize)
    result.put(fields.size)
    result.put(fields.nameLength ?? UInt16(fields.name.count))
    result.put(fields.extraLength ?? UInt16(fields.extra.count))
    return result + fields.name + fields.extra
  }

  private static func central(_ fields: Fields) -> [UInt8] {
    var result: [UInt8] = []
    result.put(fields.signature)
    result.put(fields.versionMadeBy)
    result.put(fields.versionNeeded)
    result.put(fields.flags)
    result.put(fields.method)
    result.put(fields.time)
    result.put(fields.date)
    result.put(fields.crc)
    result.put(fields.compressedSize)
    result.put(fields.size)
    result.put(fields.nameLength ?? UInt16(fields.name.count))
    result.put(fields.extraLength ?? UInt16(fields.extra.count))
    result.put(UInt16(fields.comment.count))
    result.put(fields.disk)
    result.put(fields.internalAttributes)
    result.put(fields.externalAttributes)
    result.put(fields.offset)
    return result + fields.name + fields.extra + fields.comment
  }

  /// The coding of content: as it is for method 0, deflate for method 8, as it is for the rest.
  package static func code(_ content: [UInt8], method: UInt16) -> [UInt8] {
    method == 8 ? TestDeflate.encode(content) : content
  }

  /// An extra field.
  package static func extra(_ id: UInt16, _ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.put(id)
    result.put(UInt16(data.count))
    return result + data
  }

  /// A data descriptor.
  package static func descriptor(
    _ content: [UInt8], compressedSize: Int, hasSignature: Bool = true, isWide: Bool = false
  ) -> [UInt8] {
    var result: [UInt8] = []
    if hasSignature { result.put(UInt32(0x0807_4b50)) }
    result.put(TestChecksum.crc32(content))
    if isWide {
      result.put(UInt64(compressedSize))
      result.put(UInt64(content.count))
    } else {
      result.put(UInt32(compressedSize))
      result.put(UInt32(content.count))
    }
    return result
  }
}

extension [UInt8] {
  /// Appends a number in little-endian order.
  package mutating func put(_ value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}

/// The CRC-32 of zip, by a table made here: independent of what is tested.
package enum TestChecksum {
  private static let table = (0..<256).map { number -> UInt32 in
    (0..<8).reduce(UInt32(number)) { crc, _ in
      crc & 1 != 0 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1
    }
  }

  package static func crc32(_ bytes: [UInt8]) -> UInt32 {
    let table = table
    var crc: UInt32 = 0xffff_ffff
    for byte in bytes { crc = crc >> 8 ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
    return ~crc
  }
}

/// A small deflate encoder: one block of fixed codes, runs of one byte as matches.
package enum TestDeflate {
  /// Deflate without compression: quick, for content of many megabytes.
  package static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var position = 0
    repeat {
      let end = min(position + 0xffff, bytes.count)
      output.append(end == bytes.count ? 1 : 0)
      output.put(UInt16(end - position))
      output.put(~UInt16(end - position))
      output += bytes[position..<end]
      position = end
    } while position < bytes.count
    return output
  }

  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var bits: UInt64 = 0
    var count = 0
    func put(_ value: UInt32, _ width: Int) {
      bits |= UInt64(value) << UInt64(count)
      count += width
      while count >= 8 {
        output.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        count -= 8
      }
    }
    // Huffman codes go in with their highest bit first.
    func code(_ value: UInt32, _ width: Int) {
      var reversed: UInt32 = 0
      for bit in 0..<width where value >> UInt32(bit) & 1 != 0 {
        reversed |= 1 << UInt32(width - 1 - bit)
      }
      put(reversed, width)
    }
    put(0b011, 3)
    var position = 0
    while position < bytes.count {
      let byte = UInt32(bytes[position])
      var run = 0
      if position > 0 {
        while position + run < bytes.count, run < 258, bytes[position + run] == bytes[position - 1]
        {
          run += 1
        }
      }
      if run == 258 {
        code(0b1100_0101, 8)  // length 258
        code(0, 5)  // distance 1
        position += 258
      } else {
        byte < 144 ? code(0x30 + byte, 8) : code(0x190 + byte - 144, 9)
        position += 1
      }
    }
    code(0, 7)
    if count > 0 { output.append(UInt8(truncatingIfNeeded: bits)) }
    return output
  }
}

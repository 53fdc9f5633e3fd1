import FuzzTargets
import Glibc
@testable import SystemIO
@testable import ZipKitCore

/// Archives from where they may come: parts, pipes, files beyond 4 GiB.
enum SourceChecks {
  private static let unit: UInt64 = 1 << 32
  // F_GETPIPE_SZ, which the C library's module leaves out.
  private static let getPipeSize: CInt = 1032

  /// An archive with a hole of some times 4 GiB in an entry's data, whose numbers are as before.
  static func modulo(_ bytes: [UInt8]) {
    guard let archive = open(bytes), archive.entries.count < 64 else { return }
    var random = SmallRandom(of: bytes)
    let stored = archive.entries.filter { $0.method == .stored && $0.compressedSize > 1 }
    var cut = UInt64(random.below(bytes.count))
    let holed = stored.isEmpty ? nil : random.one(of: Array(stored))
    if let holed, let data = dataStart(archive, holed), data + 1 < UInt64(bytes.count) {
      cut = data + 1
    }
    let hole = Self.unit * UInt64(1 + random.below(3))
    let source = HoledSource(bytes, hole: cut..<(cut + hole))
    guard let large = try? ZipArchive(source: source, options: opening) else { return }
    let reader = reader(large)
    for entry in large.entries {
      if large.core.directory.isModulo {
        expect(entry.localHeaderOffset < source.size, "what is put right is in the source")
        expect(entry.compressedSize <= source.size, "what is put right has room")
      }
      if entry.size <= mostContent, entry.compressedSize <= mostContent {
        _ = try? ArchiveChecks.streamed(reader, entry)
      }
    }
    guard archive.inspect().isEmpty, archive.base == 0, let holed,
      large.entries.count == archive.entries.count, large.core.directory.isModulo
    else { return }
    let small = self.reader(archive)
    for (entry, other) in zip(archive.entries, large.entries) where entry.index != holed.index {
      guard entry.size <= mostContent, other.size == entry.size,
        let content = try? ArchiveChecks.streamed(small, entry)
      else { continue }
      expect(
        (try? ArchiveChecks.streamed(reader, other)) == content,
        "\(entry.name) behind or before the hole is read")
    }
  }

  private static func reader(_ archive: ZipArchive) -> EntryReader {
    let reader = EntryReader(archive.core)
    reader.passwords = passwords
    reader.limits.decoderMemory = 16 << 20
    return reader
  }

  private static func dataStart(_ archive: ZipArchive, _ entry: ZipEntry) -> UInt64? {
    guard let start = archive.core.directory.localOffset(entry.header),
      let bytes = try? archive.core.source.bytes(at: start, count: LocalHeader.fixedSize),
      let local = LocalHeader(unsafe bytes.span.bytes, at: 0)
    else { return nil }
    return start.adding(UInt64(local.headerSize))
  }

  /// Parts, of which one may be missing: a byte of style and one of size are in front.
  static func split(_ bytes: [UInt8]) {
    guard bytes.count > 2 else { return }
    let size = max(1, Int(bytes[1])) * 16
    let archive = Array(bytes[2...])
    let isNumbered = bytes[0] & 1 == 0
    var parts: [[UInt8]] = []
    for start in stride(from: 0, to: archive.count, by: size) {
      parts.append(Array(archive[start..<min(start + size, archive.count)]))
    }
    guard parts.count <= 64 else { return }
    let missing = bytes[0] & 2 == 0 ? nil : Int(bytes[0] >> 2) % parts.count
    let folder = Place.folder("split")
    defer { try? FileSystem.removeTree(folder) }
    do {
      try FileSystem.makeDirectories(folder)
      for (number, part) in parts.enumerated() where number != missing {
        try Place.write(name(number, of: parts.count, isNumbered), part, in: folder)
      }
    } catch {
      return
    }
    let path = Path.join(folder, name(parts.count - 1, of: parts.count, isNumbered))
    guard let source = try? SplitSource.open(path: path) else { return }
    if missing == nil, let split = source as? SplitSource {
      // The set may be of fewer parts than there are: those that the last one counts.
      let whole = Array(archive.suffix(Int(min(split.size, UInt64(archive.count)))))
      if split.count == parts.count { read(split, whole) }
    }
    guard let opened = try? ZipArchive(source: source, options: opening) else { return }
    let reader = reader(opened)
    for entry in opened.entries.prefix(64) where entry.size <= mostContent {
      _ = try? ArchiveChecks.streamed(reader, entry)
    }
    _ = opened.inspect()
  }

  private static func name(_ number: Int, of count: Int, _ isNumbered: Bool) -> String {
    if isNumbered { return number == count - 1 ? "a.zip" : PartName.numbered("a.zip", number) }
    return PartName.cut("a.zip", number)
  }

  private static func read(_ source: SplitSource, _ whole: [UInt8]) {
    var random = SmallRandom(of: whole)
    expect(source.size == UInt64(whole.count), "parts are as long as the whole")
    for _ in 0..<8 {
      let start = random.below(whole.count + 2)
      let count = random.below(whole.count + 2)
      let end = min(start + count, whole.count)
      let found = try? source.bytes(at: UInt64(start), count: count)
      expect(found == (start < end ? Array(whole[start..<end]) : []), "parts read as the whole")
    }
  }

  /// The archive through a pipe on standard input.
  static func stream(_ bytes: [UInt8]) {
    let standard = FileDescriptor(borrowing: 0)
    do throws(any Error) {
      let kept = try standard.duplicate()
      defer { _ = dup2(kept.raw, 0) }
      do {
        let pipe = try FileDescriptor.pipe()
        // What a pipe holds needs no second thread; a user of many pipes gets small ones.
        guard bytes.count <= fcntl(pipe.write.raw, getPipeSize) else { return }
        try pipe.write.write(bytes)
        let read = pipe.keepingRead()
        _ = dup2(read.raw, 0)
      }
      let source = try ArchiveFinder.source("-")
      expect(source.size == UInt64(bytes.count), "all of the pipe is there")
      expect(try source.bytes(at: 0, count: bytes.count) == bytes, "and as it was")
      let streamed = try? ZipArchive(source: source, options: opening)
      let direct = open(bytes)
      expect((streamed == nil) == (direct == nil), "a pipe is as good as memory")
      expect(streamed?.entries.map(\.name) == direct?.entries.map(\.name), "and lists the same")
    } catch {
      expect(false, "a pipe can be read: \(error)")
    }
  }
}

/// An archive with a hole of zeros in it.
struct HoledSource: ArchiveSource {
  private let bytes: [UInt8]
  private let hole: Range<UInt64>

  init(_ bytes: [UInt8], hole: Range<UInt64>) {
    self.bytes = bytes
    self.hole = hole
  }

  var size: UInt64 { UInt64(bytes.count) + UInt64(hole.count) }

  func read(at offset: UInt64, into output: inout OutputRawSpan) throws(ZipError) {
    var place = offset
    while place < size, output.freeCapacity > 0 {
      if hole.contains(place) {
        let count = Int(min(hole.upperBound - place, UInt64(output.freeCapacity)))
        unsafe output.withUnsafeMutableBytes { buffer, used in
          // Safety: `count` bytes are free behind those that are in use.
          unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[used..<(used + count)])
            .initializeMemory(as: UInt8.self, repeating: 0)
          used += count
        }
        place += UInt64(count)
        continue
      }
      let start = Int(place < hole.lowerBound ? place : place - UInt64(hole.count))
      let end = place < hole.lowerBound ? Int(hole.lowerBound) : bytes.count
      for byte in bytes[start..<min(end, start + output.freeCapacity)] {
        output.append(byte)
        place += 1
      }
    }
  }
}

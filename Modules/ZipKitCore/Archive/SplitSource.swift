internal import SystemIO

/// The parts of a split archive as one source, in their order.
///
/// Two ways to split are in use. Zip's own (APPNOTE 8.3): `a.z01`, `a.z02` … and `a.zip` last, in which
/// places are told by part and offset. And a plain cut: `a.zip.001`, `a.zip.002` …, which is one archive
/// again when put together. A part that is not there makes only that unreadable which lies in it.
public final class SplitSource: ArchiveSource {
  private struct Part {
    var path: String
    var start: UInt64
    var size: UInt64
    /// nil where it is missing.
    var file: FileSource?
  }

  /// Bytes of all parts together; those of a missing one are guessed.
  public let size: UInt64
  /// Whether places in the archive are told by part and offset.
  let hasDisks: Bool
  private let parts: [Part]

  private init(_ paths: [String], hasDisks: Bool) throws(ZipError) {
    var files: [FileSource?] = []
    for path in paths {
      files.append(FileSystem.exists(path) ? try FileSource(path: path) : nil)
    }
    // All parts but the last are of one size, as far as anybody knows.
    let usual = files.compactMap { $0?.size }.max() ?? 0
    var parts: [Part] = []
    var start: UInt64 = 0
    for (path, file) in zip(paths, files) {
      let size = file?.size ?? usual
      parts.append(Part(path: path, start: start, size: size, file: file))
      start = start.adding(size) ?? .max
    }
    self.parts = parts
    self.hasDisks = hasDisks
    size = start
  }

  /// The number of parts.
  public var count: Int { parts.count }

  /// Paths of the parts that are not there.
  public var missing: [String] { parts.filter { $0.file == nil }.map(\.path) }

  /// Opens a file and, where it is part of a split archive, the others beside it.
  ///
  /// - Parameter path: The file, or any part of a set.
  /// - Returns: The set, or the file alone where nothing belongs to it.
  /// - Throws: ``ZipError``: `source-open`, `source-read`; `part-missing` for the part that is needed to
  ///   find the others.
  public static func open(path: String) throws(ZipError) -> any ArchiveSource {
    if let stem = PartName.cutStem(path) {
      let first = PartName.cut(stem, 0)
      guard FileSystem.exists(first) else { throw .partMissing(first) }
      return try SplitSource(PartName.cutParts(stem), hasDisks: false)
    }
    var last = path
    if let name = PartName.last(of: path) {
      guard FileSystem.exists(name) else { throw .partMissing(name) }
      last = name
    }
    let file = try FileSource(path: last)
    guard file.size > 0, let disk = try DirectoryLocator(file).lastDisk, disk > 0,
      disk < PartName.most
    else { return file }
    let paths = (0..<Int(disk)).map { PartName.numbered(last, $0) }
    guard paths.contains(where: { FileSystem.exists($0) }) else { return file }
    return try SplitSource(paths + [last], hasDisks: true)
  }

  /// Reads across the borders of parts.
  public func read(at offset: UInt64, into output: inout OutputRawSpan) throws(ZipError) {
    guard offset < size, var number = parts.lastIndex(where: { $0.start <= offset }) else { return }
    var position = offset
    while number < parts.count, output.freeCapacity > 0 {
      let part = parts[number]
      guard let file = part.file else {
        // What was read ahead of a missing part is of use without it.
        if position > offset { return }
        throw .partMissing(part.path, offset: offset)
      }
      let before = output.byteCount
      try file.read(at: position - part.start, into: &output)
      position += UInt64(output.byteCount - before)
      guard position == part.start + part.size else { return }
      number += 1
    }
  }

  /// Where the parts at the end begin of which none is missing.
  var lastRun: UInt64 {
    parts.lastIndex { $0.file == nil }.map { parts[$0].start + parts[$0].size } ?? 0
  }

  /// Where a part begins; nil for a number that no part has.
  func start(ofDisk number: UInt64) -> UInt64? {
    number < UInt64(parts.count) ? parts[Int(number)].start : nil
  }

  /// The first missing part that some bytes would lie in.
  func missing(in range: Range<UInt64>) -> String? {
    parts.first {
      $0.file == nil && range.lowerBound < $0.start + $0.size && $0.start < range.upperBound
    }?.path
  }
}

/// How parts of split archives are called.
enum PartName {
  // Sets of more parts than this are nobody's.
  static let most = 10_000

  /// `a.zip` of `a.zip.001`; nil for other names.
  static func cutStem(_ path: String) -> String? {
    let name = Path.name(of: path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let digits = name[name.index(after: dot)...]
    guard digits.utf8.count == 3, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      dot > name.startIndex
    else { return nil }
    return String(path.dropLast(4))
  }

  /// `a.zip.001` for the number 0.
  static func cut(_ stem: String, _ number: Int) -> String {
    let digits = String(number + 1)
    return stem + "." + String(repeating: "0", count: max(0, 3 - digits.utf8.count)) + digits
  }

  /// All parts up to the last one that is there.
  static func cutParts(_ stem: String) -> [String] {
    let prefix = Path.name(of: stem) + "."
    let names = (try? FileSystem.names(in: Path.parent(of: stem))) ?? []
    let last = names.compactMap { name -> Int? in
      guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)), number > 0,
        number <= most, cut(stem, number - 1).hasSuffix("/" + name) || cut(stem, number - 1) == name
      else { return nil }
      return number
    }.max()
    return (0..<(last ?? 1)).map { cut(stem, $0) }
  }

  /// The last part's name, for a part's; nil for names that are not `a.z01`.
  static func last(of path: String) -> String? {
    guard let (stem, ending) = split(path), let first = ending.first, "zZ".contains(first) else {
      return nil
    }
    let rest = ending.dropFirst()
    let isLong = rest.first == "x" || rest.first == "X"
    let digits = isLong ? rest.dropFirst() : rest
    guard digits.count >= 2, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      return nil
    }
    let zip = first == "Z" ? "ZIP" : "zip"
    return "\(stem).\(zip)\(isLong ? first == "Z" ? "X" : "x" : "")"
  }

  /// `a.z01` of `a.zip` for the number 0.
  static func numbered(_ last: String, _ number: Int) -> String {
    let (stem, ending) = split(last) ?? (last, "zip")
    let isCapital = ending.first == "Z"
    let mark = ending.lowercased() == "zipx" ? (isCapital ? "ZX" : "zx") : isCapital ? "Z" : "z"
    let digits = String(number + 1)
    return "\(stem).\(mark)\(digits.utf8.count < 2 ? "0" : "")\(digits)"
  }

  private static func split(_ path: String) -> (stem: String, ending: String)? {
    guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")), !Path.hasSlash(String(path[dot...]))
    else { return nil }
    return (String(path[..<dot]), String(path[path.utf8.index(after: dot)...]))
  }
}

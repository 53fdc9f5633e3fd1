import FuzzTargets
@testable import PdfThumbCore

/// A document as its objects, which the fuzzer changes; what it is written out with is sound.
///
/// The first object is the catalog. A stream stands behind its dictionary's entries, as it is or to be packed.
struct DocumentModel {
  private static let end: [UInt8] = [0, 0xFE, 0xFE]
  private static let plain: [UInt8] = [0, 0xFD, 0xFD]
  private static let packed: [UInt8] = [0, 0xFC, 0xFC]

  var objects: [[UInt8]]

  init(_ objects: [[UInt8]]) { self.objects = objects }

  /// Reads what ``bytes`` gives.
  init(bytes: [UInt8]) { objects = Array(Self.parts(of: bytes, by: Self.end).prefix(64)) }

  /// What the fuzzer keeps.
  var bytes: [UInt8] { Array(objects.joined(separator: Self.end)) }

  /// A stream as an object here.
  static func stream(_ entries: String, _ data: [UInt8], isPacked: Bool = false) -> [UInt8] {
    Array(entries.utf8) + (isPacked ? packed : plain) + data
  }

  /// The document.
  var file: [UInt8] {
    var file = Array("%PDF-1.7\n".utf8)
    var table = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
    for (index, object) in objects.enumerated() {
      table += "\(String(10_000_000_000 + file.count).dropFirst()) 00000 n \n"
      file += Array("\(index + 1) 0 obj\n".utf8) + Self.written(object)
      file += Array("\nendobj\n".utf8)
    }
    let tail = "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(file.count)\n"
    return file + Array((table + tail + "%%EOF\n").utf8)
  }

  private static func written(_ object: [UInt8]) -> [UInt8] {
    for (mark, isPacked) in [(plain, false), (packed, true)] {
      let parts = parts(of: object, by: mark)
      guard parts.count > 1 else { continue }
      var data = Array(parts[1...].joined(separator: mark))
      if isPacked { data = Zlib.compress(data, level: 6) ?? [] }
      let filter = isPacked ? " /Filter /FlateDecode" : ""
      return Array("<< ".utf8) + parts[0]
        + Array("\(filter) /Length \(data.count) >>\nstream\n".utf8) + data
        + Array("\nendstream".utf8)
    }
    return object
  }

  private static func parts(of bytes: [UInt8], by mark: [UInt8]) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var start = 0
    var place = 0
    while place + mark.count <= bytes.count {
      if bytes[place] == mark[0], bytes[place..<place + mark.count].elementsEqual(mark) {
        parts.append(Array(bytes[start..<place]))
        place += mark.count
        start = place
      } else {
        place += 1
      }
    }
    return parts + [Array(bytes[start...])]
  }
}

// Changes that keep a document one.
extension DocumentModel {
  private static let numbers = [
    "0", "1", "-1", "2", "3", "7", "8", "16", "255", "4096", "65535", "65536", "1000000",
    "2147483647",
    "-2147483648", "4294967296", "9223372036854775807", "1e9", "0.00001", "-0.5", ".", "99999999.9",
    String(repeating: "9", count: 320),
  ]
  private static let names = [
    "/FlateDecode", "/RunLengthDecode", "/CCITTFaxDecode", "/DCTDecode", "/LZWDecode",
    "/ASCII85Decode",
    "/JBIG2Decode", "/JPXDecode", "/DeviceRGB", "/DeviceGray", "/DeviceCMYK", "/CalRGB", "/Indexed",
    "/ICCBased",
    "/Separation", "/Pattern", "/Width", "/Height", "/BitsPerComponent", "/ColorSpace", "/Decode",
    "/ImageMask",
    "/SMask", "/Mask", "/Matte", "/Predictor", "/Columns", "/Colors", "/K", "/BlackIs1", "/Filter",
    "/DecodeParms",
    "/Length", "/Kids", "/Parent", "/Contents", "/Resources", "/XObject", "/Font", "/Form",
    "/Image", "/Type3",
    "/BBox", "/Matrix", "/Rotate", "/MediaBox", "/CropBox", "/UserUnit", "/Annots", "/AP", "/Count",
    "/F", "/I",
  ]

  /// Makes one change.
  mutating func mutate(_ random: inout SmallRandom) {
    guard !objects.isEmpty else { return objects = [random.bytes(8)] }
    let number = random.below(objects.count)
    switch random.below(8) {
    case 0: objects.swapAt(number, random.below(objects.count))
    case 1: if objects.count < 48 { objects.append(objects[number]) }
    case 2: objects[number] = random.one(of: objects)
    case 3, 4: replace(number, with: random.one(of: Self.numbers), &random) { 48...57 ~= $0 }
    case 5:
      replace(number, with: random.one(of: Self.names), &random) {
        $0 == 47 || 65...90 ~= $0 || 97...122 ~= $0
      }
    default: random.change(&objects[number])
    }
  }

  /// Puts a word in place of one of those made of certain bytes.
  private mutating func replace(
    _ number: Int, with word: String, _ random: inout SmallRandom, _ isPart: (UInt8) -> Bool
  ) {
    let object = objects[number]
    let starts = object.indices.filter {
      isPart(object[$0]) && ($0 == 0 || !isPart(object[$0 - 1]))
    }
    guard !starts.isEmpty else { return }
    let start = random.one(of: starts)
    let count = object[start...].prefix(while: isPart).count
    objects[number].replaceSubrange(start..<start + count, with: Array(word.utf8))
  }
}

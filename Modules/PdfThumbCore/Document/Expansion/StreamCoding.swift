/// How a stream is compressed, where it is Flate alone.
struct StreamCoding: Equatable {
  /// The bytes of a row that PNG's prediction was used on, without the one that names the filter; `nil` without
  /// prediction.
  var rowCount: Int?
  /// The bytes from one pixel to the next.
  var step = 1

  /// Flate without prediction.
  init() {}

  /// Reads a stream's dictionary; `nil` when it is coded otherwise, or prediction is not PNG's.
  init?(_ entries: [DictionaryEntry], in view: ByteView) {
    guard entries.value("F", in: view) == nil, let filter = entries.value("Filter", in: view),
      Self.isFlate(filter, in: view)
    else { return nil }
    guard let parameters = entries.value("DecodeParms", in: view),
      !view.equals("null", in: parameters)
    else { return }
    guard let inner = Self.single(parameters, in: view),
      let found = ObjectScanner.entries(of: inner, in: view)
    else { return nil }
    guard found.value("Predictor", in: view) != nil else { return }
    let predictor = found.integer("Predictor", in: view)
    if predictor == 1 { return }
    guard let predictor, (10...15).contains(predictor) else { return nil }
    var sizes: [Int] = []
    for (key, usual) in [("Colors", 1), ("BitsPerComponent", 8), ("Columns", 1)]
      as [(StaticString, Int)]
    {
      let size = found.value(key, in: view) == nil ? usual : found.integer(key, in: view)
      guard let size, (1...1_000_000).contains(size) else { return nil }
      sizes.append(size)
    }
    guard sizes[0] <= 32, sizes[1] <= 16 else { return nil }
    rowCount = (sizes[0] * sizes[1] * sizes[2] + 7) / 8
    step = max(1, sizes[0] * sizes[1] / 8)
  }

  private static func isFlate(_ range: Range<Int>, in view: ByteView) -> Bool {
    var scanner = ObjectScanner(view, at: range.lowerBound)
    if view[range.lowerBound] == UInt8(ascii: "[") { scanner.place += 1 }
    guard let name = scanner.value(),
      view.equals("/FlateDecode", in: name) || view.equals("/Fl", in: name)
    else { return false }
    guard view[range.lowerBound] == UInt8(ascii: "[") else { return true }
    scanner.skipSpace()
    return scanner.place + 1 == range.upperBound
  }

  /// A dictionary, or the only element of an array.
  private static func single(_ range: Range<Int>, in view: ByteView) -> Range<Int>? {
    guard view[range.lowerBound] == UInt8(ascii: "[") else { return range }
    var scanner = ObjectScanner(view, at: range.lowerBound + 1)
    guard let inner = scanner.value() else { return nil }
    scanner.skipSpace()
    return scanner.place + 1 == range.upperBound ? inner : nil
  }

  /// Undoes PNG's prediction (PNG specification, 9.2) in the bytes from `start` on; `false` when they are not whole
  /// rows, or name a filter that there is not.
  func undoPrediction(in bytes: inout [UInt8], from start: Int) -> Bool {
    guard let rowCount else { return true }
    let count = bytes.count - start
    guard count % (rowCount + 1) == 0 else { return false }
    var source = start
    var target = start
    for row in 0..<count / (rowCount + 1) {
      let filter = bytes[source]
      source += 1
      guard filter <= 4 else { return false }
      for column in 0..<rowCount {
        let left = column >= step ? bytes[target - step] : 0
        let above = row > 0 ? bytes[target - rowCount] : 0
        let corner = row > 0 && column >= step ? bytes[target - rowCount - step] : 0
        bytes[target] =
          bytes[source] &+ Self.prediction(filter, left: left, above: above, corner: corner)
        source += 1
        target += 1
      }
    }
    bytes.removeLast(bytes.count - target)
    return true
  }

  @inline(__always)
  private static func prediction(
    _ filter: UInt8, left: UInt8, above: UInt8, corner: UInt8
  ) -> UInt8 {
    switch filter {
    case 1: return left
    case 2: return above
    case 3: return UInt8((Int(left) + Int(above)) / 2)
    case 4:
      let guess = Int(left) + Int(above) - Int(corner)
      let (a, b, c) = (
        abs(guess - Int(left)), abs(guess - Int(above)), abs(guess - Int(corner))
      )
      return a <= b && a <= c ? left : b <= c ? above : corner
    default: return 0
    }
  }
}

/// How a stream is compressed, where it is Flate alone.
struct StreamCoding: Equatable {
  /// How its rows were changed before they were packed, if they were.
  var prediction: RowPrediction?

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
    func size(_ key: StaticString, usual: Int) -> Int? {
      found.value(key, in: view) == nil ? usual : found.integer(key, in: view)
    }
    guard let predictor, let colors = size("Colors", usual: 1),
      let bits = size("BitsPerComponent", usual: 8), let columns = size("Columns", usual: 1),
      let rows = RowPrediction(
        predictor: predictor, colors: colors, bits: bits, columns: columns)
    else { return nil }
    prediction = rows
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

  /// Undoes the prediction in the bytes from `start` on; `false` when they are not whole rows, or name a filter that
  /// there is not.
  func undoPrediction(in bytes: inout [UInt8], from start: Int) -> Bool {
    prediction?.undo(in: &bytes, from: start) ?? true
  }
}

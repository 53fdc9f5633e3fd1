/// How rows were changed before they were packed (ISO 32000-1, 7.4.4.4).
private enum RowPrediction {
  case none
  /// Each row says in a first byte how it was filtered; so many bytes are a pixel's.
  case png(pixel: Int)
}

extension QPDFObject {
  /// Lends the rows of an image that is packed without loss, one after the other.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - length: The bytes of a row, at least 1.
  ///   - row: Gets each row.
  /// - Returns: Whether all of them were there.
  func withRows(_ count: Int, length: Int, _ row: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard let filters, let prediction = Self.prediction(filters.last?.parameters, length: length)
    else { return unsafe withUnpackedRows(count, length: length, row) }
    let isWhole: Bool?
    switch filters.map(\.name) {
    case ["/FlateDecode"], ["/Fl"]:
      isWhole = unsafe withStream(.none) { packed in
        unsafe Self.inflate(packed, count, length, prediction, row)
      }
    case ["/RunLengthDecode", "/FlateDecode"]:
      isWhole = unsafe withStream(.none) { coded in
        guard let packed = unsafe RunLengths.decode(coded, limit: 256 << 20) else { return false }
        return unsafe packed.withUnsafeBytes {
          unsafe Self.inflate($0, count, length, prediction, row)
        }
      }
    default: return unsafe withUnpackedRows(count, length: length, row)
    }
    return isWhole ?? false
  }

  /// The prediction that parameters ask for, or `nil` when it is one not known here.
  private static func prediction(_ parameters: QPDFObject?, length: Int) -> RowPrediction? {
    guard let parameters else { return RowPrediction.none }
    let predictor = parameters["/Predictor"]?.integer ?? 1
    guard predictor > 1 else { return RowPrediction.none }
    let colors = parameters["/Colors"]?.integer ?? 1
    let bits = parameters["/BitsPerComponent"]?.integer ?? 8
    let columns = parameters["/Columns"]?.integer ?? 1
    guard (10...15).contains(predictor), (1...4).contains(colors), (1...8).contains(bits),
      (1...1_000_000).contains(columns), (columns * colors * bits + 7) / 8 == length
    else { return nil }
    return .png(pixel: max(1, colors * bits / 8))
  }

  private func withUnpackedRows(
    _ count: Int, length: Int, _ row: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    unsafe withStream(.lossless) { bytes in
      guard bytes.count >= count * length else { return false }
      for index in 0..<count {
        unsafe row(
          UnsafeRawBufferPointer(rebasing: bytes[index * length..<(index + 1) * length]))
      }
      return true
    } ?? false
  }

  private static func inflate(
    _ packed: UnsafeRawBufferPointer, _ count: Int, _ length: Int, _ prediction: RowPrediction,
    _ row: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    guard var inflater = Inflater(), unsafe inflater.begin(packed) else { return false }
    let (pixel, lead) = if case .png(let pixel) = prediction { (pixel, 1) } else { (0, 0) }
    let stride = length + lead
    // Some rows at a time; above them the last row before, which is zeros at first.
    let rows = max(1, min(count, (1 << 16) / stride))
    var buffer = [UInt8](repeating: 0, count: (rows + 1) * stride)
    var done = 0
    while done < count {
      let wanted = min(rows, count - done)
      let isSound = unsafe buffer.withUnsafeMutableBytes { bytes in
        let fresh = unsafe UnsafeMutableRawBufferPointer(
          rebasing: bytes[stride..<(wanted + 1) * stride])
        guard unsafe inflater.read(into: fresh) == fresh.count else { return false }
        for index in 1...wanted {
          let start = index * stride + lead
          if pixel > 0 {
            guard unsafe unfilter(bytes, at: start, length: length, pixel: pixel) else {
              return false
            }
          }
          unsafe row(UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]))
        }
        let last = unsafe UnsafeRawBufferPointer(
          rebasing: bytes[wanted * stride..<(wanted + 1) * stride])
        unsafe bytes.copyMemory(from: last)
        return true
      }
      guard isSound else { return false }
      done += wanted
    }
    return true
  }

  /// Undoes a PNG filter (PNG specification, 9.2); the row above stands before this one.
  private static func unfilter(
    _ bytes: UnsafeMutableRawBufferPointer, at start: Int, length: Int, pixel: Int
  ) -> Bool {
    let above = start - length - 1
    switch unsafe bytes[start - 1] {
    case 0: break
    case 1:
      for place in pixel..<max(pixel, length) {
        unsafe bytes[start + place] &+= bytes[start + place - pixel]
      }
    case 2:
      for place in 0..<length { unsafe bytes[start + place] &+= bytes[above + place] }
    case 3:
      for place in 0..<length {
        let left = place < pixel ? 0 : Int(unsafe bytes[start + place - pixel])
        let mean = (left + Int(unsafe bytes[above + place])) / 2
        unsafe bytes[start + place] &+= UInt8(truncatingIfNeeded: mean)
      }
    case 4:
      for place in 0..<length {
        let left = place < pixel ? 0 : Int(unsafe bytes[start + place - pixel])
        let corner = place < pixel ? 0 : Int(unsafe bytes[above + place - pixel])
        let up = Int(unsafe bytes[above + place])
        unsafe bytes[start + place] &+= UInt8(truncatingIfNeeded: paeth(left, up, corner))
      }
    default: return false
    }
    return true
  }

  private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
    let guess = left + up - corner
    let (toLeft, toUp, toCorner) = (abs(guess - left), abs(guess - up), abs(guess - corner))
    if toLeft <= toUp, toLeft <= toCorner { return left }
    return toUp <= toCorner ? up : corner
  }
}

extension QPDFObject {
  /// Lends the rows of an image that is packed without loss, one after the other.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - length: The bytes of a row, at least 1.
  ///   - row: Gets each row.
  /// - Returns: Whether all of them were there.
  func withRows(_ count: Int, length: Int, _ row: (UnsafeRawBufferPointer) -> Void) -> Bool {
    let parameters = filters?.last?.parameters
    let isPredicted = (parameters?["/Predictor"]?.integer ?? 1) > 1
    let prediction = isPredicted ? parameters.flatMap { Self.prediction($0, length: length) } : nil
    guard let filters, isPredicted == (prediction != nil) else {
      return unsafe withUnpackedRows(count, length: length, row)
    }
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
  private static func prediction(_ parameters: QPDFObject, length: Int) -> RowPrediction? {
    let rows = RowPrediction(
      predictor: parameters["/Predictor"]?.integer ?? 1,
      colors: parameters["/Colors"]?.integer ?? 1,
      bits: parameters["/BitsPerComponent"]?.integer ?? 8,
      columns: parameters["/Columns"]?.integer ?? 1)
    return rows?.rowCount == length ? rows : nil
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
    _ packed: UnsafeRawBufferPointer, _ count: Int, _ length: Int, _ prediction: RowPrediction?,
    _ row: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    guard var inflater = Inflater(), unsafe inflater.begin(packed) else { return false }
    let lead = prediction == nil ? 0 : 1
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
          if let prediction {
            let isKnown = unsafe prediction.undo(
              in: bytes, from: index * stride, to: start, above: start - stride)
            guard isKnown else { return false }
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
}

extension ScanImage {
  /// Decodes the image and averages it.
  ///
  /// - Parameter space: Its colour space, or `nil` for a mask.
  /// - Returns: Its samples as they are in the file, or `nil` when the image is the renderer's.
  func plane(_ space: ScanColorSpace? = nil) -> Plane? {
    guard let filters = object.filters else { return nil }
    let coders: Set = [
      "/DCTDecode", "/DCT", "/JPXDecode", "/CCITTFaxDecode", "/CCF", "/JBIG2Decode",
    ]
    guard let last = filters.last, coders.contains(last.name) else { return unpacked(space) }
    switch last.name {
    case "/DCTDecode", "/DCT":
      if let transform = last.parameters?["/ColorTransform"]?.integer, transform != 1 { return nil }
      guard bits == 8 else { return nil }
      return unsafe object.withCodedStream { bytes in
        reduced(unsafe TurboJPEG.decode(bytes, size: size, least: least))
      }
    case "/JPXDecode":
      return unsafe object.withCodedStream { bytes in
        reduced(unsafe OpenJPEG.decode(bytes, size: size, least: least))
      }
    case "/JBIG2Decode": return jbig2(last.parameters)
    default: return fax(last.parameters)
    }
  }

  /// The least size an image may be decoded in.
  private var least: PixelSize {
    PixelSize(width: horizontal.wholeCount, height: vertical.wholeCount)
  }

  private var suitsBits: Bool { BilevelReducer.suits(size, horizontal, vertical) }

  private func reduced(_ decoded: (samples: [UInt8], size: PixelSize, parts: Int)?) -> Plane? {
    guard let decoded else { return nil }
    let samples = SampleReducer.reduce(
      decoded.samples, size: decoded.size, parts: decoded.parts, horizontal, vertical)
    return .samples(samples, parts: decoded.parts)
  }

  private func fax(_ parameters: QPDFObject?) -> Plane? {
    var coding = FaxParameters()
    coding.k = parameters?["/K"]?.integer ?? 0
    coding.columns = parameters?["/Columns"]?.integer ?? 1728
    coding.isByteAligned = parameters?["/EncodedByteAlign"]?.bool ?? false
    guard bits == 1, suitsBits, coding.columns == size.width else { return nil }
    let blackIsOne = parameters?["/BlackIs1"]?.bool ?? false
    return unsafe object.withCodedStream { bytes in
      var decoder = unsafe FaxDecoder(bytes, coding)
      var reducer = BilevelReducer(size, horizontal, vertical)
      guard decoder.decode(rows: size.height, { reducer.add($0) }) else { return nil }
      let black = reducer.shares
      return .shares(blackIsOne ? black : black.map { 255 - $0 })
    }
  }

  private func jbig2(_ parameters: QPDFObject?) -> Plane? {
    guard bits == 1, suitsBits else { return nil }
    return unsafe object.withCodedStream { bytes in
      guard let globals = parameters?["/JBIG2Globals"] else { return unsafe jbig2(bytes, nil) }
      return unsafe globals.withStream(.lossless) { unsafe jbig2(bytes, $0) }
    }
  }

  private func jbig2(
    _ bytes: UnsafeRawBufferPointer, _ globals: UnsafeRawBufferPointer?
  ) -> Plane? {
    var reducer = BilevelReducer(size, horizontal, vertical)
    var changes = BitChanges()
    let isSound = unsafe JBIG2.decode(bytes, globals: globals, size: size) { row in
      unsafe changes.find(in: row, width: size.width)
      reducer.add(changes.places.span)
    }
    // Black is 1 in JBIG2 and 0 in PDF (7.4.7).
    return isSound ? .shares(reducer.shares.map { 255 - $0 }) : nil
  }

  private func unpacked(_ space: ScanColorSpace?) -> Plane? {
    let parts = if case .indexed? = space { 1 } else { space?.parts ?? 1 }
    guard [1, 2, 4, 8].contains(bits) else { return nil }
    let length = (size.width * parts * bits + 7) / 8
    if bits == 1, parts == 1, suitsBits {
      var reducer = BilevelReducer(size, horizontal, vertical)
      var changes = BitChanges()
      let isWhole = unsafe object.withRows(size.height, length: length) { row in
        unsafe changes.find(in: row, width: size.width)
        reducer.add(changes.places.span)
      }
      return isWhole ? .shares(reducer.shares) : nil
    }
    var palette: [RGBColor] = []
    if case .indexed(let colors)? = space {
      guard !isInverted else { return nil }
      palette = colors
    }
    let outParts = palette.isEmpty ? parts : 3
    var reducer = SampleReducer(size, parts: outParts, horizontal, vertical)
    var whole: [UInt8] = []
    let isWhole = unsafe object.withRows(size.height, length: length) { row in
      if bits == 8, palette.isEmpty { return unsafe reducer.add(row) }
      unsafe expand(row, count: size.width * parts, palette, into: &whole)
      unsafe whole.withUnsafeBytes { unsafe reducer.add($0) }
    }
    return isWhole ? .samples(reducer.samples, parts: outParts) : nil
  }

  /// Makes whole bytes of a row's samples of fewer bits, and colours of indices.
  private func expand(
    _ row: UnsafeRawBufferPointer, count: Int, _ palette: [RGBColor], into whole: inout [UInt8]
  ) {
    whole.removeAll(keepingCapacity: true)
    let greatest = (1 << bits) - 1
    for index in 0..<count {
      let bit = index * bits
      let value = Int(unsafe row[bit / 8]) >> (8 - bits - bit % 8) & greatest
      if palette.isEmpty {
        whole.append(UInt8(value * 255 / greatest))
      } else {
        // Beyond the last colour that stands (8.6.6.3).
        let color = palette[min(value, palette.count - 1)]
        whole.append(color.red)
        whole.append(color.green)
        whole.append(color.blue)
      }
    }
  }
}

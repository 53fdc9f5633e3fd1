import FuzzTargets
@testable import PdfThumbCore

/// What reads documents ourselves, beside poppler: copies, scans, and how content is coded.
enum DocumentChecks {
  private static let greatestCopy = 1 << 20

  /// Copies whose streams are expanded, of the whole document and of some pages.
  static func expansion(_ bytes: [UInt8]) {
    let copy = unsafe bytes.withUnsafeBytes {
      unsafe DocumentExpander.expand($0, limit: greatestCopy)
    }
    expect(copy.map { $0.count <= greatestCopy } ?? true)
    let first = Int(bytes.last ?? 0) % 3
    let few = unsafe bytes.withUnsafeBytes {
      unsafe DocumentExpander.expand($0, pages: first..<first + 2, limit: greatestCopy)
    }
    expect(few.map { $0.copy.count <= greatestCopy } ?? true)
    guard let copy else { return }
    let again = unsafe copy.withUnsafeBytes {
      unsafe DocumentExpander.expand($0, limit: 2 * greatestCopy)
    }
    expect(again != nil, "a copy can be copied")
  }

  /// Pages that are put together from their images.
  static func scan(_ bytes: [UInt8]) {
    let size = PixelSize(width: 40, height: 60)
    let document = DocumentBytes(copying: bytes)
    guard var handle = QPDFHandle.open(bytes: document) else { return }
    let layers = handle.layers()
    for page in 0..<2 {
      let canvas = handle.withPage(page) { object -> ScanCanvas? in
        guard let boxes = QPDFHandle.boxes(of: object) else { return nil }
        let box = boxes.crop
        let shown =
          boxes.rotation % 180 == 0 ? (box.width, box.height) : (box.height, box.width)
        return PDFDocument.canvas(
          object, shown: shown, settings: RenderSettings(), size: size, layers)
      }
      if let canvas { expect(canvas.pixels.count == size.width * size.height) }
    }
  }

  /// What is looked up in a document's structure, and changed in copies of it.
  static func structure(_ bytes: [UInt8]) {
    let document = DocumentBytes(copying: bytes)
    guard var handle = QPDFHandle.open(bytes: document) else { return }
    var survey = ResourceSurvey()
    for page in 0..<2 {
      _ = handle.survey(page, &survey)
      _ = handle.hasCircles(page)
      _ = handle.isRichInText(page)
      if let unit = handle.userUnit(of: page) { expect(unit > 0 && unit <= 75_000) }
      let findings = handle.standIns(for: page, scale: 0.1, known: [:], refused: [])
      for image in findings.made {
        expect(image.size.width > 0 && image.size.height > 0, "an image has a size")
      }
    }
    for changes in [
      QPDFHandle.Changes(hidesText: true), QPDFHandle.Changes(rebuildsPages: true),
      QPDFHandle.Changes(cutsCircles: true), QPDFHandle.Changes(box: .trim, expands: true),
    ] {
      guard var changed = QPDFHandle.open(bytes: document) else { continue }
      guard let copy = changed.copy(changes) else { continue }
      expect(QPDFHandle.open(bytes: copy) != nil, "a copy can be read")
    }
  }

  /// Fax-coded rows; the first three bytes say how.
  static func fax(_ bytes: [UInt8]) {
    guard bytes.count > 3 else { return }
    let parameters = FaxParameters(
      k: Int(bytes[0] % 3) - 1, columns: 1 + Int(bytes[1]) * 9, isByteAligned: bytes[2] & 1 == 1)
    unsafe bytes[3...].withUnsafeBytes { data in
      var decoder = unsafe FaxDecoder(data, parameters)
      var rows = 0
      let isWhole = decoder.decode(rows: 100) { changes in
        rows += 1
        var last: Int32 = 0
        for index in changes.indices {
          expect(changes[index] >= last, "changes ascend")
          last = changes[index]
        }
        expect(last <= Int32(parameters.columns), "and lie within the row")
      }
      expect(!isWhole || rows == 100)
    }
  }

  /// Streams that are packed, from hostile bytes and from our own; the first byte is the size of what is read at once.
  static func inflate(_ bytes: [UInt8]) {
    guard bytes.count > 1, var inflater = Inflater() else { return }
    let body = Array(bytes[1...])
    let packed = Zlib.compress(body, level: 1 + Int(bytes[0] % 9)) ?? []
    for stream in [body, [0x78, 0x9C] + body, packed + body] {
      var whole: [UInt8] = [7]
      let isWhole = unsafe stream.withUnsafeBytes {
        unsafe inflater.expand($0, into: &whole, limit: greatestCopy)
      }
      expect(whole.count <= greatestCopy + 1 && whole[0] == 7)
      expect(isWhole || whole == [7], "what is damaged leaves nothing")
      expect(
        stream.count != packed.count + body.count || whole == [7] + body,
        "what was packed is had again")
      var pieces: [UInt8] = [7]
      var room = [UInt8](repeating: 0, count: 1 + Int(bytes[0]))
      unsafe stream.withUnsafeBytes { stream in
        guard unsafe inflater.begin(stream) else { return }
        while !inflater.isFinished, pieces.count <= greatestCopy {
          let count = unsafe room.withUnsafeMutableBytes { unsafe inflater.read(into: $0) }
          pieces += room[..<count]
          if count < room.count { break }
        }
        expect(!isWhole || (inflater.isFinished && pieces == whole), "in pieces as whole")
      }
    }
  }

  /// Rows that were predicted, and runs; the first three bytes are the rows' measures.
  static func rows(_ bytes: [UInt8]) {
    guard bytes.count > 3 else { return }
    var body = Array(bytes[3...])
    unsafe body.withUnsafeBytes { coded in
      let runs = unsafe RunLengths.decode(coded, limit: greatestCopy)
      expect(runs.map { $0.count <= greatestCopy } ?? true)
      let again = unsafe RunLengths.wrap(coded).withUnsafeBytes {
        unsafe RunLengths.decode($0, limit: greatestCopy)
      }
      expect(again.map { unsafe $0.elementsEqual(coded) } ?? false, "what was wrapped is had again")
    }
    guard
      let prediction = RowPrediction(
        predictor: 15, colors: Int(bytes[0] % 5), bits: Int(bytes[1] % 17), columns: Int(bytes[2]))
    else { return }
    let rows = body.count / (prediction.rowCount + 1)
    let isWhole = prediction.undo(in: &body, from: 0)
    expect(!isWhole || body.count == rows * prediction.rowCount)
  }
}

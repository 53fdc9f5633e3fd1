import PdfThumbCore
import TestSupport
import Testing

@Suite struct `Rows that are predicted from each other` {
  /// Every filter in the first row, which has none above it, and below; one to many bytes a pixel.
  @Test(arguments: 0..<5, [(1, 8), (3, 8), (4, 8), (4, 16), (1, 1), (3, 2), (13, 2), (32, 16)])
  func `are as they were`(first: Int, pixel: (colors: Int, bits: Int)) throws {
    let prediction = try #require(
      RowPrediction(predictor: 15, colors: pixel.colors, bits: pixel.bits, columns: 40))
    #expect(prediction.rowCount == (pixel.colors * pixel.bits * 40 + 7) / 8)
    #expect(prediction.step == max(1, pixel.colors * pixel.bits / 8))
    let samples = SeededRandom.bytes(prediction.rowCount * 11)
    let rows = PNGRows.filtered(
      samples, length: prediction.rowCount, step: prediction.step, first: first)
    var bytes = [1, 2, 3] + rows
    #expect(prediction.undo(in: &bytes, from: 3))
    // Not the bytes, of which there are thousands.
    let isSame = bytes == [1, 2, 3] + samples
    #expect(isSame)
  }

  /// Paeth's predictor takes the nearest of left, up and corner, in this order where two are as near.
  @Test(
    arguments: [
      (10, 20, 10, 20), (20, 10, 10, 20), (10, 20, 15, 15), (10, 10, 10, 10), (0, 255, 128, 128),
      (5, 9, 7, 7), (9, 5, 7, 7), (3, 9, 7, 3), (9, 3, 7, 3), (3, 8, 4, 8), (8, 3, 4, 8),
      (200, 100, 255, 100),
    ] as [(UInt8, UInt8, UInt8, UInt8)])
  func `by the nearest of their neighbours`(
    left: UInt8, up: UInt8, corner: UInt8, nearest: UInt8
  ) throws {
    let prediction = try #require(RowPrediction(predictor: 14, colors: 1, bits: 8, columns: 2))
    var bytes: [UInt8] = [0, corner, up, 4, left &- corner, 7]
    #expect(prediction.undo(in: &bytes, from: 0))
    #expect(bytes == [corner, up, left, nearest &+ 7])
  }

  @Test(arguments: [[5, 1, 2], [255, 1, 2], [0, 1], [0, 1, 2, 0], [0, 1, 2, 9, 1, 2]])
  func `by no filter that there is, or not whole, are refused`(rows: [UInt8]) throws {
    let prediction = try #require(RowPrediction(predictor: 10, colors: 1, bits: 8, columns: 2))
    var bytes = rows
    #expect(!prediction.undo(in: &bytes, from: 0))
  }

  @Test(arguments: [
    (1, 1, 8, 1), (2, 1, 8, 1), (16, 1, 8, 1), (12, 0, 8, 1), (12, 33, 8, 1), (12, 1, 0, 1),
    (12, 1, 17, 1), (12, 1, 8, 0), (12, 1, 8, 1_000_001), (12, -3, 8, 5),
  ])
  func `of measures that no image has are refused`(
    predictor: Int, colors: Int, bits: Int, columns: Int
  ) {
    #expect(
      RowPrediction(predictor: predictor, colors: colors, bits: bits, columns: columns) == nil)
  }
}

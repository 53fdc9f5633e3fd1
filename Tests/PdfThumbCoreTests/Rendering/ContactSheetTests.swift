import PdfThumbCore
import Testing

@Suite struct ContactSheetTests {
  private func picture(_ width: Int, _ height: Int, _ value: UInt8) throws -> Picture {
    let size = PixelSize(width: width, height: height)
    return try #require(
      Picture(
        size: size, format: .gray, pixels: [UInt8](repeating: value, count: width * height)))
  }

  @Test func `pictures stand in the middle of their row and column`() throws {
    let sheet = ContactSheet(columns: 2, count: 3, spacing: 4, margin: 3)
    let (places, size) = sheet.places(of: [
      PixelSize(width: 10, height: 20), PixelSize(width: 6, height: 10),
      PixelSize(width: 4, height: 8),
    ])
    #expect(places.map(\.x) == [3, 17, 6])
    #expect(places.map(\.y) == [3, 8, 27])
    #expect(size == PixelSize(width: 3 + 10 + 4 + 6 + 3, height: 3 + 20 + 4 + 8 + 3))
  }

  @Test func `a sheet shows its pictures on its ground`() throws {
    let ground = RGBColor(red: 9, green: 8, blue: 7)
    let sheet = ContactSheet(columns: 2, count: 2, spacing: 1, margin: 1, ground: ground)
    let composed = try sheet.compose([try picture(1, 1, 50), try picture(1, 1, 60)])
    #expect(composed.sheet.size == PixelSize(width: 5, height: 3))
    let row = Array(composed.sheet.pixels[15..<30])
    #expect(row == [9, 8, 7, 50, 50, 50, 9, 8, 7, 60, 60, 60, 9, 8, 7])
  }

  @Test func `a sheet beyond the limit is refused`() throws {
    let pictures = Array(repeating: try picture(4_000, 1, 0), count: 70_000)
    do {
      _ = try ContactSheet(columns: 1, count: 70_000).compose(pictures)
      Issue.record("a sheet of more than 256 million pixels was made")
    } catch {
      #expect(error.code == .pageTooLarge)
    }
  }

  @Test(arguments: [(1, 1), (2, 2), (12, 5), (100, 12)])
  func `columns are chosen by the number of pages`(count: Int, columns: Int) {
    #expect(ContactSheet(columns: nil, count: count).columns == columns)
  }
}

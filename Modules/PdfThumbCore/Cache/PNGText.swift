/// The words beside a PNG picture.
enum PNGText {
  /// Reads the `tEXt` chunks before the pixels; stops at the first flaw.
  static func read(_ file: [UInt8]) -> [String: String] {
    var words: [String: String] = [:]
    var position = 8
    guard file.count > position, file.prefix(4) == [0x89, 0x50, 0x4E, 0x47] else { return [:] }
    while position + 12 <= file.count {
      let length = file[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= file.count - position - 12 else { break }
      let type = file[position + 4..<position + 8]
      let data = file[position + 8..<position + 8 + length]
      if type.elementsEqual("IDAT".utf8) { break }
      if type.elementsEqual("tEXt".utf8), let end = data.firstIndex(of: 0) {
        words[latin1(data[..<end])] = latin1(data[(end + 1)...])
      }
      position += 12 + length
    }
    return words
  }

  private static func latin1(_ bytes: ArraySlice<UInt8>) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}

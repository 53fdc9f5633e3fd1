import Testing
import ZipKitCodecs
import ZipKitCore

/// Names of one archive in the character set they are written in.
struct NamesCase: Sendable, CustomTestStringConvertible {
  var charset: String
  var host: HostSystem
  var names: [String]

  static let all = [
    NamesCase("CP437", .dos, ["Grüße aus Köln.txt", "Bär/Öl und Käse.doc", "übung.pdf"]),
    NamesCase("CP437", .dos, ["café crème.txt", "très déjà vu.doc"]),
    NamesCase("CP850", .dos, ["Ærø/Åse på Øen.txt", "blåbærgrød Ø.doc"]),
    NamesCase("CP866", .dos, ["Привет мир.txt", "Документы/Отчёт за год.doc"]),
    NamesCase("CP1251", .unix, ["Привет мир.txt", "Документы/Отчёт за год.doc"]),
    NamesCase("KOI8-R", .unix, ["Привет мир.txt", "Документы/Письмо другу.doc"]),
    NamesCase("CP932", .dos, ["新しいフォルダ/テスト.txt", "日本語の名前.doc"]),
    NamesCase("CP936", .dos, ["新建文件夹/文档.txt", "中文文件名测试.doc"]),
    NamesCase("CP950", .dos, ["新增資料夾/檔案.txt", "中文檔案名稱測試.doc"]),
    NamesCase("CP949", .dos, ["새 폴더/문서.txt", "한국어 파일 이름.doc"]),
    NamesCase("CP1252", .unix, ["Grüße aus Köln.txt", "naïve café.doc"]),
    NamesCase("CP852", .dos, ["Příliš žluťoučký kůň.txt", "Źdźbło trawy.doc"]),
  ]

  init(_ charset: String, _ host: HostSystem, _ names: [String]) {
    self.charset = charset
    self.host = host
    self.names = names
  }

  var testDescription: String { "\(charset): \(names[0])" }

  /// The names' bytes, found by decoding every byte and pair of bytes of the charset.
  func encoded() throws -> [[UInt8]] {
    let encoding = try #require(NameEncoding.charset(charset))
    var table: [Character: [UInt8]] = [:]
    for first in UInt8.min...UInt8.max {
      if let text = encoding.decode([first]), text.count == 1 {
        table[Character(text)] = [first]
        continue
      }
      for second in UInt8(0x40)...UInt8.max {
        if let text = encoding.decode([first, second]), text.count == 1 {
          table[Character(text), default: [first, second]] = [first, second]
        }
      }
    }
    return try names.map { name in try name.flatMap { try #require(table[$0], "\($0)") } }
  }
}

@Suite struct NameTests {
  @Test(arguments: NamesCase.all)
  func `Names are read as they were written`(_ test: NamesCase) throws {
    let bytes = try test.encoded()
    let detection = try #require(NameDetection.detect(bytes, host: test.host))
    // Character sets that agree on all the bytes are equally good.
    let read = bytes.compactMap { detection.encoding.decode($0) }
    #expect(read == test.names, "taken for \(detection.encoding.name)")
    #expect((0...1).contains(detection.confidence))
  }

  @Test func `An archive's names are read through the detector`() throws {
    #expect(NameDetection.detector([[0x8F, 0xE0, 0xA8, 0xA2, 0xA5, 0xE2]], .dos)?.name == "CP866")
    #expect(NameDetection.detector([], .dos) == nil)
    #expect(NameDetection.detector([Array("plain.txt".utf8)], .unix) == nil)
  }

  @Test(arguments: ["cp866", "GBK", "ISO-8859-1", "Shift_JIS", "UTF-8"])
  func `A character set can be named`(_ name: String) throws {
    let encoding = try #require(NameEncoding.charset(name))
    #expect(encoding.name == name.uppercased())
    #expect(encoding.decode(Array("a/b.txt".utf8)) == "a/b.txt")
    #expect(encoding.decode([]) == "")
  }

  @Test(arguments: ["", "no such charset", "CP866//IGNORE", String(repeating: "A", count: 100)])
  func `An unknown character set is none`(_ name: String) {
    #expect(NameEncoding.charset(name) == nil)
  }

  @Test func `Bytes that are not of the character set are no text`() throws {
    #expect(try #require(NameEncoding.charset("CP932")).decode([0x81]) == nil)
    #expect(try #require(NameEncoding.charset("CP1252")).decode([0x81]) == nil)
    #expect(try #require(NameEncoding.charset("UTF-8")).decode([0xC3, 0x28]) == nil)
  }
}

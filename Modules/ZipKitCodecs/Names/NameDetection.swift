public import ZipKitCore

/// Guesses in which character set an archive's names were written.
///
/// All names are looked at together, as one name is too short to tell. A character set in which some name
/// is not valid is out; the others are weighed by how much their text looks like names: letters of one
/// script, in words, the usual ones more often than the rare ones. The system that the archive was made on,
/// and uchardet's opinion, tip the scale. UTF-8 is not among the candidates: names that are valid UTF-8 are
/// settled before.
public struct NameDetection: Sendable {
  /// The character set that fits best.
  public let encoding: NameEncoding
  /// How much better it fits than the next one whose text differs, from 0 (not at all) to 1.
  public let confidence: Double

  /// A detector for ``ZipArchive/Options/detector``.
  public static let detector: NameEncodingDetector = { names, host in
    detect(names, host: host)?.encoding
  }

  /// Character sets that writers of zip files have used, the likelier ones first.
  private static let candidates = [
    "CP437", "CP850", "CP932", "CP936", "CP866", "CP949", "CP950", "CP1251", "CP1252", "KOI8-R",
    "CP852", "CP1250", "EUC-JP",
  ]
  /// What Windows and DOS use for files; the rest comes from other systems or from careless tools.
  private static let ofDOS: Set<String> = [
    "CP437", "CP850", "CP852", "CP866", "CP932", "CP936", "CP949", "CP950",
  ]
  /// What uchardet calls some of the candidates.
  private static let aliases = [
    "IBM866": "CP866", "IBM852": "CP852", "SHIFT_JIS": "CP932", "GB18030": "CP936", "UHC": "CP949",
    "EUC-KR": "CP949", "BIG5": "CP950", "WINDOWS-1251": "CP1251", "WINDOWS-1252": "CP1252",
    "ISO-8859-1": "CP1252", "WINDOWS-1250": "CP1250",
  ]
  /// Bytes of names that are looked at; more do not tell more.
  private static let most = 64 << 10

  /// Guesses the character set of names.
  ///
  /// - Parameters:
  ///   - names: The bytes of the names that nothing else settles; ASCII ones do no harm.
  ///   - host: The system the archive says it was made on.
  /// - Returns: nil when nothing fits, or there is nothing to go by.
  public static func detect(_ names: [[UInt8]], host: HostSystem) -> NameDetection? {
    var sample: [[UInt8]] = []
    var size = 0
    for name in names where size < most && name.contains(where: { $0 >= 0x80 }) {
      sample.append(name)
      size += name.count
    }
    guard !sample.isEmpty else { return nil }
    let opinion = UchardetHandle()?.guess(Array(sample.joined(separator: [10])))?.uppercased()
    let favourite = opinion.map { aliases[$0] ?? $0 }
    var results: [(name: String, texts: [String], score: Double)] = []
    for name in candidates {
      guard let handle = IconvHandle(from: name) else { continue }
      let texts = sample.compactMap { handle.convert($0) }
      guard texts.count == sample.count else { continue }
      var score = NameScore.score(texts, bytes: sample, charset: name)
      if ofDOS.contains(name) != host.hasUnixMode { score += 0.25 }
      if name == favourite { score += 0.4 }
      results.append((name, texts, score))
    }
    // Of equal ones the first candidate wins.
    guard let best = results.max(by: { $0.score < $1.score }), best.score > 0,
      let first = results.first(where: { $0.score == best.score }),
      let encoding = NameEncoding.charset(first.name)
    else { return nil }
    let next = results.filter { $0.texts != first.texts }.map(\.score).max() ?? first.score - 1
    return NameDetection(encoding: encoding, confidence: min(1, max(0, first.score - next)))
  }
}

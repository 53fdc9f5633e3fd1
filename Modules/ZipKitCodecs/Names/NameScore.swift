/// How much text looks like file names that somebody chose.
enum NameScore {
  private static let commonLatin = Set(
    "éèêëàâäáãåæçñìíîïòóôöõøùúûüßÄÖÜÉÈÅØÆÇÑÁÍÓÚÀÂÊÎÔ".unicodeScalars)
  private static let commonCyrillic = Set("оеаинтсрвлкмдпуОЕАИНТСРВЛКМДПУ".unicodeScalars)

  /// The kind of a character, as far as it tells about names.
  private enum Script {
    case latin
    case cyrillic
    case other
    case none
  }

  /// Points per byte outside ASCII, about -3 to 1.5, averaged over all names.
  ///
  /// `bytes` are those that `texts` were made from, taken for `charset`.
  static func score(_ texts: [String], bytes: [[UInt8]], charset: String) -> Double {
    let count = bytes.joined().count { $0 >= 0x80 }
    var points = 0.0
    for text in texts { points += Self.points(text) }
    if let level = firstLevels[charset] {
      for name in bytes { points += ideographs(name, firstLevel: level) }
    }
    return points / Double(max(1, count))
  }

  private static func points(_ text: String) -> Double {
    var points = 0.0
    var previous: (scalar: Unicode.Scalar, script: Script)?
    for scalar in text.unicodeScalars {
      let script = script(of: scalar)
      if !scalar.isASCII { points += value(of: scalar) }
      if let previous, !scalar.isASCII || !previous.scalar.isASCII {
        points += joint(previous.scalar, previous.script, scalar, script)
      }
      previous = (scalar, script)
    }
    return points
  }

  /// What a character says by itself; one of two bytes counts for both.
  private static func value(of scalar: Unicode.Scalar) -> Double {
    switch scalar.value {
    case 0x80...0x9F: -3
    case 0xC0...0x24F where scalar.properties.isAlphabetic: commonLatin.contains(scalar) ? 0.8 : 0.3
    case 0x410...0x44F, 0x401, 0x451: commonCyrillic.contains(scalar) ? 1 : 0.6
    case 0x400...0x4FF: -0.3
    case 0x370...0x3FF: -0.5
    case 0x2500...0x25FF: -2
    case 0x3041...0x30FF: 2.6
    case 0x3000...0x303F, 0xFF01...0xFF5E: 0.6
    case 0xFF61...0xFF9F: -0.5
    case 0x4E00...0x9FFF: 0.8
    case 0xAC00...0xD7A3: 1.8
    case 0xE000...0xF8FF: -4
    default: scalar.properties.isAlphabetic ? -0.3 : -1
    }
  }

  /// What two neighbours say of each other.
  private static func joint(
    _ first: Unicode.Scalar, _ firstScript: Script, _ second: Unicode.Scalar, _ secondScript: Script
  ) -> Double {
    guard firstScript != .none, secondScript != .none else { return 0 }
    guard firstScript == secondScript else { return -0.4 }
    guard firstScript != .other else { return 0 }
    // Capitals stand at the beginning of words, or throughout.
    let isOdd = first.properties.isLowercase && second.properties.isUppercase
    return isOdd ? -1 : 0.2
  }

  private static func script(of scalar: Unicode.Scalar) -> Script {
    switch scalar.value {
    case 0x41...0x5A, 0x61...0x7A: .latin
    case 0xC0...0x24F: scalar.properties.isAlphabetic ? .latin : .none
    case 0x400...0x4FF: .cyrillic
    default: scalar.properties.isAlphabetic ? .other : .none
    }
  }

  /// First bytes of the ideographs in daily use, which each standard puts in front of the rest.
  private static let firstLevels: [String: ClosedRange<UInt8>] = [
    "CP936": 0xB0...0xD7, "CP950": 0xA4...0xC6, "CP932": 0x88...0x97, "EUC-JP": 0xB0...0xCF,
  ]

  private static func ideographs(_ name: [UInt8], firstLevel: ClosedRange<UInt8>) -> Double {
    let isShiftJIS = firstLevel.lowerBound == 0x88
    var points = 0.0
    var index = 0
    while index < name.count {
      let byte = name[index]
      index += 1
      // In CP932 these are single bytes: half-width kana.
      guard byte >= 0x80, !(isShiftJIS && 0xA0...0xDF ~= byte) else { continue }
      index += 1
      if firstLevel.contains(byte) {
        points += 1
      } else if byte > firstLevel.upperBound {
        points -= 1
      }
    }
    return points
  }
}

/// Permissions in letters, as the systems write them that archives come from.
enum ModeLetters {
  /// Ten letters as `ls -l` has them; `lockLetter` is a set-group bit without the right to run.
  static func unix(_ mode: UInt32, lockLetter: String = "S") -> String {
    let kind =
      switch mode & 0o170000 {
      case 0o040000: "d"
      case 0o100000: "-"
      case 0o120000: "l"
      case 0o060000: "b"
      case 0o020000: "c"
      case 0o010000: "p"
      case 0o140000: "s"
      default: "?"
      }
    func rights(_ shift: UInt32, _ special: UInt32, _ runs: String, _ alone: String) -> String {
      let bits = mode >> shift & 7
      let last = mode & special != 0 ? (bits & 1 != 0 ? runs : alone) : bits & 1 != 0 ? "x" : "-"
      return (bits & 4 != 0 ? "r" : "-") + (bits & 2 != 0 ? "w" : "-") + last
    }
    return kind + rights(6, 0o4000, "s", "S") + rights(3, 0o2000, "s", lockLetter)
      + rights(0, 0o1000, "t", "T")
  }

  /// Nine letters of an Amiga.
  static func amiga(_ mode: UInt32) -> String {
    let kind = [0o4000: "d", 0o2000: "-"][mode & 0o6000] ?? "?"
    return kind
      + zip(UInt32(0)..<8, ["h", "s", "p", "a", "r", "w", "e", "d"])
      .map { place, letter in mode >> (7 - place) & 1 != 0 ? letter : "-" }.joined()
  }

  /// What owner, group and others may do on VMS; who may write may delete.
  static func vms(_ mode: UInt32) -> [String] {
    [6, 3, 0].map { shift in
      let bits = mode >> UInt32(shift) & 7
      return (bits & 4 != 0 ? "R" : "") + (bits & 2 != 0 ? "W" : "") + (bits & 1 != 0 ? "E" : "")
        + (bits & 2 != 0 ? "D" : "")
    }
  }

  /// Kind and protection of a Theos file; `isLong` with the kind in words.
  static func theos(_ mode: UInt32, isLong: Bool) -> String {
    let kinds: [UInt32: (String, String)] = [
      0x4000: ("D", "Directory   "), 0x5000: ("?", "Library     "), 0x2000: ("C", "???         "),
      0x8000: ("S", "Sequential  "), 0x9000: ("R", "Direct      "), 0xa000: ("K", "Keyed       "),
      0xb000: ("I", "Indexed     "), 0xd000: ("P", " 86 program "), 0xe000: ("2", "286 program "),
      0xf000: ("3", "386 program "),
    ]
    let kind = kinds[mode & 0xf000] ?? ("?", "???         ")
    let bits: [(UInt32, String)] = [
      (0x0400, "H"), (0x0800, "M"), (0x0002, "W"), (0x0004, "R"), (0x0200, "E"), (0x0040, "X"),
      (0x0080, "W"), (0x0100, "R"),
    ]
    return (isLong ? kind.1 : kind.0)
      + bits.map { mode & $0.0 != 0 ? "." : $0.1 }.joined()
  }
}

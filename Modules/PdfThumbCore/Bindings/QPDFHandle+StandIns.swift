internal import CQpdf

/// A smaller image, as an object that takes the place of one that a page draws.
struct StandIn {
  /// The object's number.
  let number: Int
  /// How often the number was used before.
  let generation: Int
  /// The size in pixels.
  let size: PixelSize
  /// The object's dictionary, but for its length.
  let entries: String
  let samples: [UInt8]
}

/// What finding smaller images for a page came to.
struct StandInFindings {
  var made: [StandIn] = []
  /// Numbers of images that none can be made of.
  var refused: [Int] = []
  /// Numbers of images that this page needs as they are.
  var outgrown: [Int] = []
}

extension QPDFHandle {
  /// Makes smaller images of the large ones that a page draws.
  ///
  /// How small is the page's own matter, for its picture must not depend on the pages drawn before.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - scale: The pixels of the canvas a point of the page takes.
  ///   - known: The sizes of those that were made before.
  ///   - refused: Those that cannot be made smaller.
  /// - Returns: Those made, those that cannot be, and known ones in the way: all of them on a page of which something is
  ///   not understood.
  mutating func standIns(
    for page: Int, scale: Double, known: [Int: PixelSize], refused: Set<Int>
  ) -> StandInFindings {
    let root = unsafe QPDFObject(document: raw, handle: qpdf_get_root(raw))
    let form = root["/AcroForm"]
    let found = withPage(page) { object -> StandInFindings? in
      guard
        ImageUses.hasLargeImage(object.inherited("/Resources"))
          || Self.reachesAny(of: known, object, form)
      else { return StandInFindings() }
      let uses = ImageUses(page: object, form: form)
      guard uses.isWhole else { return nil }
      return Self.findings(of: uses, scale: scale, known: known, refused: refused)
    }
    return found ?? StandInFindings(outgrown: Array(known.keys))
  }

  /// Whether a page may draw one of some images.
  private static func reachesAny(
    of known: [Int: PixelSize], _ page: QPDFObject, _ form: QPDFObject?
  ) -> Bool {
    guard !known.isEmpty else { return false }
    var reach = ImageReach()
    reach.add(page: page, form: form)
    return !reach.isWhole || reach.images.contains { known[$0] != nil }
  }

  private static func findings(
    of uses: ImageUses, scale: Double, known: [Int: PixelSize], refused: Set<Int>
  ) -> StandInFindings {
    var findings = StandInFindings()
    findings.outgrown = uses.unsized.filter { known[$0] != nil }
    for (number, use) in uses.uses.sorted(by: { $0.key < $1.key })
    where !refused.contains(number) && !uses.unsized.contains(number) {
      let least = PixelSize(width: side(use.width, scale), height: side(use.height, scale))
      guard use.image.isLargeImage, let dictionary = use.image.streamDictionary else { continue }
      guard let size = ImageReduction.size(of: use.image, dictionary, least: least) else {
        if known[number] != nil { findings.outgrown.append(number) }
        continue
      }
      if size == known[number] { continue }
      if let made = standIn(use.image, dictionary, least: least) {
        findings.made.append(made)
      } else {
        findings.refused.append(number)
        if known[number] != nil { findings.outgrown.append(number) }
      }
    }
    return findings
  }

  private static func side(_ points: Double, _ scale: Double) -> Int {
    ImageReduction.side(for: Int(min(max(1, (points * scale).rounded(.up)), 100_000)))
  }

  private static func standIn(
    _ image: QPDFObject, _ dictionary: QPDFObject, least: PixelSize
  ) -> StandIn? {
    guard let reduction = ImageReduction(image, least: least) else { return nil }
    var entries =
      "/Width \(reduction.size.width) /Height \(reduction.size.height) /BitsPerComponent 8"
    var hasSpace = false
    for key in dictionary.keys.prefix(64) {
      switch key {
      case "/Width", "/Height", "/BitsPerComponent", "/Decode", "/Filter", "/DecodeParms",
        "/Length", "/F", "/FFilter", "/FDecodeParms":
        continue
      case "/ColorSpace" where reduction.isTable: continue
      default:
        guard let value = dictionary[key]?.written else { return nil }
        if key == "/ColorSpace" { hasSpace = true }
        entries += " \(key) \(value)"
      }
    }
    if !hasSpace {
      entries += " /ColorSpace \(reduction.parts == 1 ? "/DeviceGray" : "/DeviceRGB")"
    }
    return StandIn(
      number: image.objectNumber, generation: image.generation, size: reduction.size,
      entries: entries, samples: reduction.samples)
  }

  /// What a section added behind the document repeats of its trailer, or `nil` when nothing may be added.
  mutating func trailerEntries() -> String? {
    defer { unsafe qpdf_oh_release_all(raw) }
    guard !isRepaired, !isEncrypted() else { return nil }
    let trailer = unsafe QPDFObject(document: raw, handle: qpdf_get_trailer(raw))
    guard let root = trailer["/Root"], root.objectNumber > 0, let size = trailer["/Size"]?.integer
    else { return nil }
    var entries = "/Size \(size) /Root \(root.objectNumber) \(root.generation) R"
    if let information = trailer["/Info"], information.objectNumber > 0 {
      entries += " /Info \(information.objectNumber) \(information.generation) R"
    }
    return entries
  }
}

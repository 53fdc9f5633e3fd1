/// Leaving out what poppler reads anew for each page, though no pixel depends on it.
extension DocumentExpander {
  /// A value, and the bytes it stands in.
  struct Resolved {
    let source: ByteView
    let value: Range<Int>
    /// Those of a dictionary.
    let entries: [DictionaryEntry]
  }

  /// The object of a reference; streams are none.
  func item(_ reference: (number: Int, generation: Int), _ packed: ByteView) -> Resolved? {
    var low = 0
    var high = items.count
    while low < high {
      let middle = (low + high) / 2
      if items[middle].number < reference.number { low = middle + 1 } else { high = middle }
    }
    guard low < items.count, items[low].number == reference.number,
      items[low].generation == reference.generation, items[low].data == nil
    else { return nil }
    return Resolved(
      source: items[low].isPacked ? packed : view, value: items[low].value,
      entries: items[low].entries)
  }

  /// What a value says, be it a reference or not.
  func resolve(_ range: Range<Int>, in source: ByteView, _ packed: ByteView) -> Resolved? {
    var scanner = ObjectScanner(source, at: range.lowerBound)
    if let reference = scanner.reference() { return item(reference, packed) }
    let entries = ObjectScanner.entries(of: range, in: source) ?? []
    return Resolved(source: source, value: range, entries: entries)
  }

  /// The numbers of the streams that fonts with letters of their own are read as text by.
  ///
  /// Letters of fonts of other kinds may be found by them: TrueType's, and those that are not in the document.
  func unreadMaps(_ packed: ByteView) -> Set<Int> {
    var numbers: Set<Int> = []
    for item in items where item.data == nil {
      let source = item.isPacked ? packed : view
      guard let map = item.entries.value("ToUnicode", in: source),
        isDrawnByItself(item.entries, in: source, packed)
      else { continue }
      var scanner = ObjectScanner(source, at: map.lowerBound)
      if let reference = scanner.reference() { numbers.insert(reference.number) }
    }
    return numbers
  }

  /// Whether a font's letters are found without a map to Unicode: it is Type 1 or Type 0, and in the document.
  func isDrawnByItself(
    _ entries: [DictionaryEntry], in source: ByteView, _ packed: ByteView
  ) -> Bool {
    guard entries.has("/Font", for: "Type", in: source) else { return false }
    var inner = (entries, source)
    let isComposite = entries.has("/Type0", for: "Subtype", in: source)
    if isComposite {
      guard let list = entries.value("DescendantFonts", in: source),
        let array = resolve(list, in: source, packed),
        array.source[array.value.lowerBound] == UInt8(ascii: "[")
      else { return false }
      var scanner = ObjectScanner(array.source, at: array.value.lowerBound + 1)
      guard let reference = scanner.reference(), let found = item(reference, packed) else {
        return false
      }
      inner = (found.entries, found.source)
    } else if !entries.has("/Type1", for: "Subtype", in: source) {
      return false
    }
    guard let descriptor = inner.0.value("FontDescriptor", in: inner.1),
      let found = resolve(descriptor, in: inner.1, packed)
    else { return false }
    let has = { (key: StaticString) in found.entries.value(key, in: found.source) != nil }
    return has("FontFile3") || has(isComposite ? "FontFile2" : "FontFile")
  }

  /// The annotations of a page as an array without links that are not seen; `nil` where there are none of those.
  func seenAnnotations(
    _ entries: [DictionaryEntry], in source: ByteView, _ packed: ByteView
  ) -> (place: Range<Int>, text: [UInt8])? {
    guard let place = entries.value("Annots", in: source),
      let array = resolve(place, in: source, packed),
      array.source[array.value.lowerBound] == UInt8(ascii: "[")
    else { return nil }
    var scanner = ObjectScanner(array.source, at: array.value.lowerBound + 1)
    var text = [UInt8(ascii: "[")]
    var isChanged = false
    while true {
      scanner.skipSpace()
      if scanner.place + 1 == array.value.upperBound { break }
      let start = scanner.place
      guard let reference = scanner.reference() else { return nil }
      if let annotation = item(reference, packed), isUnseenLink(annotation) {
        isChanged = true
      } else {
        text += array.source[start..<scanner.place]
        text.append(UInt8(ascii: " "))
      }
    }
    text.append(UInt8(ascii: "]"))
    return isChanged ? (place, text) : nil
  }

  /// Whether an annotation is a link whose border has no width (ISO 32000-1, 12.5.2 and 12.5.6.5).
  func isUnseenLink(_ annotation: Resolved) -> Bool {
    let (entries, source) = (annotation.entries, annotation.source)
    guard entries.has("/Link", for: "Subtype", in: source),
      entries.value("AP", in: source) == nil, entries.value("BS", in: source) == nil,
      let border = entries.value("Border", in: source),
      source[border.lowerBound] == UInt8(ascii: "[")
    else { return false }
    var scanner = ObjectScanner(source, at: border.lowerBound + 1)
    var width: Range<Int>?
    for _ in 0..<3 { width = scanner.value() }
    return width.map { source.equals("0", in: $0) } ?? false
  }
}

/// Writing the copy.
extension DocumentExpander {
  /// The copy, or `nil` when it has more bytes than it may.
  mutating func write() -> [UInt8]? {
    let packed = packed
    return unsafe packed.withUnsafeBytes { bytes in
      write(packed: unsafe ByteView(bytes))
    }
  }

  private mutating func write(packed: ByteView) -> [UInt8]? {
    var out: [UInt8] = []
    out.reserveCapacity(min(limit, view.count * 5))
    out += view[0..<8]
    out += [10, 37, 226, 227, 207, 211, 10]
    var offsets: [(number: Int, generation: Int, offset: Int)] = []
    offsets.reserveCapacity(items.count + 2)
    let next = table.places.end
    let span = HidingSpan(before: next, after: next + 1)
    let items = items
    let unread = unreadMaps(packed)
    for item in items {
      offsets.append((item.number, item.generation, out.count))
      out.add(item.number)
      out.add(" ")
      out.add(item.generation)
      out.add(" obj\n")
      let source = item.isPacked ? packed : view
      if let data = item.data {
        writeStream(item, data, mayExpand: !unread.contains(item.number), to: &out)
      } else {
        write(item, changed: changes(of: item, in: source, packed, span), from: source, to: &out)
      }
      out.add("\nendobj\n")
      guard out.count <= limit else { return nil }
    }
    for (number, text) in span.streams {
      offsets.append((number, 0, out.count))
      out.add(number)
      out.add(" 0 obj\n<< /Length ")
      out.add(text.utf8CodeUnitCount)
      out.add(" >>\nstream\n")
      out.add(text)
      out.add("\nendstream\nendobj\n")
    }
    for number in absent { offsets.append((number, 65_535, 0)) }
    if !absent.isEmpty { offsets.sort { $0.number < $1.number } }
    writeTable(offsets, size: next + 2, to: &out)
    return out.count <= limit ? out : nil
  }

  private mutating func writeStream(
    _ item: Item, _ data: Range<Int>, mayExpand: Bool, to out: inout [UInt8]
  ) {
    var expanded: [UInt8] = []
    var isExpanded = false
    if mayExpand, !isLargeImage(item.entries), let coding = StreamCoding(item.entries, in: view) {
      let room = max(0, limit - out.count - view.count)
      isExpanded =
        unsafe view.withBytes(of: data) { unsafe inflater.expand($0, into: &expanded, limit: room) }
        && coding.undoPrediction(in: &expanded, from: 0)
    }
    out.add("<<")
    for entry in item.entries {
      if view.equals("Length", in: entry.key) { continue }
      if isExpanded,
        view.equals("Filter", in: entry.key) || view.equals("DecodeParms", in: entry.key)
      {
        continue
      }
      out.add(" /")
      out.append(view, entry.key)
      out.add(" ")
      out.append(view, entry.value)
    }
    out.add(" /Length ")
    out.add(isExpanded ? expanded.count : data.count)
    out.add(" >>\nstream\n")
    if isExpanded { out += expanded } else { out.append(view, data) }
    out.add("\nendstream")
  }

  /// A part of an object that is written otherwise, or not at all.
  private typealias Change = (place: Range<Int>, text: [UInt8])

  /// What of an object is not written as it stands, in the order it stands in.
  private func changes(
    of item: Item, in source: ByteView, _ packed: ByteView, _ span: HidingSpan
  ) -> [Change] {
    var changes: [Change] = []
    if item.entries.has("/Page", for: "Type", in: source) {
      if let contents = item.entries.value("Contents", in: source) {
        changes.append((contents, hiding(contents, source, packed, span)))
      }
      if let annotations = seenAnnotations(item.entries, in: source, packed) {
        changes.append(annotations)
      }
    } else if let entry = item.entries.first(where: { source.equals("ToUnicode", in: $0.key) }),
      isDrawnByItself(item.entries, in: source, packed)
    {
      changes.append((entry.key.lowerBound - 1..<entry.value.upperBound, []))
    }
    return changes.sorted { $0.place.lowerBound < $1.place.lowerBound }
  }

  private func write(
    _ item: Item, changed changes: [Change], from source: ByteView, to out: inout [UInt8]
  ) {
    var place = item.value.lowerBound
    for change in changes {
      out.append(source, place..<change.place.lowerBound)
      out += change.text
      place = change.place.upperBound
    }
    out.append(source, place..<item.value.upperBound)
  }

  /// The content of a page in a span that hides its text; see ``QPDFHandle/hideText()``.
  private func hiding(
    _ contents: Range<Int>, _ source: ByteView, _ packed: ByteView, _ span: HidingSpan
  ) -> [UInt8] {
    var text: [UInt8] = []
    text.add("[")
    text.add(span.before)
    text.add(" 0 R ")
    let found = resolve(contents, in: source, packed)
    if let found, found.source[found.value.lowerBound] == UInt8(ascii: "[") {
      text.append(found.source, found.value.lowerBound + 1..<found.value.upperBound - 1)
    } else {
      text.append(source, contents)
    }
    text.add(" ")
    text.add(span.after)
    text.add(" 0 R]")
    return text
  }

  private func writeTable(
    _ offsets: [(number: Int, generation: Int, offset: Int)], size: Int, to out: inout [UInt8]
  ) {
    let start = out.count
    out.add("xref\n0 1\n0000000000 65535 f \n")
    var index = 0
    while index < offsets.count {
      var end = index + 1
      while end < offsets.count, offsets[end].number == offsets[end - 1].number + 1 { end += 1 }
      out.add(offsets[index].number)
      out.add(" ")
      out.add(end - index)
      out.add("\n")
      for entry in offsets[index..<end] {
        out.add(entry.offset, digits: 10)
        out.add(" ")
        out.add(entry.generation, digits: 5)
        // Objects stand behind the header.
        out.add(entry.offset > 0 ? " n \n" : " f \n")
      }
      index = end
    }
    out.add("trailer\n<< /Size ")
    out.add(size)
    out.add(" ")
    out += table.trailer
    out.add(" >>\nstartxref\n")
    out.add(start)
    out.add("\n%%EOF\n")
  }
}

extension [UInt8] {
  fileprivate mutating func add(_ text: StaticString) {
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  fileprivate mutating func append(_ view: ByteView, _ range: Range<Int>) {
    unsafe view.withBytes(of: range) { unsafe append(contentsOf: $0) }
  }

  /// The number in decimal, filled up with zeros.
  fileprivate mutating func add(_ number: Int, digits: Int = 1) {
    var divisor = 1
    for _ in 1..<digits { divisor *= 10 }
    while divisor <= number / 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }
}

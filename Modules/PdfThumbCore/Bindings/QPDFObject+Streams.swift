internal import CQpdf
internal import Glibc

/// What of a stream's filters is undone.
enum StreamDecoding {
  /// Nothing: the bytes as they stand in the file, without encryption.
  case none
  /// Filters without loss: Flate, LZW, ASCII, run lengths; all or none of them.
  case lossless
}

extension QPDFObject {
  /// The truth value.
  var bool: Bool? {
    guard unsafe qpdf_oh_is_bool(document, handle) != 0 else { return nil }
    return unsafe qpdf_oh_get_bool_value(document, handle) != 0
  }

  /// The whole number.
  var integer: Int? { number.flatMap { Int(exactly: $0) } }

  /// The bytes of a string.
  var string: [UInt8]? {
    guard unsafe qpdf_oh_is_string(document, handle) != 0 else { return nil }
    var count = 0
    guard let start = unsafe qpdf_oh_get_binary_string_value(document, handle, &count) else {
      return nil
    }
    return unsafe UnsafeBufferPointer(start: start, count: count).map { UInt8(bitPattern: $0) }
  }

  /// Lends the bytes of a stream for the time of the call.
  ///
  /// - Returns: What `body` returns; `nil` when the stream cannot be read or decoded.
  func withStream<R>(
    _ decoding: StreamDecoding, _ body: (UnsafeRawBufferPointer) -> R?
  ) -> R? {
    guard isStream else { return nil }
    var isDecoded: QPDF_BOOL = 0
    var buffer: UnsafeMutablePointer<UInt8>?
    var count = 0
    let level = decoding == .none ? qpdf_dl_none : qpdf_dl_specialized
    let status = unsafe qpdf_oh_get_stream_data(
      document, handle, level, &isDecoded, &buffer, &count)
    // Safety: qpdf allocates the bytes with malloc and leaves them to the caller.
    defer { unsafe free(buffer) }
    // For no bytes there is no buffer.
    guard status & 2 == 0, unsafe buffer != nil || count == 0, decoding == .none || isDecoded != 0
    else { return nil }
    return unsafe body(UnsafeRawBufferPointer(start: buffer, count: count))
  }

  /// Lends the bytes that the last of a stream's filters is to decode, such as an image's file.
  ///
  /// - Returns: What `body` returns; `nil` when they are compressed by another filter than Flate before that.
  func withCodedStream<R>(_ body: (UnsafeRawBufferPointer) -> R?) -> R? {
    guard let filters else { return nil }
    guard filters.count > 1 else { return unsafe withStream(.none, body) }
    guard filters.count == 2, ["/FlateDecode", "/Fl"].contains(filters[0].name),
      filters[0].parameters == nil
    else { return nil }
    return unsafe withStream(.none) { packed in
      guard let bytes = unsafe Zlib.expand(packed, limit: 64 << 20) else { return nil }
      return unsafe bytes.withUnsafeBytes { unsafe body($0) }
    }
  }

  /// The object as it is written in a file; references stay what they are.
  var written: String? {
    guard let text = unsafe qpdf_oh_unparse(document, handle) else { return nil }
    return unsafe String(cString: text)
  }

  /// The bytes of a stream, its filters undone; `nil` when it cannot be decoded or takes more than `limit` bytes.
  func streamBytes(limit: Int) -> [UInt8]? {
    unsafe withStream(.lossless) { unsafe $0.count <= limit ? Array($0) : nil }
  }

  /// Whether this is an image of so many pixels that it is a burden to a renderer.
  var isLargeImage: Bool {
    guard let dictionary = streamDictionary, dictionary["/Subtype"]?.name == "/Image" else {
      return false
    }
    let pixels = (dictionary["/Width"]?.number ?? 0) * (dictionary["/Height"]?.number ?? 0)
    return pixels >= Self.largeImagePixels
  }

  /// The pixels of an image that is large.
  static var largeImagePixels: Double { 200_000 }

  /// The names of a stream's filters, in the order they are undone, with the parameters of each.
  var filters: [(name: String, parameters: QPDFObject?)]? {
    guard let dictionary = streamDictionary else { return nil }
    guard let filter = dictionary["/Filter"] else { return [] }
    let parameters = dictionary["/DecodeParms"]
    if let name = filter.name {
      return [(name, parameters.flatMap { $0.isArray ? $0.element(0) : $0 })]
    }
    let names = filter.elements(limit: 8).map(\.name)
    guard filter.isArray, names.count == filter.elementCount else { return nil }
    var found: [(name: String, parameters: QPDFObject?)] = []
    for (index, name) in names.enumerated() {
      guard let name else { return nil }
      let own = parameters.flatMap { $0.isArray ? $0.element(index) : index == 0 ? $0 : nil }
      found.append((name, own))
    }
    return found
  }
}

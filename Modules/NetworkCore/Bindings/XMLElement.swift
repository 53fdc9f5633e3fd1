internal import CExpat

/// An element of an XML document, with its children.
package struct XMLElement: Hashable, Sendable {
  /// The name; with its name space in front, divided by `|`, where it has one.
  package var name: String
  /// Attributes by name.
  package var attributes: [String: String]
  /// The text directly inside, pieces between children joined.
  package var text = ""
  /// The elements inside, in order.
  package var children: [XMLElement] = []
  /// The line of the document it starts in, from 1 on.
  package var line: Int

  /// Parses a whole document by libexpat.
  ///
  /// A document type declaration is refused, so that no entity can be declared, expanded or fetched.
  /// - Parameter bytes: The document, at most 16 MiB, nested at most 32 deep.
  /// - Throws: What was expected, and the line.
  package init(parsing bytes: [UInt8]) throws(InputError) {
    guard bytes.count <= 16 << 20 else {
      throw InputError(.inputSize, found: "\(bytes.count) bytes")
    }
    let builder = Builder()
    let parser = try ExpatHandle()
    try parser.parse(bytes, into: builder)
    guard let root = builder.root else { throw InputError(.xml, found: "", line: 1) }
    self = root
  }

  init(name: String, attributes: [String: String], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  /// Collects what the parser reports; a class, because C callbacks need an identity.
  final class Builder {
    static let depthLimit = 32

    private var open: [XMLElement] = []
    private(set) var root: XMLElement?
    /// What made the builder stop the parser.
    private(set) var refusal: InputExpectation?

    /// Returns whether to go on.
    func start(_ element: XMLElement) -> Bool {
      guard open.count < Self.depthLimit else { return refuse(.xml) }
      open.append(element)
      return true
    }

    func end() {
      guard let element = open.popLast() else { return }
      if open.isEmpty {
        root = element
      } else {
        open[open.count - 1].children.append(element)
      }
    }

    func add(_ text: String) {
      if !open.isEmpty { open[open.count - 1].text += text }
    }

    func refuse(_ expectation: InputExpectation) -> Bool {
      refusal = expectation
      return false
    }
  }
}

/// Owns one `XML_Parser`.
@safe
private struct ExpatHandle: ~Copyable {
  // Safety: made here, freed in deinit, used by the thread that calls `parse`.
  private let parser: XML_Parser

  init() throws(InputError) {
    // Names come as "name space|name"; the bar can stand in neither.
    guard let parser = unsafe XML_ParserCreateNS(nil, XML_Char(UInt8(ascii: "|"))) else {
      throw InputError(.xml, found: "no memory for a parser")
    }
    unsafe self.parser = parser
  }

  deinit { unsafe XML_ParserFree(parser) }

  func parse(_ bytes: [UInt8], into builder: XMLElement.Builder) throws(InputError) {
    let context = unsafe Context(parser: parser, builder: builder)
    install()
    let status = withExtendedLifetime(context) {
      // Safety: the callbacks below take the context without owning it, and none runs after XML_Parse
      // has returned, which is inside its extended lifetime.
      unsafe XML_SetUserData(parser, Unmanaged.passUnretained(context).toOpaque())
      return unsafe bytes.withUnsafeBytes { buffer in
        unsafe XML_Parse(
          parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
      }
    }
    guard status != XML_STATUS_OK else { return }
    let line = Int(clamping: unsafe XML_GetCurrentLineNumber(parser))
    if let refusal = builder.refusal { throw InputError(refusal, found: "others", line: line) }
    let reason = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) }
    throw InputError(.xml, found: reason ?? "something else", line: line)
  }

  /// What the callbacks need: the parser for its position and to stop it, the builder to fill.
  @safe
  private final class Context {
    let parser: XML_Parser
    let builder: XMLElement.Builder

    init(parser: XML_Parser, builder: XMLElement.Builder) {
      unsafe self.parser = parser
      self.builder = builder
    }

    func stop() { unsafe _ = XML_StopParser(parser, XML_Bool(XML_FALSE)) }

    static func from(_ pointer: UnsafeMutableRawPointer?) -> Context? {
      unsafe pointer.map { unsafe Unmanaged<Context>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private func install() {
    unsafe XML_SetElementHandler(
      parser,
      { data, name, attributes in
        guard let context = unsafe Context.from(data), let name = unsafe name else { return }
        let element = XMLElement(
          name: unsafe String(cString: name), attributes: unsafe Self.pairs(attributes),
          line: Int(clamping: unsafe XML_GetCurrentLineNumber(context.parser)))
        if !context.builder.start(element) { context.stop() }
      },
      { data, _ in unsafe Context.from(data)?.builder.end() })
    unsafe XML_SetCharacterDataHandler(parser) { data, text, count in
      guard let context = unsafe Context.from(data), let text = unsafe text else { return }
      let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(count))
      context.builder.add(unsafe String(decoding: bytes, as: UTF8.self))
    }
    unsafe XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
      guard let context = unsafe Context.from(data) else { return }
      if !context.builder.refuse(.noEntities) { context.stop() }
    }
  }

  /// The null-terminated list of names and values in turn.
  private static func pairs(
    _ list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
  ) -> [String: String] {
    var result: [String: String] = [:]
    guard var next = unsafe list else { return result }
    while let name = unsafe next.pointee, let value = unsafe next.advanced(by: 1).pointee {
      unsafe result[String(cString: name)] = unsafe String(cString: value)
      unsafe next = unsafe next.advanced(by: 2)
    }
    return result
  }
}

internal import SystemIO

/// The places that fontconfig's configuration names, found without fontconfig.
///
/// Fontconfig takes three milliseconds to read the rules of its configuration; a worker must know only which
/// directories stay open to it, and most documents bring their fonts along. What is listed here is a little more
/// than fontconfig uses: conditions and comments are not heeded.
package struct FontConfiguration {
  /// Directories of fonts and caches, and the files and directories of the configuration itself.
  package private(set) var places: [String] = []

  private let home: String?
  private let variable: (String) -> String?
  private let root: String
  private var pending: [String]

  /// More files than any configuration has.
  private static let greatestFileCount = 1000

  /// Reads the machine's configuration.
  ///
  /// - Returns: `nil` when the environment names another, or there is none: then fontconfig has to say.
  package static func ofMachine() -> FontConfiguration? {
    let others = ["FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT"]
    guard others.allSatisfy({ Environment[$0] == nil }) else { return nil }
    return FontConfiguration(root: "/etc/fonts") { Environment[$0] }
  }

  /// Reads a configuration.
  ///
  /// - Parameters:
  ///   - root: Its directory, which has a file `fonts.conf`.
  ///   - variable: Gives variables of the environment.
  package init?(root: String, variable: @escaping (String) -> String?) {
    self.root = root
    self.variable = variable
    home = variable("HOME")
    pending = []
    let main = Path.join(root, "fonts.conf")
    guard FileSystem.exists(main) else { return nil }
    add(main)
    var count = 0
    while let path = pending.popLast(), count < Self.greatestFileCount {
      count += 1
      read(path)
    }
  }

  private mutating func add(_ path: String) {
    guard !places.contains(path) else { return }
    places.append(path)
    pending.append(path)
  }

  private mutating func read(_ path: String) {
    guard let file = try? FileDescriptor.open(path, [.nonBlocking]), let status = try? file.status()
    else { return }
    guard status.kind != .directory else {
      let names = (try? FileSystem.names(in: path)) ?? []
      for name in names.sorted() where name.hasSuffix(".conf") { add(Path.join(path, name)) }
      return
    }
    guard status.kind == .regular, let bytes = try? file.readToEnd(limit: 1 << 20) else { return }
    var rest = bytes[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(start + 1)...]
      if let element = Element(rest) { note(element) }
    }
  }

  private mutating func note(_ element: Element) {
    switch element.name {
    case "dir": note(element, below: directory("XDG_DATA_HOME", ".local/share"))
    case "cachedir": note(element, below: directory("XDG_CACHE_HOME", ".cache"))
    case "include":
      guard let path = path(element, below: directory("XDG_CONFIG_HOME", ".config")) else { return }
      if FileSystem.exists(path) { add(path) }
    default: break
    }
  }

  private mutating func note(_ element: Element, below directory: String?) {
    guard let path = path(element, below: directory), !places.contains(path) else { return }
    places.append(path)
  }

  private func path(_ element: Element, below directory: String?) -> String? {
    if element.isBelowUserDirectory { return directory.map { Path.join($0, element.text) } }
    if element.text.hasPrefix("~") { return home.map { $0 + element.text.dropFirst() } }
    return Path.isAbsolute(element.text) ? element.text : Path.join(root, element.text)
  }

  private func directory(_ name: String, _ usual: String) -> String? {
    variable(name) ?? home.map { Path.join($0, usual) }
  }

  /// An element that has text in it and nothing else.
  private struct Element {
    var name: String
    var isBelowUserDirectory: Bool
    var text: String

    /// - Parameter bytes: What follows the opening bracket.
    init?(_ bytes: ArraySlice<UInt8>) {
      let isWanted =
        switch bytes.first {
        case UInt8(ascii: "d"): bytes.starts(with: "dir".utf8)
        case UInt8(ascii: "c"): bytes.starts(with: "cachedir".utf8)
        case UInt8(ascii: "i"): bytes.starts(with: "include".utf8)
        default: false
        }
      guard isWanted, let open = bytes.firstIndex(of: UInt8(ascii: ">")),
        let end = bytes[open...].firstIndex(of: UInt8(ascii: "<"))
      else { return nil }
      let tag = String(decoding: bytes[..<open], as: UTF8.self)
      name = String(tag.prefix { $0.isLetter })
      isBelowUserDirectory = tag.contains("prefix=\"xdg\"")
      let text = String(decoding: bytes[(open + 1)..<end], as: UTF8.self)
      self.text = String(
        text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
      guard !self.text.isEmpty else { return nil }
    }
  }
}

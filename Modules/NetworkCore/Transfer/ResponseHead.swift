/// The status line and the fields of one response.
public struct ResponseHead: Equatable, Sendable {
  /// One field, its value without surrounding blanks.
  public struct Field: Equatable, Sendable {
    /// As the server spelt it.
    public var name: String
    /// Bytes that are not UTF-8 are replaced.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }

    /// Reads `Name: value`, as a person writes it for a request.
    ///
    /// - Parameter line: The line.
    /// - Throws: What is no name, or has control characters, which would begin another field.
    public init(line: String) throws(InputError) {
      let parts = line.unicodeScalars
        .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
      guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(isTokenByte),
        !line.unicodeScalars.contains(where: {
          $0 != "\t" && $0.properties.generalCategory == .control
        })
      else { throw InputError(.headerLine, found: line) }
      self.init(name: parts[0], value: parts[1].trimmed)
    }
  }

  /// The version as the status line has it: `1.0`, `1.1`, `2`.
  public var version: String
  /// The three digits of the status.
  public var status: Int
  /// In the order of arrival.
  public var fields: [Field]

  /// Creates a head.
  public init(version: String = "1.1", status: Int, fields: [Field] = []) {
    self.version = version
    self.status = status
    self.fields = fields
  }

  /// All values of a field, whatever the case of its name.
  public func values(of name: String) -> [String] {
    let wanted = name.lowercased()
    return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
  }

  /// The first value of a field, whatever the case of its name.
  public subscript(name: String) -> String? {
    let wanted = name.lowercased()
    return fields.first { $0.name.lowercased() == wanted }?.value
  }
}

/// Why a text from outside could not be read: a header value, a line of a manifest, a checksum file.
public struct InputError: Error, Hashable, Sendable {
  /// What should have stood there.
  package var expected: InputExpectation
  /// What stood there, cut to a reasonable length.
  public var found: String
  /// The line, from 1 on, for inputs of several lines.
  public var line: Int?
  /// The field of the line, by name.
  public var field: String?
  /// The byte of the input, or of the line where there is one, from 0 on.
  public var offset: Int?

  package init(
    _ expected: InputExpectation, found: String, line: Int? = nil, field: String? = nil,
    offset: Int? = nil
  ) {
    self.expected = expected
    self.found = found
    self.line = line
    self.field = field
    self.offset = offset
  }

  /// A copy that names the line.
  package func at(line: Int, field: String? = nil) -> InputError {
    var copy = self
    copy.line = copy.line ?? line
    copy.field = copy.field ?? field
    return copy
  }
}

/// What a parser expected; the raw value is the wording.
package enum InputExpectation: String, Hashable, Sendable, CaseIterable {
  case token = "a token"
  case headerLine = "'Name: value'"
  case quotedString = "a closed quoted string"
  case contentRange = "'bytes FIRST-LAST/TOTAL'"
  case retryAfter = "seconds or an HTTP date"
  case httpDate = "an HTTP date"
  case entityTag = "an entity tag in double quotes"
  case digestField = "ALGORITHM=:BASE64:"
  case base64 = "base64"
  case checksumSpec = "ALGORITHM:HEX"
  case algorithm = "sha256, sha512, sha384, sha1 or md5"
  case digestLength = "as many digits as the algorithm has"
  case hexDigits = "hexadecimal digits"
  case sumsLine = "'HEX  NAME' or 'ALGORITHM (NAME) = HEX'"
  case listedName = "a checksum for the file, and no other that contradicts it"
  case name = "a name"
  case safeName = "a name without '..' and control characters that stays in the directory"
  case shard = "I/N with 1 <= I <= N"
  case url = "a URL"
  case port = "a port from 0 to 65535"
  case host = "a host name"
  case size = "a number of bytes"
  case manifestField = "one of url, output, size, checksum, mirrors"
  case uniqueField = "each field once"
  case jsonValue = "a JSON value"
  case jsonString = "a JSON string"
  case jsonNumber = "a JSON number"
  case jsonEnd = "the end of the JSON value"
  case jsonObject = "a JSON object"
  case jsonDepth = "JSON nested at most 64 deep"
  case utf8 = "UTF-8 text"
  case xml = "well-formed XML"
  case metalink = "a Metalink 4 document"
  case noEntities = "a document without entity declarations"
  case cookieLine = "seven fields divided by tabs"
  case cookieFlag = "TRUE or FALSE"
  case number = "a number"
  case resumeData = "resume data, whole and as it was given out"
  case resumeURL = "the URL again, since its secrets are not kept in resume data"
  case inputSize = "an input within the size limit"
}

extension InputError: CustomStringConvertible {
  /// One clause: where, what was expected, what was found.
  public var description: String {
    var place = ""
    if let line { place += "line \(line): " }
    if let field { place += "\(field): " }
    let what = found.isEmpty ? "nothing" : "'\(shown(found))'"
    return "\(place)expected \(expected.rawValue), found \(what)"
  }
}

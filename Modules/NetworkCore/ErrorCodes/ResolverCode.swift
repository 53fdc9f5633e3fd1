/// A result of `getaddrinfo(3)`, an `EAI_…` number as glibc counts them.
public struct ResolverCode: RawRepresentable, Hashable, Sendable {
  /// The number, negative.
  public let rawValue: Int32

  /// Creates a code from its number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  private static let names: [Int32: (name: String, meaning: String)] = [
    -1: ("EAI_BADFLAGS", "the lookup was asked for in a wrong way"),
    -2: ("EAI_NONAME", "the name is not known"),
    -3: ("EAI_AGAIN", "the name server gave no answer for now"),
    -4: ("EAI_FAIL", "the name server reported a failure"),
    -5: ("EAI_NODATA", "the name has no address"),
    -6: ("EAI_FAMILY", "the address family is not supported"),
    -7: ("EAI_SOCKTYPE", "the socket type is not supported"),
    -8: ("EAI_SERVICE", "the service is not known for this socket type"),
    -9: ("EAI_ADDRFAMILY", "the name has no address of this family"),
    -10: ("EAI_MEMORY", "memory ran out"),
    -11: ("EAI_SYSTEM", "the system reported an error"),
    -12: ("EAI_OVERFLOW", "the answer is too long"),
    -100: ("EAI_INPROGRESS", "the lookup is still running"),
    -101: ("EAI_CANCELED", "the lookup was called off"),
    -102: ("EAI_NOTCANCELED", "the lookup could not be called off"),
    -103: ("EAI_ALLDONE", "no lookup is running"),
    -104: ("EAI_INTR", "the lookup was interrupted by a signal"),
    -105: ("EAI_IDN_ENCODE", "the international name cannot be encoded"),
  ]

  /// All numbers that glibc has.
  public static let all: [ResolverCode] = names.keys.sorted(by: >).map(Self.init(rawValue:))

  /// The constant in `netdb.h`, or `EAI N` for an unknown number.
  public var name: String { Self.names[rawValue]?.name ?? "EAI \(rawValue)" }

  /// What it means, or `nil` for an unknown number.
  public var meaning: String? { Self.names[rawValue]?.meaning }

  /// Whether the same lookup may succeed later: `EAI_AGAIN`, `EAI_MEMORY`, `EAI_SYSTEM`, `EAI_INTR`, and
  /// 0, where it has succeeded since.
  public var isTransient: Bool { [-3, -10, -11, -104, 0].contains(rawValue) }

  /// CFNetwork's own number: the host does not exist, or another reason.
  public var hostError: NetworkErrorCode {
    [-2, -5, -9].contains(rawValue) ? .hostNotFound : .hostLookupUnknown
  }
}

extension ResolverCode: CustomStringConvertible {
  /// Name and meaning: `EAI_NONAME, the name is not known`.
  public var description: String { meaning.map { "\(name), \($0)" } ?? name }
}

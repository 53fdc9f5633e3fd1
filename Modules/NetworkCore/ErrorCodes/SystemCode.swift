/// An error number of the kernel, an `errno`, with the names that matter to transfers and files.
///
/// The numbers are those of Linux on x86-64 and arm64.
public struct SystemCode: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int32

  /// Creates a code from its number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  private static let names: [Int32: (name: String, meaning: String)] = [
    1: ("EPERM", "operation not permitted"),
    2: ("ENOENT", "no such file or directory"),
    4: ("EINTR", "interrupted by a signal"),
    5: ("EIO", "input or output error of the device"),
    6: ("ENXIO", "no such device"),
    9: ("EBADF", "not an open file"),
    11: ("EAGAIN", "not ready yet"),
    12: ("ENOMEM", "out of memory"),
    13: ("EACCES", "permission denied"),
    16: ("EBUSY", "in use"),
    17: ("EEXIST", "exists already"),
    18: ("EXDEV", "on another file system"),
    20: ("ENOTDIR", "not a directory"),
    21: ("EISDIR", "is a directory"),
    22: ("EINVAL", "not a valid argument"),
    23: ("ENFILE", "too many open files in the system"),
    24: ("EMFILE", "too many open files in this process"),
    26: ("ETXTBSY", "being executed"),
    27: ("EFBIG", "larger than a file may be here"),
    28: ("ENOSPC", "no space left on the device"),
    29: ("ESPIPE", "cannot be positioned"),
    30: ("EROFS", "read-only file system"),
    31: ("EMLINK", "too many links"),
    32: ("EPIPE", "nobody reads the other end"),
    36: ("ENAMETOOLONG", "name too long"),
    39: ("ENOTEMPTY", "directory not empty"),
    40: ("ELOOP", "too many symbolic links, or one where none is followed"),
    71: ("EPROTO", "protocol error"),
    95: ("EOPNOTSUPP", "not supported here"),
    97: ("EAFNOSUPPORT", "address family not supported"),
    98: ("EADDRINUSE", "address in use"),
    99: ("EADDRNOTAVAIL", "address not available on this machine"),
    100: ("ENETDOWN", "network is down"),
    101: ("ENETUNREACH", "network is unreachable"),
    102: ("ENETRESET", "network dropped the connection"),
    103: ("ECONNABORTED", "connection aborted on this machine"),
    104: ("ECONNRESET", "connection reset by the other side"),
    105: ("ENOBUFS", "no buffer space"),
    107: ("ENOTCONN", "not connected"),
    110: ("ETIMEDOUT", "timed out"),
    111: ("ECONNREFUSED", "connection refused"),
    112: ("EHOSTDOWN", "host is down"),
    113: ("EHOSTUNREACH", "no route to the host"),
    116: ("ESTALE", "file handle of a network file system is stale"),
    122: ("EDQUOT", "quota is used up"),
  ]

  /// All numbers that are listed here, in order.
  public static let all: [SystemCode] = names.keys.sorted().map(Self.init(rawValue:))

  /// The constant in `errno.h`, or `errno N` for one that is not listed here.
  public var name: String { Self.names[rawValue]?.name ?? "errno \(rawValue)" }

  /// What it means, or `nil` for one that is not listed here.
  public var meaning: String? { Self.names[rawValue]?.meaning }

  /// `ENOSPC`, `EDQUOT`, `EFBIG`: there is no room for more.
  public var isOutOfSpace: Bool { [28, 122, 27].contains(rawValue) }

  /// `EAGAIN`, `ENOMEM`, `ENFILE`, `EMFILE`, `ENOBUFS`, `EINTR`: the same call may succeed later.
  public var isTransient: Bool { [4, 11, 12, 23, 24, 105].contains(rawValue) }

  static let connectionRefused = Self(rawValue: 111)
  static let connectionReset = Self(rawValue: 104)
  static let timedOut = Self(rawValue: 110)
  static let networkDown = Self(rawValue: 100)
  static let networkUnreachable = Self(rawValue: 101)
  static let hostUnreachable = Self(rawValue: 113)
  static let busy = Self(rawValue: 16)
  static let exists = Self(rawValue: 17)
  static let isDirectory = Self(rawValue: 21)
  static let nameTooLong = Self(rawValue: 36)
  static let notSupported = Self(rawValue: 95)
  static let noEntry = Self(rawValue: 2)
  static let notPermitted = Self(rawValue: 1)
  static let accessDenied = Self(rawValue: 13)
  static let noSpace = Self(rawValue: 28)

  /// The error that a connection or socket with this number amounts to.
  ///
  /// - Parameter networkIsDown: Whether this machine has no way to the network at all.
  /// - Returns: The number; a refusal, when the errno is none of the telling ones.
  func connectionError(networkIsDown: Bool) -> NetworkErrorCode {
    switch self {
    case .timedOut: .timedOut
    case .networkDown, .networkUnreachable: .notConnectedToInternet
    case .hostUnreachable: networkIsDown ? .notConnectedToInternet : .cannotConnectToHost
    default: .cannotConnectToHost
    }
  }

  /// The error that reading a local file (`file://`) with this number amounts to.
  var readError: NetworkErrorCode {
    switch self {
    case .isDirectory: .fileIsDirectory
    case .accessDenied, .notPermitted: .noPermissionsToReadFile
    default: .fileDoesNotExist
    }
  }
}

extension SystemCode: CustomStringConvertible {
  /// Name and meaning: `ENOSPC, no space left on the device`.
  public var description: String { meaning.map { "\(name), \($0)" } ?? name }
}

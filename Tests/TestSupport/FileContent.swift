import Glibc
import SystemIO

/// Compares files with bytes, quickly also where nothing is optimized.
package enum FileContent {
  /// What a file holds.
  package enum Verdict: Sendable {
    case same, other, missing
  }

  /// Holds a file's whole content against bytes; a link is not followed.
  package static func compare(_ path: String, with bytes: [UInt8]) -> Verdict {
    guard let file = try? FileDescriptor.open(path, .noFollow) else { return .missing }
    var found = [UInt8](repeating: 0, count: bytes.count + 1)
    let count = unsafe found.withUnsafeMutableBytes { try? unsafe file.readFully(into: $0, at: 0) }
    guard count == bytes.count else { return .other }
    found.removeLast()
    return areEqual(found, bytes) ? .same : .other
  }

  /// Whether two arrays hold the same bytes.
  package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe memcmp(left, right, left.count) == 0
  }
}

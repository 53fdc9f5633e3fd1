/// Decides how many connections a file is worth; pure, fed with what was measured.
///
/// It begins with one. Another is added only when the rate has settled and enough is left to pay for
/// it, and stays only when it made the whole noticeably faster; after two that did not, it stops
/// trying.
package struct SegmentPlanner {
  /// How often it is asked.
  package static let period: Duration = .milliseconds(250)
  /// No connection is added for less than this.
  package static let minimumShare: UInt64 = 1 << 20
  /// The most connections that are tried unasked.
  package static let maximum = 16

  private let wanted: DownloadOptions.Connections
  private var ceiling: Int

  package init(_ wanted: DownloadOptions.Connections, hasRateLimit: Bool) {
    self.wanted = wanted
    switch wanted {
    case .automatic: ceiling = 1
    case .fixed(let count): ceiling = max(1, count)
    }
    if hasRateLimit { ceiling = 1 }
  }

  /// How many connections should work on a file with so many bytes missing.
  package func target(missing: UInt64) -> Int {
    max(1, min(ceiling, Int(clamping: missing / Self.minimumShare)))
  }

  /// One of several connections broke or was refused.
  package mutating func connectionFailed() { ceiling = max(1, ceiling - 1) }

  /// Nothing but one stream is possible.
  package mutating func stayAlone() { ceiling = 1 }
}

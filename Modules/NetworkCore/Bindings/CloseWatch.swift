internal import CLibCurl

/// Sees whether the other side of a TLS connection says that it ends (`close_notify`).
///
/// For a body that only the end of the connection ends, the difference is a whole or a cut file. Source: RFC
/// 8446 section 6.1. For the thread that drives the transfer.
@safe
struct CloseWatch: ~Copyable {
  private static let index = ccurl_close_watch_index()
  // Safety: held by this value and by the connection, each of which lets go of it once.
  private let watch: UnsafeMutablePointer<ccurl_close_watch>

  /// Starts to watch; `nil` where the connection is not secured.
  init?(_ easy: borrowing CurlEasyHandle) {
    let found = unsafe ccurl_watch_close(easy.pointer, Self.index) { connection, place, alert in
      unsafe ccurl_note_alert(connection, CloseWatch.index, place, alert)
    }
    guard let watch = unsafe found else { return nil }
    unsafe self.watch = unsafe watch
  }

  deinit { unsafe ccurl_close_watch_free(watch) }

  /// Whether the end was announced.
  var sawEnd: Bool { unsafe ccurl_close_watch_saw(watch) != 0 }
}

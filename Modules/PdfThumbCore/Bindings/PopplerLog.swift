internal import CPopplerGlib
internal import Glibc
internal import Synchronization

/// What poppler had to say while this thread used it.
struct PopplerMessages: Sendable, Equatable {
  /// The number of messages.
  var count = 0
  /// The first few, as they came.
  var first: [String] = []
  /// Whether one was about a font, or the encoding of one, that is not on this machine.
  var tellOfFonts = false
}

/// Poppler's messages, counted a thread in place of being printed.
///
/// Poppler reports each flaw of a document through glib's log (`poppler.cc:poppler_error_cb`); a hostile
/// document of a kilobyte can cause hundreds of megabytes of them. The handler is the process's: a
/// program that links this module does not see messages of the domain "Poppler".
enum PopplerLog {
  private static let kept = 8
  private static let fontTroubles = ["Couldn't find a font", "Missing language pack"]
  private static let threads = Mutex<[UInt: PopplerMessages]>([:])
  private static let installed: Bool = {
    let levels = GLogLevelFlags(rawValue: ~3)
    let handler: GLogFunc = { _, _, text, _ in unsafe PopplerLog.note(text) }
    _ = unsafe g_log_set_handler("Poppler", levels, handler, nil)
    return true
  }()

  /// Takes over the log domain, once a process.
  static func install() { _ = installed }

  /// Starts counting for this thread, and returns what was counted before.
  @discardableResult
  static func drain() -> PopplerMessages {
    threads.withLock { $0.removeValue(forKey: UInt(pthread_self())) } ?? PopplerMessages()
  }

  private static func note(_ text: UnsafePointer<CChar>?) {
    let key = UInt(pthread_self())
    threads.withLock { threads in
      var messages = threads[key] ?? PopplerMessages()
      messages.count &+= 1
      if !messages.tellOfFonts, let text = unsafe text {
        messages.tellOfFonts = Self.fontTroubles.contains { unsafe strstr(text, $0) != nil }
      }
      if messages.first.count < kept, let text = unsafe text {
        messages.first.append(unsafe String(cString: text))
      }
      threads[key] = messages
    }
  }
}

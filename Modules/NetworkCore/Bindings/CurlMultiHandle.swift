internal import CLibCurl

/// One `CURLM *`: driven by the loop thread, woken from any.
@safe
struct CurlMultiHandle: ~Copyable, @unchecked Sendable {
  // Safety of Sendable: `wake` is the only call that other threads make, and libcurl allows it from
  // any; the owner closes the handle after the loop thread ended and no thread can call `wake`.
  private let pointer: UnsafeMutableRawPointer

  /// Creates a handle; `nil` when libcurl has no memory for one.
  init?() {
    guard CurlLibrary.isReady, let multi = unsafe curl_multi_init() else { return nil }
    unsafe pointer = unsafe multi
  }

  deinit {
    unsafe curl_multi_cleanup(pointer)
  }

  /// Caps open connections; 0 means no cap.
  func limitConnections(total: Int, perHost: Int) {
    unsafe ccurl_multi_set_long(pointer, CURLMOPT_MAX_TOTAL_CONNECTIONS, total)
    unsafe ccurl_multi_set_long(pointer, CURLMOPT_MAX_HOST_CONNECTIONS, perHost)
  }

  /// Starts driving a transfer.
  func add(_ easy: borrowing CurlEasyHandle) -> Bool {
    unsafe curl_multi_add_handle(pointer, easy.pointer) == CURLM_OK
  }

  /// Stops driving a transfer, finished or not.
  func remove(_ easy: borrowing CurlEasyHandle) {
    unsafe curl_multi_remove_handle(pointer, easy.pointer)
  }

  /// Does what can be done without waiting; calls the receivers.
  func perform() -> Bool {
    var running: Int32 = 0
    return unsafe curl_multi_perform(pointer, &running) == CURLM_OK
  }

  /// Waits for traffic, a timer of libcurl, `wake`, or the time given.
  func wait(atMost milliseconds: Int32) -> Bool {
    unsafe curl_multi_poll(pointer, nil, 0, milliseconds, nil) == CURLM_OK
  }

  /// Ends a `wait` early, from any thread.
  func wake() {
    unsafe curl_multi_wakeup(pointer)
  }

  /// The next finished transfer, by the address of its easy handle, with its result.
  func nextFinished() -> (easy: Int, code: CurlCode)? {
    var code = CURLE_OK
    guard let easy = unsafe ccurl_multi_next_done(pointer, &code) else { return nil }
    return (Int(bitPattern: easy), CurlCode(rawValue: Int32(bitPattern: code.rawValue)))
  }
}

/// The process-wide part of libcurl.
enum CurlLibrary {
  /// Whether `curl_global_init` worked; runs it on first use, exactly once.
  static let isReady: Bool = ccurl_global_init() == CURLE_OK
}

internal import CLibCurl

/// One `CURL *`, used by the loop thread only.
@safe
struct CurlEasyHandle: ~Copyable {
  /// Lent to calls of the multi handle; stays valid until this value ends.
  let pointer: UnsafeMutableRawPointer
  /// Tells this handle from others.
  var address: Int { unsafe Int(bitPattern: pointer) }
  /// libcurl writes its sentence for an error here; it must outlive the handle.
  private let errorText: UnsafeMutablePointer<CChar>

  /// Creates a handle; `nil` when libcurl has no memory for one.
  init?() {
    guard let easy = unsafe curl_easy_init() else { return nil }
    unsafe pointer = unsafe easy
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    unsafe ccurl_set_error_buffer(pointer, errorText)
  }

  deinit {
    unsafe curl_easy_cleanup(pointer)
    unsafe errorText.deallocate()
  }

  /// What went wrong, in libcurl's words; empty when it said nothing.
  var message: String { unsafe String(cString: errorText) }

  // MARK: Options

  /// Sets an option of type `long`.
  func set(_ option: CURLoption, _ value: Int) throws(CurlFailure) {
    try check(unsafe ccurl_set_long(pointer, option, value))
  }

  /// Sets a boolean option.
  func set(_ option: CURLoption, _ value: Bool) throws(CurlFailure) {
    try set(option, value ? 1 : 0)
  }

  /// Sets a string, which libcurl copies.
  func set(_ option: CURLoption, _ value: String) throws(CurlFailure) {
    try check(unsafe ccurl_set_string(pointer, option, value))
  }

  /// Sets a list; the list must live as long as the transfer.
  func set(_ option: CURLoption, _ list: borrowing CurlStringList) throws(CurlFailure) {
    try check(unsafe ccurl_set_list(pointer, option, list.head))
  }

  /// Joins a set of things that handles share; it must live as long as the handle.
  func share(_ share: borrowing CurlShareHandle) throws(CurlFailure) {
    try check(unsafe ccurl_set_pointer(pointer, CURLOPT_SHARE, share.pointer))
  }

  /// Makes a TLS connection that ends without close_notify an error.
  func reportMissingClose() throws(CurlFailure) {
    try check(unsafe ccurl_report_missing_close(pointer))
  }

  /// Sends body and header bytes to a receiver, which the caller keeps alive.
  func deliver(to receiver: Unmanaged<ActiveTransfer>) throws(CurlFailure) {
    let context = unsafe receiver.toOpaque()
    // Safety: libcurl calls both only within `curl_multi_perform` on the loop thread, while the
    // receiver is held by the loop's table of active transfers.
    try check(
      unsafe ccurl_set_data_function(pointer, CURLOPT_WRITEFUNCTION) {
        bytes, size, count, context in
        guard let context = unsafe context else { return CurlEasyHandle.writeError }
        let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size &* count)
        return unsafe Unmanaged<ActiveTransfer>.fromOpaque(context)._withUnsafeGuaranteedRef {
          unsafe $0.receive(body: buffer)
        }
      })
    try check(unsafe ccurl_set_pointer(pointer, CURLOPT_WRITEDATA, context))
    try check(
      unsafe ccurl_set_data_function(pointer, CURLOPT_HEADERFUNCTION) {
        bytes, size, count, context in
        guard let context = unsafe context else { return CurlEasyHandle.writeError }
        let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size &* count)
        return unsafe Unmanaged<ActiveTransfer>.fromOpaque(context)._withUnsafeGuaranteedRef {
          unsafe $0.receive(headerLine: buffer)
        }
      })
    try check(unsafe ccurl_set_pointer(pointer, CURLOPT_HEADERDATA, context))
  }

  /// Sets the lines of the request head; the list must live as long as the transfer.
  func setFields(_ lines: borrowing CurlStringList) throws(CurlFailure) {
    try set(CURLOPT_HTTPHEADER, lines)
  }

  /// What a callback answers to end the transfer.
  static var writeError: Int { ccurl_write_error() }
  /// What a callback answers to get the same bytes again later.
  static var writePause: Int { ccurl_write_pause() }

  // MARK: Facts

  /// What is known of a transfer that has ended.
  func outcome(code: CurlCode) -> TransferOutcome {
    var outcome = TransferOutcome(curlCode: code, message: message)
    outcome.systemError = Int32(truncatingIfNeeded: long(CURLINFO_OS_ERRNO))
    outcome.verifyResult = long(CURLINFO_SSL_VERIFYRESULT)
    outcome.proxyVerifyResult = long(CURLINFO_PROXY_SSL_VERIFYRESULT)
    outcome.proxyError = long(CURLINFO_PROXY_ERROR)
    outcome.connectStatus = long(CURLINFO_HTTP_CONNECTCODE)
    outcome.responseCode = long(CURLINFO_RESPONSE_CODE)
    outcome.hasPeer = long(CURLINFO_PRIMARY_PORT) > 0
    outcome.isReusedConnection = long(CURLINFO_NUM_CONNECTS) == 0
    outcome.phase =
      if offset(CURLINFO_PRETRANSFER_TIME_T) > 0 {
        .response
      } else if offset(CURLINFO_CONNECT_TIME_T) > 0 || long(CURLINFO_LOCAL_PORT) > 0 {
        // The time counts all layers of a connection, the port is there with the first.
        .handshake
      } else {
        offset(CURLINFO_NAMELOOKUP_TIME_T) > 0 ? .connecting : .nameLookup
      }
    return outcome
  }

  private func long(_ info: CURLINFO) -> Int {
    var value = 0
    return unsafe ccurl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
  }

  private func offset(_ info: CURLINFO) -> Int64 {
    var value: Int64 = 0
    return unsafe ccurl_get_offset(pointer, info, &value) == CURLE_OK ? value : 0
  }

  /// Lets a transfer go on whose receiver asked for a pause; may call the receiver at once.
  func unpause() {
    unsafe curl_easy_pause(pointer, CURLPAUSE_CONT)
  }

  private func check(_ code: CURLcode) throws(CurlFailure) {
    guard code == CURLE_OK else { throw CurlFailure(code: code.rawValue) }
  }
}

/// A call of libcurl that answered with something else than `CURLE_OK`.
struct CurlFailure: Error, Equatable {
  /// The `CURLcode`.
  var code: UInt32
}

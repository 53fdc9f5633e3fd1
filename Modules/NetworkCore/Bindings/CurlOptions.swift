internal import CLibCurl

/// Turns a request into options of libcurl.
enum CurlOptions {
  /// The lines for `CURLOPT_HTTPHEADER`.
  static func fieldLines(of request: TransferRequest) -> [String] {
    var lines: [String] = []
    let given = request.settings.fields.filter { field in
      request.sendsSecrets || !secretFields.contains(field.name.lowercased())
    }
    let names = Set(given.map { $0.name.lowercased() })
    if !names.contains("accept-encoding") { lines.append("Accept-Encoding: identity") }
    for field in request.fields where !names.contains(field.name.lowercased()) {
      lines.append("\(field.name): \(field.value)")
    }
    // "Name:" removes a field and "Name;" sends it empty: libcurl's own notation.
    lines += given.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    return lines
  }

  private static let secretFields: Set = ["authorization", "cookie", "proxy-authorization"]

  /// Applies everything but callbacks, lists and shares.
  static func apply(_ request: TransferRequest, to easy: borrowing CurlEasyHandle)
    throws(CurlFailure)
  {
    let settings = request.settings
    try easy.set(CURLOPT_URL, request.url)
    try easy.set(CURLOPT_NOSIGNAL, true)
    try easy.set(CURLOPT_NOBODY, request.isHead)
    try easy.set(CURLOPT_BUFFERSIZE, 512 << 10)
    try easy.set(
      CURLOPT_PROTOCOLS_STR, settings.httpsOnly ? "https,ftps" : "http,https,ftp,ftps,file")
    try easy.set(CURLOPT_FOLLOWLOCATION, false)
    try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    try easy.set(CURLOPT_HTTP09_ALLOWED, false)
    try easy.set(CURLOPT_HTTP_CONTENT_DECODING, false)
    try easy.set(CURLOPT_TCP_KEEPALIVE, true)
    try easy.set(CURLOPT_PIPEWAIT, settings.version == .http2)
    try easy.set(
      CURLOPT_HTTP_VERSION,
      settings.version == .http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
    try easy.set(CURLOPT_IPRESOLVE, family(settings.family))
    try easy.set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(settings.connectTimeout))
    if let range = request.range { try easy.set(CURLOPT_RANGE, range) }
    if let limit = settings.rateLimit {
      // A large buffer would let a slow transfer come in bursts.
      try easy.set(CURLOPT_BUFFERSIZE, Int(max(1 << 10, min(limit / 8, 64 << 10))))
    }
    try applyIdentity(request, to: easy)
    try applyRoute(settings, to: easy)
    try applyTrust(settings, to: easy)
  }

  private static func applyIdentity(
    _ request: TransferRequest, to easy: borrowing CurlEasyHandle
  ) throws(CurlFailure) {
    let settings = request.settings
    try easy.set(CURLOPT_USERAGENT, settings.userAgent)
    if let referer = settings.referer { try easy.set(CURLOPT_REFERER, referer) }
    // An empty name turns the cookie engine on without reading a file.
    try easy.set(CURLOPT_COOKIEFILE, settings.cookieFile ?? "")
    if let jar = settings.cookieJar { try easy.set(CURLOPT_COOKIEJAR, jar) }
    guard request.sendsSecrets else { return }
    if let credentials = settings.credentials {
      try easy.set(CURLOPT_USERNAME, credentials.user)
      try easy.set(CURLOPT_PASSWORD, credentials.password)
      try easy.set(CURLOPT_HTTPAUTH, Int(bitPattern: ccurl_auth_any()))
    }
    if settings.usesNetrc {
      try easy.set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
      try easy.set(CURLOPT_HTTPAUTH, Int(bitPattern: ccurl_auth_any()))
    }
  }

  private static func applyRoute(
    _ settings: TransferSettings, to easy: borrowing CurlEasyHandle
  ) throws(CurlFailure) {
    if let proxy = settings.proxy { try easy.set(CURLOPT_PROXY, proxy) }
    if let noProxy = settings.noProxy { try easy.set(CURLOPT_NOPROXY, noProxy) }
    try easy.set(CURLOPT_PROXYAUTH, Int(bitPattern: ccurl_auth_any()))
  }

  private static func applyTrust(
    _ settings: TransferSettings, to easy: borrowing CurlEasyHandle
  ) throws(CurlFailure) {
    try easy.set(CURLOPT_SSL_VERIFYPEER, settings.isInsecure ? 0 : 1)
    try easy.set(CURLOPT_SSL_VERIFYHOST, settings.isInsecure ? 0 : 2)
    if let file = settings.certificateAuthorities { try easy.set(CURLOPT_CAINFO, file) }
    if let file = settings.clientCertificate { try easy.set(CURLOPT_SSLCERT, file) }
    if let file = settings.clientKey { try easy.set(CURLOPT_SSLKEY, file) }
    if let pin = settings.pinnedKey { try easy.set(CURLOPT_PINNEDPUBLICKEY, pin) }
    try easy.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    try easy.reportMissingClose()
  }

  private static func family(_ family: TransferSettings.AddressFamily) -> Int {
    switch family {
    case .any: Int(CURL_IPRESOLVE_WHATEVER)
    case .ipv4: Int(CURL_IPRESOLVE_V4)
    case .ipv6: Int(CURL_IPRESOLVE_V6)
    }
  }

  private static func milliseconds(_ duration: Duration) -> Int {
    max(1, Int(clamping: Int64((duration / .milliseconds(1)).rounded(.up))))
  }
}

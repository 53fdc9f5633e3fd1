import SystemIO

/// Which proxy a request goes through, found as libcurl finds it.
///
/// libcurl 7.88 does not tell afterwards whether it went through one.
package enum ProxyRoute {
  /// Finds the proxy.
  ///
  /// - Parameters:
  ///   - url: What is requested.
  ///   - settings: May name a proxy and hosts that need none; the environment comes after them.
  ///   - variable: Looks up an environment variable.
  /// - Returns: The URL of the proxy, or `nil` for a direct way.
  package static func proxy(
    for url: String, _ settings: TransferSettings,
    variable: (String) -> String? = { Environment[$0] }
  ) -> String? {
    guard let scheme = TransferURL.scheme(url), scheme != "file",
      let host = TransferURL.host(url)
    else { return nil }
    // `HTTP_PROXY` in capitals is left alone: a CGI server sets it from a field of the request.
    let own =
      scheme == "http" ? ["http_proxy"] : ["\(scheme)_proxy", scheme.uppercased() + "_PROXY"]
    let found = (own + ["all_proxy", "ALL_PROXY"]).lazy.compactMap(variable).first { !$0.isEmpty }
    guard let proxy = settings.proxy ?? found, !proxy.isEmpty else { return nil }
    let direct = settings.noProxy ?? variable("no_proxy") ?? variable("NO_PROXY") ?? ""
    return goesDirectly(host, direct) ? nil : proxy
  }

  /// Whether a list such as `localhost,.example.org` holds a host; `*` holds all.
  private static func goesDirectly(_ host: String, _ list: String) -> Bool {
    if list == "*" { return true }
    return list.lowercased().split { $0 == "," || $0 == " " }.contains { entry in
      let name = entry.drop { $0 == "." }
      return !name.isEmpty && (host == name || host.hasSuffix(".\(name)"))
    }
  }

  /// What kind of proxy a URL names.
  package static func kind(_ proxy: String?) -> TransferEvidence.Proxy {
    guard let proxy else { return .none }
    switch TransferURL.scheme(proxy) {
    case "socks4", "socks4a": return .socks4
    case "socks5", "socks5h", "socks": return .socks5
    default: return .http
    }
  }
}

import Glibc

/// Asks the system's resolver.
package enum HostLookup {
  /// What the resolver says about a name: 0, or one of the `EAI_…` numbers; blocks.
  ///
  /// The corresponding C function is `getaddrinfo`.
  package static func code(_ host: String) -> Int32 {
    var found: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(host, nil, nil, &found)
    if status == 0 { unsafe freeaddrinfo(found) }
    return status
  }
}

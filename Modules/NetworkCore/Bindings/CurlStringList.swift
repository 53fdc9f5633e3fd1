internal import CLibCurl

/// One `struct curl_slist *`: lines of a request header.
@safe
struct CurlStringList: ~Copyable {
  /// Lent to `curl_easy_setopt`; `nil` when empty.
  private(set) var head: UnsafeMutablePointer<curl_slist>?

  /// Creates a list from strings, which libcurl copies; `nil` when it has no memory.
  init?(_ strings: [String]) {
    unsafe head = nil
    for string in strings {
      guard let longer = unsafe curl_slist_append(head, string) else {
        unsafe curl_slist_free_all(head)
        return nil
      }
      unsafe head = unsafe longer
    }
  }

  deinit {
    unsafe curl_slist_free_all(head)
  }
}

/// One `CURLSH *`: the cookies that the transfers of a session have in common.
///
/// Used by the loop thread only, so it needs no lock functions.
@safe
struct CurlShareHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer

  /// Creates a share for cookies; `nil` when libcurl has no memory.
  init?() {
    guard let share = unsafe curl_share_init() else { return nil }
    unsafe pointer = unsafe share
    unsafe ccurl_share_cookies(share)
  }

  deinit {
    unsafe curl_share_cleanup(pointer)
  }
}

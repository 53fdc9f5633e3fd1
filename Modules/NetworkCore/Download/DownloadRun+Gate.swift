// How a download waits its turn where a host has had enough.
extension DownloadRun {
  /// A pass for a request; `nil` where it has to wait, and then `.retry` follows when it may be made.
  ///
  /// A further connection of a download that is under way does not wait: it is not made.
  func admission(to url: String) -> HostGate.Pass? {
    let host = TransferURL.host(url) ?? ""
    let held = admitted
    admitted = nil
    if let held, held.host == host { return held }
    hosts.leave(held)
    if let pass = hosts.enter(host) { return pass }
    guard segments.isEmpty else { return nil }
    isWaiting = true
    let post = post
    admitted = hosts.wait(host) { post.yield(.retry) }
    return nil
  }

  /// Gives back a pass that was waited for and is not needed any more.
  func dropAdmission() {
    hosts.leave(admitted)
    admitted = nil
  }

  /// Whether the host would take a further connection.
  var hostIsOpen: Bool { hosts.isOpen(TransferURL.host(chain.last ?? url) ?? "") }
}

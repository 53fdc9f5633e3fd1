import Glibc
import SystemIO

/// A real browser with one page open, driven over a pipe (Chromium's DevTools protocol).
///
/// It blocks, so it has a thread of its own, which ends with it.
package final class Browser {
  /// What the browser said in place of an answer.
  package struct Trouble: Error {
    package var text: String
  }

  private var child: ChildProcess?
  private let commands: FileDescriptor
  private let replies: FileDescriptor
  private let profile: TemporaryDirectory
  private var unread: [UInt8] = []
  private var serial = 0
  private var session = ""

  private static let program = "/usr/bin/chromium"

  /// Whether there is a browser.
  package static var isAvailable: Bool { FileSystem.exists(program) }

  /// Opens a page in a window of that many pixels; the browser ends after five minutes at the latest.
  package init(_ url: String, width: Int, height: Int) throws {
    // A browser that ended early is an error of a write.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    profile = try TemporaryDirectory()
    let down = try FileDescriptor.pipe()
    let up = try FileDescriptor.pipe()
    let nothing = try FileDescriptor.open("/dev/null", .readWrite)
    child = try ChildProcess(
      path: "/usr/bin/timeout",
      arguments: [
        "timeout", "300", Self.program, "--headless", "--no-sandbox", "--disable-gpu",
        "--remote-debugging-pipe", "--user-data-dir=" + profile.path,
        "--window-size=\(width),\(height)", "--no-first-run", "--disable-background-networking",
      ],
      environment: ["PATH=/usr/bin:/bin", "HOME=" + profile.path],
      descriptors: [nothing.raw, nothing.raw, nothing.raw, down.read.raw, up.write.raw])
    commands = try down.write.duplicate()
    replies = try up.read.duplicate()
    let target = try call("Target.createTarget", #"{"url":"about:blank"}"#, "targetId")
    session = try call(
      "Target.attachToTarget", #"{"targetId":"\#(target)","flatten":true}"#, "sessionId")
    try call(
      "Emulation.setDeviceMetricsOverride",
      #"{"width":\#(width),"height":\#(height),"deviceScaleFactor":1,"mobile":false}"#)
    // This answers once the page has taken the place of the blank one; what is asked of a page ends with it.
    try call("Page.navigate", #"{"url":"\#(url)"}"#)
  }

  /// Ends the browser.
  package func close() {
    try? send("Browser.close", "{}")
    if let child = child.take() { _ = child.wait() }
  }

  /// The value of an expression of the page as a text without quotes and backslashes; waits for promises.
  package func value(_ expression: String) throws -> String {
    let quoted = expression.flatMap { character -> [Character] in
      switch character {
      case "\"", "\\": ["\\", character]
      case "\n": ["\\", "n"]
      default: [character]
      }
    }
    return try call(
      "Runtime.evaluate",
      #"{"expression":"Promise.resolve(\#(String(quoted))).then(String)","awaitPromise":true}"#,
      "value")
  }

  /// Waits until a condition of the page holds; the browser's own end is the limit.
  package func waitUntil(_ condition: String) throws {
    _ = try value(
      """
      new Promise(done => { const look = () => (\(condition)) ? done('yes') : setTimeout(look, 10); look() })
      """)
  }

  /// Presses a key such as `End`.
  package func press(_ key: String, code: Int) throws {
    for kind in ["keyDown", "keyUp"] {
      try call(
        "Input.dispatchKeyEvent",
        #"{"type":"\#(kind)","key":"\#(key)","code":"\#(key)","windowsVirtualKeyCode":\#(code)}"#)
    }
  }

  /// Clicks on a place of the window.
  package func click(x: Int, y: Int) throws {
    for kind in ["mousePressed", "mouseReleased"] {
      try call(
        "Input.dispatchMouseEvent",
        #"{"type":"\#(kind)","x":\#(x),"y":\#(y),"button":"left","clickCount":1}"#)
    }
  }

  // MARK: - Messages

  @discardableResult
  private func call(_ method: String, _ parameters: String, _ key: String = "") throws -> String {
    try send(method, parameters)
    while true {
      let message = try receive()
      guard message.hasPrefix("{\"id\":\(serial),") else { continue }
      if key.isEmpty, !message.contains("\"error\":") { return "" }
      guard let start = message.firstRange(of: "\"\(key)\":\""),
        let end = message[start.upperBound...].firstIndex(of: "\"")
      else { throw Trouble(text: message) }
      return String(message[start.upperBound..<end])
    }
  }

  private func send(_ method: String, _ parameters: String) throws {
    serial += 1
    let place = session.isEmpty ? "" : #""sessionId":"\#(session)","#
    let text = #"{"id":\#(serial),\#(place)"method":"\#(method)","params":\#(parameters)}"#
    try commands.write(Array(text.utf8) + [0])
  }

  /// The next message; they end with zeros.
  private func receive() throws -> String {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let end = unread.firstIndex(of: 0) {
        let message = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeFirst(end + 1)
        return message
      }
      let count = try unsafe chunk.withUnsafeMutableBytes { try unsafe replies.read(into: $0) }
      guard count > 0 else { throw Trouble(text: "the browser has ended") }
      unread += chunk[..<count]
    }
  }
}

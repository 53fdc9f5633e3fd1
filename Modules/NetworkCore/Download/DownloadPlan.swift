/// What a download would do, found out without writing anything.
public struct DownloadPlan: Equatable, Sendable {
  /// What would become of the file.
  public enum Action: String, Sendable, CaseIterable {
    /// All of it is fetched.
    case create
    /// The file that has the name goes when the new one is whole.
    case replace
    /// Fetching goes on where an earlier run stopped.
    case resume
    /// What an earlier run left is of no use, and all of it is fetched.
    case startOver = "start-over"
    /// Nothing is requested, or nothing but a head: the file is there.
    case leave
    /// The bytes go to a device or to standard output as they come.
    case stream
  }

  /// The URL that was asked for, without secrets.
  public var url: String
  /// The redirects on the way, without secrets; the last is where the file is.
  public var redirects: [String] = []
  /// What would become of the file.
  public var action = Action.create
  /// Why, for people: a clause.
  public var reason = ""
  /// Where the file would be; `-` for standard output.
  public var path = ""
  /// Where its bytes would be until it is whole; `nil` for a device.
  public var part: String?
  /// Bytes that an earlier run left.
  public var storedBytes: UInt64 = 0
  /// The value of `Range` in the first request, or `nil` for the whole file.
  public var range: String?
  /// The value of `If-Range` in the first request.
  public var condition: String?
  /// The status of the answer; `nil` where none was asked for, or the protocol has none.
  public var status: Int?
  /// The size of the file in bytes, where the server told.
  public var totalBytes: UInt64?
  /// Whether the server gives parts of the file, which going on and several connections need.
  public var takesRanges = false
  /// The entity tag.
  public var entityTag: String?
  /// The time of modification as the server wrote it.
  public var lastModified: String?
  /// What the file would be compared with before it gets its name.
  public var checks: [String] = []

  init(url: String) { self.url = url }
}

public import ProgressReporting
import SystemIO

/// What it takes to go on with a download later, also in another process: a small value to be kept anywhere.
///
/// The bytes that came stay on the disk, in the part; this value says where, of which URL and of which version
/// of the file. Secrets of the URL are not in it: where there were any, ``needsURL`` is true and the URL has to
/// be given again.
///
/// ```swift
/// let kept = await task.cancelProducingResumeData()?.bytes
/// …
/// let report = try await session.download(resuming: ResumeData(kept))
/// ```
///
/// The encoded form: the eight bytes `CRRESM1\n`; one byte, 1 where the URL is needed again; URL and target,
/// each a `UInt32` length and UTF-8; the version as in the journal's record of kind 2; the bytes stored as
/// `UInt64`; the CRC-32C of all before as `UInt32`. Integers are little-endian.
public struct ResumeData: Hashable, Sendable {
  /// The URL that was asked for, without secrets.
  public let url: String
  /// Whether secrets were taken out of the URL, so that it has to be given again.
  public let needsURL: Bool
  /// The file that the download is to become, as an absolute path.
  public let target: String
  /// The bytes that were stored when this value was made.
  public let storedBytes: UInt64
  /// The size of the whole file, where the server told.
  public var totalBytes: UInt64? { version.total }
  private let version: FileVersion

  private static let magic = Array("CRRESM1\n".utf8)
  /// More than any that is given out: paths and URLs have their limits.
  private static let maximumSize = 1 << 20

  /// Reads the encoded form.
  ///
  /// - Parameter bytes: What ``bytes`` was.
  /// - Throws: ``NetworkErrorCode/cannotDecodeRawData`` when they are damaged, cut or something else.
  public init(_ bytes: [UInt8]) throws {
    guard let decoded = Self(decoding: bytes) else {
      throw NetworkError(.resumeData(InputError(.resumeData, found: Self.describe(bytes))))
    }
    self = decoded
  }

  private init?(decoding bytes: [UInt8]) {
    guard bytes.count <= Self.maximumSize, bytes.starts(with: Self.magic) else { return nil }
    var cursor = ByteCursor(bytes, at: Self.magic.count)
    guard let flag = cursor.integer(UInt8.self), let url = cursor.string(),
      let target = cursor.string(), let version = cursor.version(),
      let stored = cursor.integer(UInt64.self)
    else { return nil }
    let end = cursor.offset
    guard let check = cursor.integer(UInt32.self), cursor.isAtEnd, flag <= 1,
      CRC32C.checksum(bytes[..<end]) == check
    else { return nil }
    (self.url, needsURL, self.target, self.version) = (url, flag == 1, target, version)
    storedBytes = stored
  }

  /// What is in place of resume data, for a message: never its content.
  private static func describe(_ bytes: [UInt8]) -> String {
    bytes.starts(with: magic) ? "\(bytes.count) bytes that are damaged or cut" : "other bytes"
  }

  /// Looks at what an interrupted download left; `nil` without a part, a journal beside it, and bytes in it.
  ///
  /// - Parameters:
  ///   - target: The file that it was to become.
  ///   - url: The URL as it was asked for, where that is known: it tells whether it holds secrets.
  public init?(partOf target: String, url: String? = nil) {
    guard let part = PartialDownload(PartName.part(of: target)), part.storedBytes > 0,
      let origin = part.url
    else { return nil }
    self.url = origin
    needsURL =
      url.map { URLRedaction.redact($0) != $0 } ?? origin.contains(URLRedaction.placeholder)
    self.target = FileSystem.absolute(target)
    version = part.version
    storedBytes = part.storedBytes
  }

  /// The encoded form.
  public var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(needsURL ? 1 : 0)
    bytes.append(string: url)
    bytes.append(string: target)
    bytes.append(version: version)
    bytes.append(integer: storedBytes)
    bytes.append(integer: CRC32C.checksum(bytes))
    return bytes
  }

  /// Checks that the part is still there and the one that is meant; blocks.
  ///
  /// - Parameters:
  ///   - given: The URL to go on with, or `nil` for the one in here.
  ///   - adopts: Whether it may be another one.
  /// - Returns: The URL to ask for.
  /// - Throws: That the URL is needed, or that the part is gone or another one.
  func check(_ given: String?, adopts: Bool) throws(TransferProblem) -> String {
    guard let requested = given ?? (needsURL ? nil : url) else {
      throw .resumeData(InputError(.resumeURL, found: url))
    }
    let path = PartName.part(of: target)
    guard let part = PartialDownload(path), FileSystem.exists(path) else {
      throw .partMissing(path: path)
    }
    let isMeant = part.url == url && version.change(from: part.version) == nil
    let agrees = version.total == nil || part.version.total == version.total
    guard isMeant, agrees, adopts || URLRedaction.redact(requested) == url else {
      throw .partChanged(path: path)
    }
    return requested
  }
}

extension NetworkSession {
  /// Goes on with a download that was interrupted.
  ///
  /// - Parameters:
  ///   - data: What ``DownloadTask/resumeData()`` gave.
  ///   - url: The URL, where ``ResumeData/needsURL`` says so; or another one, for a link that has expired, with
  ///     ``DownloadOptions/adoptsOtherURL``.
  ///   - options: How it is done.
  ///   - progress: Counts bytes written.
  /// - Returns: What was done, and where the file is.
  /// - Throws: ``NetworkError``: ``NetworkErrorCode/cannotOpenFile`` when the part is gone or is no longer the one
  ///   that is meant, ``NetworkErrorCode/cannotDecodeRawData`` when the URL is needed; or as
  ///   ``download(_:to:options:progress:)``.
  public func download(
    resuming data: ResumeData, url: String? = nil, options: DownloadOptions = DownloadOptions(),
    progress: consuming WorkShare = .detached()
  ) async throws -> DownloadReport {
    let requested = try await data.checked(url, options)
    return try await download(
      requested, to: .file(data.target), options: options, progress: progress)
  }

  /// Prepares to go on with a download that was interrupted; it begins with ``DownloadTask/start()``.
  ///
  /// What ``download(resuming:url:options:progress:)`` throws at once is told by the task, too.
  public func downloadTask(
    resuming data: ResumeData, url: String? = nil, options: DownloadOptions = DownloadOptions(),
    handlers: DownloadHandlers = DownloadHandlers()
  ) -> DownloadTask {
    DownloadTask(
      self, url ?? data.url, .file(data.target), options, handlers,
      check: { _ = try await data.checked(url, options) })
  }
}

extension ResumeData {
  /// ``check(_:adopts:)`` on a thread that may block.
  fileprivate func checked(_ url: String?, _ options: DownloadOptions) async throws -> String {
    let data = self
    return try await OwnedThread.run(named: "fetch-resume") {
      do throws(TransferProblem) {
        return try data.check(url, adopts: options.adoptsOtherURL)
      } catch {
        throw NetworkError(error).during(url: url ?? data.url, phase: .preparation)
      }
    }
  }
}

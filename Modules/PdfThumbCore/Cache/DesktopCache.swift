internal import SystemIO

/// The thumbnails that all programs of a desktop share (freedesktop.org's Thumbnail Managing Standard 0.9).
///
/// A thumbnail is a PNG file named by the MD5 sum of the original's URI; it is good as long as the time of
/// modification it notes is the original's. Calls block on the disk and may come from any thread.
public struct DesktopCache: Sendable {
  /// The sizes the standard knows: boxes a picture fits into.
  public enum Size: Int, Sendable, CaseIterable {
    /// 128 pixels.
    case normal = 128
    /// 256 pixels.
    case large = 256
    /// 512 pixels.
    case extraLarge = 512
    /// 1024 pixels.
    case extraExtraLarge = 1024

    /// The smallest size whose box holds that many pixels, or the largest of all.
    public init(holding pixels: Int) {
      self = Self.allCases.first { $0.rawValue >= pixels } ?? .extraExtraLarge
    }

    var directory: String {
      switch self {
      case .normal: "normal"
      case .large: "large"
      case .extraLarge: "x-large"
      case .extraExtraLarge: "xx-large"
      }
    }
  }

  /// An original as the cache knows it.
  public struct Original: Sendable, Equatable {
    /// The absolute URI.
    public let uri: String
    /// The time of modification in whole seconds.
    public let modified: Int64
    /// The size in bytes.
    public let byteCount: UInt64

    var name: String { FileURI.md5(uri) + ".png" }
  }

  /// The directory of all thumbnails, `$XDG_CACHE_HOME/thumbnails`.
  public let root: String
  private let program: String

  /// Uses a directory; nothing is made before something is stored.
  ///
  /// - Parameters:
  ///   - root: The directory of all thumbnails.
  ///   - program: Name and version of the program, by which its failures are kept apart from others'.
  public init(root: String, program: String) {
    self.root = root
    self.program = program
  }

  /// Uses the user's own cache, or returns `nil` when neither `XDG_CACHE_HOME` nor `HOME` says where it is.
  public init?(program: String) {
    if let cache = Environment["XDG_CACHE_HOME"], Path.isAbsolute(cache) {
      self.init(root: Path.join(cache, "thumbnails"), program: program)
    } else if let home = Environment["HOME"], Path.isAbsolute(home) {
      self.init(root: Path.join(home, ".cache/thumbnails"), program: program)
    } else {
      return nil
    }
  }

  /// What the cache has to know of a file.
  ///
  /// - Parameter path: The file's path; links are not followed for its name.
  /// - Returns: The original, or `nil` when it cannot be read or lies in the cache itself: such files have no
  ///   thumbnails.
  public func original(_ path: String) -> Original? {
    guard let uri = FileURI.uri(of: path), let absolute = FileURI.path(of: uri),
      !absolute.hasPrefix(root + "/"),
      let file = try? FileDescriptor.open(path, [.readOnly, .nonBlocking]),
      let status = try? file.status(), status.kind == .regular
    else { return nil }
    return Original(uri: uri, modified: status.modified.seconds, byteCount: status.size)
  }

  /// Where the thumbnail of an original stands, whether there is one or not.
  public func path(of original: Original, size: Size) -> String {
    Path.join(Path.join(root, size.directory), original.name)
  }

  /// The file of a thumbnail that is still good, or `nil`.
  public func thumbnail(of original: Original, size: Size) -> [UInt8]? {
    guard let file = read(path(of: original, size: size)), isGood(PNGText.read(file), original)
    else { return nil }
    return file
  }

  /// Stores a thumbnail of a document's first page.
  ///
  /// - Parameters:
  ///   - picture: The picture; it fits into the size's box.
  ///   - original: What it is a picture of.
  ///   - size: The size it is stored as.
  ///   - pageCount: The number of the document's pages.
  /// - Returns: The path of the file.
  /// - Throws: ``PDFError/Code/encodeFailed`` or ``PDFError/Code/writeFailed``.
  public func store(
    _ picture: Picture, of original: Original, size: Size, pageCount: Int
  ) throws(PDFError) -> String {
    let words = Self.words(of: original) + [("Thumb::Document::Pages", String(pageCount))]
    let path = path(of: original, size: size)
    try write(picture, words + [("Software", "Courier \(program)")], to: path)
    return path
  }
}

extension DesktopCache {
  /// How long a failure is believed.
  static let failureLifetime: Int64 = 7 * 24 * 3600

  /// Notes that a document cannot be drawn, for programs not to try again.
  ///
  /// Only what lies in the document itself is noted: never time limits, memory, or passwords.
  ///
  /// - Returns: Whether the failure was noted.
  @discardableResult
  public func note(_ failure: PDFError, of original: Original) -> Bool {
    let lasting: [PDFError.Code] = [.notAPDF, .damaged, .noPages, .pageMissing]
    guard lasting.contains(failure.code),
      let empty = Picture(
        size: PixelSize(width: 1, height: 1), format: .rgba, pixels: [0, 0, 0, 0])
    else { return false }
    let words =
      Self.words(of: original) + [
        ("X-Courier::Reason", failure.code.description),
        ("X-Courier::Noted", String(FileTime.now.seconds)),
      ]
    do throws(PDFError) {
      try write(empty, words, to: failurePath(of: original))
      return true
    } catch {
      return false
    }
  }

  /// The code of a failure noted for the document as it is now, or `nil`.
  public func failure(of original: Original) -> PDFError.Code? {
    guard let file = read(failurePath(of: original)) else { return nil }
    let words = PNGText.read(file)
    guard isGood(words, original), let noted = words["X-Courier::Noted"].flatMap({ Int64($0) }),
      FileTime.now.seconds - noted < Self.failureLifetime
    else { return nil }
    return words["X-Courier::Reason"].flatMap { PDFError.Code(name: $0) }
  }

  private func failurePath(of original: Original) -> String {
    Path.join(Path.join(root, "fail/" + program), original.name)
  }

  private func isGood(_ words: [String: String], _ original: Original) -> Bool {
    words["Thumb::URI"] == original.uri && words["Thumb::MTime"] == String(original.modified)
  }

  private static func words(of original: Original) -> [(key: String, value: String)] {
    [
      ("Thumb::URI", original.uri), ("Thumb::MTime", String(original.modified)),
      ("Thumb::Size", String(original.byteCount)), ("Thumb::Mimetype", "application/pdf"),
    ]
  }

  private func read(_ path: String) -> [UInt8]? {
    guard let file = try? FileDescriptor.open(path, [.readOnly, .nonBlocking]) else { return nil }
    return try? file.readToEnd(limit: 64 << 20)
  }

  /// Directories are the user's alone, files as well.
  private func write(
    _ picture: Picture, _ words: [(key: String, value: String)], to path: String
  ) throws(PDFError) {
    let bytes = try PNGEncoder(level: 6, text: words, alwaysHasAlpha: true).encode(picture)
    do throws(SystemError) {
      try FileSystem.makeDirectories(Path.parent(of: path), mode: 0o700)
      try FileSystem.place(bytes, at: path, mode: 0o600)
    } catch {
      throw PDFError.notWritten(path, cause: error.reason)
    }
  }
}

/// The path that a desktop's `%u` or `%i` means: a `file:` URI or a path.
package func localPath(_ text: String) -> String? {
  text.hasPrefix("file:") ? FileURI.path(of: text) : text
}

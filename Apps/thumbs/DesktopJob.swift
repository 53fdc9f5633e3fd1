import CommandLineSupport
import Dialogue
import PdfThumbCore
import ProgressReporting
import SystemIO

/// What `thumbs` does for a desktop: its cache, and the part of a thumbnailer.
struct DesktopJob {
  static let program = "courier-thumbs-0.1.0"

  let context: CommandContext
  let settings: ThumbsSettings
  let password: String?
  /// The worker processes, or `nil` to draw in this one.
  let pool: WorkerPool?

  /// Draws the first page of the first operand into the second.
  func thumbnail() async throws -> ExitStatus {
    let (document, output) = (settings.files[0], settings.files[1])
    guard let path = localPath(document) else {
      throw CommandFailure(
        document, "expected a path or a file: URI of this machine", status: .unreadable)
    }
    do {
      let (drawn, _) = try await firstPage(of: path, size: settings.longestSide)
      let bytes = try PNGEncoder(level: 6).encode(drawn.picture)
      try ResultFile.write(bytes, to: localPath(output) ?? output)
      return .success
    } catch let error as PDFError {
      throw CommandFailure(path, error.clause, status: ExitStatus(opening: error))
    }
  }

  /// Sees that the cache has a picture of each document.
  func fillCache() async throws -> ExitStatus {
    guard let cache = DesktopCache(program: Self.program) else {
      throw CommandFailure(
        "--cache", "expected XDG_CACHE_HOME or HOME to name a directory", status: .usage)
    }
    var tally = Tally()
    for file in settings.files {
      try context.cancellation.check()
      do {
        let size = DesktopCache.Size(holding: settings.longestSide)
        let (path, isNew) = try await cache.fill(file, size: size) {
          let (drawn, count) = try await firstPage(of: file, size: size.rawValue)
          return (drawn.picture, count)
        }
        tally.add(DocumentJob.Result(drawn: 1))
        if context.settings.isJSON {
          context.console.printJSON(
            [
              "document": .string(file), "file": .string(path), "page": 1,
              "source": .string(isNew ? "render" : "cache"),
            ])
        }
      } catch let error as PDFError {
        tally.add(DocumentJob.Result(opening: ExitStatus(opening: error)))
        if context.settings.isJSON {
          context.console.printJSON(PageRecord.failed(error, document: file, page: nil))
        }
        context.console.error(file, error.clause)
      }
    }
    return tally.status
  }

  /// Desktops run thumbnailers in a sandbox of their own, where ours may not be had.
  private func firstPage(of path: String, size: Int) async throws -> (DrawnPage, Int) {
    do {
      if let pool {
        return try await draw(try await pool.open(.path(path), password: password), size: size)
      }
    } catch let error as PDFError
      where error.code == .isolationUnavailable && settings.isThumbnailer
    {}
    return try await draw(
      try await ThumbnailDocument.openInProcess(.path(path), password: password), size: size)
  }

  private func draw(_ document: ThumbnailDocument, size: Int) async throws -> (DrawnPage, Int) {
    let page = try await document.draw(
      0, size: .fit(width: size, height: size),
      renderer: PageRenderer(settings: settings.settings))
    return (page, document.pageCount)
  }

  /// Writes the desktop's entry for this program.
  static func install(_ console: Console) throws -> ExitStatus {
    guard let path = ThumbnailerEntry.path else {
      throw CommandFailure(
        "--install-thumbnailer", "expected XDG_DATA_HOME or HOME to name a directory",
        status: .usage)
    }
    let entry = ThumbnailerEntry.text
    do throws(PDFError) {
      try ResultFile.write(Array(entry.utf8), to: path)
    } catch {
      throw CommandFailure(path, error.clause)
    }
    console.print("\(path)")
    return .success
  }
}

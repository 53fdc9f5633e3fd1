package import Dialogue
internal import PdfThumbCore
internal import ProgressReporting

/// What is done for a desktop: its cache of thumbnails, and the part of a thumbnailer.
package struct DesktopRun: Sendable {
  private let request: RunRequest
  private let front: any FrontEnd

  /// Prepares a run; `request` says how large, how, and with which password.
  package init(_ request: RunRequest, front: any FrontEnd) {
    self.request = request
    self.front = front
  }

  /// Draws the first page of a document as PNG.
  ///
  /// - Parameters:
  ///   - document: A path or a `file:` URI.
  ///   - output: Where the picture goes, as a path or a `file:` URI.
  /// - Throws: ``RunFailure``, `CancellationError`.
  package func thumbnail(of document: String, to output: String) async throws {
    guard let path = localPath(document) else { throw RunFailure.notLocal(document) }
    do {
      let pool = try pool()
      let (drawn, _) = try await front.cancelling { [request] in
        try await firstPage(of: path, size: request.longestSide, pool, mayDoWithout: true)
      }
      let bytes = try PNGEncoder(level: 6).encode(drawn.picture)
      try DiskStore().write(bytes, to: localPath(output) ?? output)
    } catch let error as PDFError {
      throw RunFailure.opening(path, error)
    }
  }

  /// Sees that the cache has a picture of each document.
  ///
  /// - Parameters:
  ///   - files: The documents' paths.
  ///   - program: Name and version of the program, by which its failures are kept apart from others'.
  /// - Returns: What became of all of them.
  /// - Throws: ``RunFailure`` where there is no cache, `CancellationError`.
  package func fillCache(with files: [String], program: String) async throws -> RunOutcome {
    guard let cache = DesktopCache(program: program) else { throw RunFailure.noCache() }
    let pool = try pool()
    return try await front.cancelling { [self] in
      var tally = Tally()
      for file in files {
        try front.cancellation.check()
        tally.add(try await fill(cache, with: file, pool))
      }
      return tally.outcome
    }
  }

  private func fill(
    _ cache: DesktopCache, with file: String, _ pool: WorkerPool?
  ) async throws -> DocumentResult {
    let size = DesktopCache.Size(holding: request.longestSide)
    do {
      let (path, isNew) = try await cache.fill(file, size: size) {
        let (drawn, count) = try await firstPage(
          of: file, size: size.rawValue, pool, mayDoWithout: false)
        return (drawn.picture, count)
      }
      if request.tellsRecords {
        front.record(PageRecord.cached(path, document: file, isNew: isNew))
      }
      return DocumentResult(drawn: 1)
    } catch let error as PDFError {
      if request.tellsRecords {
        front.record(PageRecord.failed(error, document: file, page: nil))
      }
      front.error(file, error.clause)
      return DocumentResult(opening: RunOutcome(opening: error))
    }
  }

  private func pool() throws -> WorkerPool? {
    request.isIsolated ? try WorkerPool(request.limits) : nil
  }

  /// Desktops run thumbnailers in a sandbox of their own, where ours may not be had.
  private func firstPage(
    of path: String, size: Int, _ pool: WorkerPool?, mayDoWithout: Bool
  ) async throws -> (DrawnPage, Int) {
    do {
      if let pool {
        return try await draw(
          try await pool.open(.path(path), password: request.password), size: size)
      }
    } catch let error as PDFError where error.code == .isolationUnavailable && mayDoWithout {}
    return try await draw(
      try await ThumbnailDocument.openInProcess(.path(path), password: request.password),
      size: size)
  }

  private func draw(_ document: ThumbnailDocument, size: Int) async throws -> (DrawnPage, Int) {
    let page = try await document.draw(
      0, size: .fit(width: size, height: size), renderer: request.renderer)
    return (page, document.pageCount)
  }

  /// Writes the desktop's entry for this program.
  ///
  /// - Returns: The path of the entry.
  /// - Throws: ``RunFailure``.
  package static func install() throws(RunFailure) -> String {
    guard let path = ThumbnailerEntry.path else { throw .noDataHome() }
    do throws(PDFError) {
      try DiskStore().write(Array(ThumbnailerEntry.text.utf8), to: path)
    } catch {
      throw .notInstalled(path, error)
    }
    return path
  }
}

package import PdfThumbCore

/// What is to become of the pages of documents.
package struct RunRequest: Sendable, Equatable {
  /// The size of the pictures; 80 pixels high by default.
  package var size = ThumbnailSize.height(80)
  /// The pages of each document; all by default.
  package var pages = PageSelection.all
  /// What the pictures look like.
  package var rendering = RenderSettings()
  /// The file format; PNG by default.
  package var format = PictureFormat.png
  /// 1 to 100; 85 by default.
  package var quality = 85
  /// Where pictures go: a directory, a file or a template; see ``PictureNames``.
  package var output: String?
  /// The file of one picture with all pages.
  package var sheet: String?
  /// Pages in a row of the sheet; `nil` for about as wide as high.
  package var columns: Int?
  /// The file of one strip with all pages, beside which an index is put.
  package var sprite: String?
  /// The directory of a page to browse.
  package var html: String?
  /// Whether documents are described only, and nothing is drawn.
  package var isInformation = false
  /// Whether each page is told of for programs.
  package var tellsRecords = false
  /// Pages drawn at the same time; `nil` for as many as there are processors.
  package var jobs: Int?
  /// Whether pages are drawn in confined worker processes.
  package var isIsolated = true
  /// The longest a page may take; `nil` for the usual.
  package var pageTime: Duration?
  /// Bytes a worker may take beyond the document; `nil` for the usual.
  package var memory: UInt64?
  /// The password of all documents.
  package var password: String?

  package init() {}

  /// What worker processes may cost.
  package var limits: IsolationSettings {
    var limits = IsolationSettings(workers: jobs)
    if let pageTime { (limits.pageTime, limits.processorTime) = (pageTime, pageTime) }
    if let memory { limits.memory = memory }
    return limits
  }

  /// The longest side of a picture as far as the size says it.
  var longestSide: Int {
    switch size {
    case .height(let side), .width(let side): side
    case .fit(let width, let height): max(width, height)
    case .scale: 256
    }
  }

  var renderer: PageRenderer { PageRenderer(settings: rendering) }
}

/// A document of a run.
package struct RunDocument: Sendable {
  /// What its pictures are named by; see ``PictureNames``.
  package let file: String
  /// What people and programs know it by.
  package let title: String
  /// Where its bytes come from.
  package let source: PDFSource

  /// Takes a path, or `-` for standard input.
  package init(_ file: String) {
    self.file = file
    title = file == "-" ? "standard input" : file
    source = file == "-" ? .descriptor(0, name: title) : .path(file)
  }

  /// Takes a document that has a name and no path.
  package init(_ name: String, source: PDFSource) {
    (file, title, self.source) = (name, name, source)
  }
}

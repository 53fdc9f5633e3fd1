internal import SystemIO

/// Where each page's picture goes; no name is given twice in one run.
package struct PictureNames: Sendable {
  private let directory: String?
  private let template: NameTemplate?
  private let fileExtension: String
  private var taken: Set<String> = []

  /// Reads what was asked for.
  ///
  /// - Parameters:
  ///   - output: A directory, a file with the ending of a picture, or a template; `nil` for the current directory.
  ///   - format: What the pictures are.
  package init(output: String?, format: PictureFormat) {
    fileExtension = format.fileExtension
    let standard = NameTemplate("{name}-{page}.{ext}")
    guard let output else {
      (directory, template) = (nil, standard)
      return
    }
    let isTemplate = output.contains("{")
    let endings = ["png", "jpg", "jpeg", "webp"]
    let isFile =
      endings.contains(Path.split(name: Path.name(of: output)).pathExtension.lowercased())
      && (try? FileSystem.status(output).kind) != .directory
    if isTemplate || isFile {
      (directory, template) = (nil, NameTemplate(output))
    } else {
      (directory, template) = (output, standard)
    }
  }

  /// The path for a page, or `nil` when another page of this run has it already.
  package mutating func path(for document: String, page: PageGeometry) -> String? {
    guard let template else { return nil }
    let stem =
      document == "-" ? "stdin" : Path.split(name: Path.name(of: document)).stem
    let name = template.name(
      of: stem, page: page.index, label: page.label, fileExtension: fileExtension)
    let path = directory.map { Path.join($0, name) } ?? name
    return taken.insert(path).inserted ? path : nil
  }
}

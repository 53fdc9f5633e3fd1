internal import CQpdf
internal import Glibc

/// What decides how a page is drawn.
struct PageTraits: Sendable, Equatable {
  /// Whether the page has annotations or form fields.
  var hasAnnotations = false
  /// The pixels of the images among the page's resources, together.
  var imagePixels = 0.0
  /// The longest side of one of them in pixels.
  var longestImageSide = 0.0
  /// Whether forms are among the resources, whose contents are not looked into.
  var hasForms = false
  /// What the content does, or `nil` when it is larger than is worth knowing.
  var content: ContentScan?
}

extension QPDFHandle {
  /// What the page's dictionary and resources say, without looking into its contents.
  mutating func traits(of page: Int) -> PageTraits? {
    withPage(page) { object in
      var traits = PageTraits()
      traits.hasAnnotations = (object["/Annots"]?.elementCount ?? 0) > 0
      var visited: Set<Int> = []
      if let resources = object.inherited("/Resources") {
        Self.note(resources, depth: 0, visited: &visited, in: &traits)
      }
      traits.content = object.scanContent()
      return traits
    }
  }

  /// Adds the images of a resource dictionary and of the forms in it, at most 4 levels and 4096 objects.
  private static func note(
    _ resources: QPDFObject, depth: Int, visited: inout Set<Int>, in traits: inout PageTraits
  ) {
    guard depth < 4, let objects = resources["/XObject"] else { return }
    for key in objects.keys {
      guard visited.count < 4096, let object = objects[key],
        let dictionary = object.streamDictionary,
        visited.insert(object.objectNumber).inserted
      else { continue }
      switch dictionary["/Subtype"]?.name {
      case "/Image"?:
        let width = dictionary["/Width"]?.number ?? 0
        let height = dictionary["/Height"]?.number ?? 0
        traits.imagePixels += max(0, width) * max(0, height)
        traits.longestImageSide = max(traits.longestImageSide, width, height)
      case "/Form"?:
        traits.hasForms = true
        if let inner = dictionary["/Resources"] {
          note(inner, depth: depth + 1, visited: &visited, in: &traits)
        }
      default: break
      }
    }
  }
}

extension QPDFObject {
  /// Counts the operators of a page's content, unless it takes more than a megabyte in the file.
  fileprivate func scanContent() -> ContentScan? {
    content(limit: 1_000_000).map { ContentScan($0) }
  }

  /// A page's content, its streams joined; `nil` when it cannot be read or takes `limit` bytes in the file.
  func content(limit: Double) -> [UInt8]? {
    guard let contents = self["/Contents"] else { return [] }
    let streams = contents.isArray ? contents.elements(limit: 1000) : [contents]
    let length = streams.reduce(0) { $0 + ($1.streamDictionary?["/Length"]?.number ?? 0) }
    guard length < limit else { return nil }
    var buffer: UnsafeMutablePointer<UInt8>?
    var count = 0
    // Safety: qpdf allocates the bytes with malloc and leaves them to the caller.
    defer { unsafe free(buffer) }
    let status = unsafe qpdf_oh_get_page_content_data(document, handle, &buffer, &count)
    guard status & 2 == 0, let buffer = unsafe buffer else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: buffer, count: count))
  }
}

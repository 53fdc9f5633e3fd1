/// A document as a viewer shows it: its pages and where their pictures are.
public struct ViewerDocument: Sendable, Equatable {
  /// One page.
  public struct Page: Sendable, Equatable {
    /// The page's number, from 1 on.
    public var number: Int
    /// What the document calls it, such as `iv`.
    public var label: String
    /// The thumbnail's width in pixels, known before its picture is.
    public var width: Int
    /// The thumbnail's height in pixels.
    public var height: Int
    /// The thumbnail's address, relative to the page that shows it; nil where it could not be drawn.
    public var thumbnail: String?
    /// The address of the picture to read.
    public var view: String?

    /// Describes a page.
    public init(
      number: Int, label: String, width: Int, height: Int, thumbnail: String?, view: String?
    ) {
      self.number = number
      self.label = label
      self.width = width
      self.height = height
      self.thumbnail = thumbnail
      self.view = view
    }
  }

  /// What the document is called.
  public var title: String
  /// Its pages, in the order shown.
  public var pages: [Page]

  /// Describes a document.
  public init(title: String, pages: [Page] = []) {
    self.title = title
    self.pages = pages
  }
}

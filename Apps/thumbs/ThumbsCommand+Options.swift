import CommandLineSupport

extension ThumbsCommand {
  static let output = OptionSpec(
    "output", "o", .text, metavar: "DIR|TEMPLATE", section: "Where",
    summary: "where pictures go",
    details: """
      A directory, which is made if it is missing, or a template with {name}, {page}, {label} and \
      {ext} in it; {page:04} fills up with zeros. A path that ends like a picture takes one page. \
      Default: {name}-{page}.{ext} in the current directory.
      """, completion: .file)

  static let height = OptionSpec(
    "height", nil, .integer(1...32_767), metavar: "N", section: "Size",
    summary: "pixels of height (default 80)")
  static let width = OptionSpec(
    "width", nil, .integer(1...32_767), metavar: "N", section: "Size", summary: "pixels of width")
  static let size = OptionSpec(
    "size", "s", .text, metavar: "WxH", section: "Size", summary: "fit inside a box of pixels",
    details: "A single number is both width and height.")
  static let scale = OptionSpec(
    "scale", nil, .text, metavar: "F", section: "Size",
    summary: "pixels a point; 1 is 72 dots an inch")

  static let pages = OptionSpec(
    "pages", "p", .text, metavar: "LIST", section: "What",
    summary: "pages such as 1,3-5,-1 (default all)",
    details: "Numbers count from 1, negative ones from the end; a range may leave out its end.")
  static let box = OptionSpec(
    "box", nil,
    .choice([
      .init("crop", "what a viewer shows"), .init("media", "the whole sheet"),
      .init("trim", "the finished page after trimming"),
    ]), metavar: "BOX", section: "What", summary: "the part of the page drawn (default crop)")
  static let rotate = OptionSpec(
    "rotate", nil, .choice(["0", "90", "180", "270"]), metavar: "N", section: "What",
    summary: "degrees clockwise beyond the page's own turn")
  static let annotations = OptionSpec(
    "annotations", nil, .negatableFlag, section: "What",
    summary: "draw annotations (default); form fields are always drawn")
  static let embedded = OptionSpec(
    "embedded", nil, section: "What",
    summary: "use thumbnails that the document carries",
    details: """
      Those that are large enough, have the shape of their pages and more than one colour. They may show an older \
      state of the page.
      """)
  static let passwordFile = OptionSpec(
    "password-file", nil, .text, metavar: "FILE", section: "What",
    summary: "the password is the first line of FILE", completion: .file)
  static let passwordEnv = OptionSpec(
    "password-env", nil, .text, metavar: "VAR", section: "What",
    summary: "the password is in the environment variable VAR")

  static let format = OptionSpec(
    "format", "f", .choice(["png", "jpeg", "webp"]), metavar: "FORMAT", section: "Encoding",
    summary: "the file format (default png)")
  static let quality = OptionSpec(
    "quality", nil, .integer(1...100), metavar: "N", section: "Encoding",
    summary: "1 to 100 (default 85); over 90, PNG is small rather than quick")
  static let gray = OptionSpec("gray", nil, section: "Encoding", summary: "luminance only")
  static let background = OptionSpec(
    "background", nil, .text, metavar: "COLOR", section: "Encoding",
    summary: "what lies under the page (default white)",
    details: "Six hexadecimal digits (#f0e0d0), white, black, or none for a transparent picture.")

  static let sheet = OptionSpec(
    "sheet", nil, .text, metavar: "FILE", section: "Other results",
    summary: "one picture with all pages in rows", completion: .file)
  static let columns = OptionSpec(
    "columns", nil, .integer(1...1000), metavar: "N", section: "Other results",
    summary: "pages in a row of --sheet")
  static let sprite = OptionSpec(
    "sprite", nil, .text, metavar: "FILE", section: "Other results",
    summary: "one strip with all pages, and FILE.json that says where each stands",
    completion: .file)
  static let html = OptionSpec(
    "html", nil, .text, metavar: "DIR", section: "Other results",
    summary: "a page to browse offline: the strip, page views, jump on click",
    completion: .directory)
  static let terminal = OptionSpec(
    "terminal", nil, section: "Other results",
    summary: "draw in the terminal",
    details: """
      With the protocol of kitty or iTerm2, with sixels or with blocks, by what the terminal is known to \
      understand. Blocks stand for 3 by 6 pixels; a larger --height shows more.
      """)
  static let info = OptionSpec(
    "info", nil, section: "Other results",
    summary: "pages, sizes, labels, outline as JSON; renders nothing")

  static let cache = OptionSpec(
    "cache", nil, section: "Desktop",
    summary: "store first pages in the desktop's thumbnail cache",
    details: """
      In the smallest of the sizes 128, 256, 512 and 1024 that holds the size asked for. What is \
      there and still good is kept; documents that failed lately are not tried again.
      """)
  static let thumbnailer = OptionSpec(
    "thumbnailer", nil, section: "Desktop",
    summary: "FILE is a path or file: URI, followed by where its first page goes as PNG",
    details: "The way desktops call a thumbnailer: thumbs --thumbnailer -s 256 URI OUTPUT.")
  static let installThumbnailer = OptionSpec(
    "install-thumbnailer", nil, section: "Desktop",
    summary: "tell the desktop to draw PDF documents with this program",
    details: "Writes thumbnailers/courier-thumbs.thumbnailer in $XDG_DATA_HOME.",
    waivesOperands: true)

  static let jobs = OptionSpec(
    "jobs", nil, .integer(1...64), metavar: "N", section: "Running",
    summary: "pages drawn at the same time (default: processors)")
  static let isolation = OptionSpec(
    "isolation", nil, .negatableFlag, section: "Running",
    summary: "draw in confined worker processes (default)",
    details: """
      With --no-isolation pages are drawn in this process: a document that crashes or hangs the \
      renderer ends the run, and limits do not hold. Records of --json say under "confinement" which \
      system calls and files are closed to the workers, and what the kernel lacks for more; null stands \
      for no confinement.
      """)
  static let pageTimeout = OptionSpec(
    "page-timeout", nil, .duration, metavar: "T", section: "Running",
    summary: "the longest a page may take (default 20s)")
  static let memory = OptionSpec(
    "memory", nil, .size, metavar: "SIZE", section: "Running",
    summary: "the memory a worker may take beyond the document (default 1GiB)")

  static let spec = CommandSpec(
    name: "thumbs", version: "0.1.0", summary: "draw the pages of PDF documents as small pictures",
    description: [
      "Writes a picture of every page of each FILE. Pages are drawn larger than asked for and averaged, "
        + "so that text and hairlines survive at thumbnail size.",
      "A page or document that cannot be drawn is named with its reason; the rest goes on.",
    ],
    operands: [
      .init("FILE", .oneOrMore, summary: "PDF documents; - is standard input", completion: .file)
    ],
    options: [
      output, height, width, size, scale, pages, box, rotate, annotations, embedded, passwordFile,
      passwordEnv,
      format, quality, gray, background, sheet, columns, sprite, html, terminal, info, cache,
      thumbnailer,
      installThumbnailer, jobs, isolation,
      pageTimeout, memory,
    ],
    examples: [
      .init("thumbs -o out report.pdf", "Writes out/report-1.png and so on, 80 pixels high."),
      .init("thumbs --size 256x256 -p 1 *.pdf", "The first page of many documents."),
      .init("thumbs --sheet all.png --columns 8 report.pdf", "All pages on one sheet."),
      .init("thumbs --html browse report.pdf", "A page to look at in a browser."),
    ],
    outcomes: [
      .init(.success, "all pages"), .init(.incomplete, "some pages are missing"),
      .init(.usage, "usage"), .init(.unreadable, "not a PDF, or unreadable"),
      .init(.locked, "a password is needed or wrong"), .init(.nothing, "no page was rendered"),
    ], failureStatus: .nothing)
}

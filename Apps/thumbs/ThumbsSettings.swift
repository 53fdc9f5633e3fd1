import CommandLineSupport
import PdfThumbCore
import ThumbsJobs

/// What the command line asks for.
struct ThumbsSettings: Equatable {
  /// What is done with the files.
  enum Task {
    case pages, cache, desktop, installing
  }

  var files: [String]
  var task = Task.pages
  var request = RunRequest()
  var isTerminal: Bool
  var password: PasswordPlace?

  typealias Options = ThumbsCommand

  init(_ arguments: ParsedArguments) throws {
    files = arguments.operands
    isTerminal = arguments.isSet(Options.terminal)
    let tasks = [
      (Options.installThumbnailer, Task.installing), (Options.thumbnailer, .desktop),
      (Options.cache, .cache),
    ]
    task = tasks.first { arguments.isSet($0.0) }?.1 ?? .pages
    password = arguments.text(Options.passwordFile).map { .file($0) }
    if let variable = arguments.text(Options.passwordEnv) { password = .variable(variable) }
    request.output = arguments.text(Options.output)
    request.sheet = arguments.text(Options.sheet)
    request.columns = arguments.integer(Options.columns)
    request.sprite = arguments.text(Options.sprite)
    request.html = arguments.text(Options.html)
    request.isInformation = arguments.isSet(Options.info)
    request.jobs = arguments.integer(Options.jobs)
    request.isIsolated = arguments.isOn(Options.isolation, default: true)
    request.pageTime = arguments.duration(Options.pageTimeout)
    request.memory = arguments.size(Options.memory)
    request.quality = arguments.integer(Options.quality) ?? request.quality
    request.format = arguments.choice(Options.format) ?? request.format
    request.pages =
      try arguments.value(
        Options.pages, expected: "pages such as 1,3-5,-1", { PageSelection($0) }) ?? .all
    try readLooks(arguments)
    try readSize(arguments)
    try check()
  }

  private mutating func readLooks(_ arguments: ParsedArguments) throws {
    request.rendering.isGray = arguments.isSet(Options.gray)
    request.rendering.drawsAnnotations = arguments.isOn(Options.annotations, default: true)
    request.rendering.embedded = arguments.isSet(Options.embedded) ? .preferred : .unused
    request.rendering.box = arguments.choice(Options.box) ?? .crop
    request.rendering.rotation = arguments.text(Options.rotate).flatMap { Int($0) } ?? 0
    if let ground = try arguments.value(
      Options.background, expected: "#rrggbb, white, black or none", { PageGround($0) })
    {
      request.rendering.ground = ground
    }
  }

  private mutating func readSize(_ arguments: ParsedArguments) throws {
    let box = try arguments.value(
      Options.size, expected: "a box such as 128x128", { ThumbnailSize(box: $0) })
    let scale = try arguments.value(
      Options.scale, expected: "a number over 0 and up to 1000", { ThumbnailSize(scale: $0) })
    let size: ThumbnailSize? =
      switch arguments.last(of: [Options.height, Options.width, Options.size, Options.scale]) {
      case Options.width?: arguments.integer(Options.width).map { .width($0) }
      case Options.size?: box
      case Options.scale?: scale
      default: arguments.integer(Options.height).map { .height($0) }
      }
    request.size = size ?? request.size
  }

  private func check() throws {
    if task == .desktop, files.count != 2 {
      throw UsageError.badValue(
        "\(files.count) arguments", of: Options.thumbnailer, expected: "a document and an output")
    }
    if request.sprite != nil, files.count > 1 {
      throw UsageError.badValue(
        "\(files.count) files", of: Options.sprite, expected: "one document")
    }
    if let output = request.output, output.contains("{") || output.contains("}"),
      NameTemplate(output) == nil
    {
      throw UsageError.badValue(
        output, of: Options.output, expected: "a template of {name} {page} {label} {ext}")
    }
  }
}

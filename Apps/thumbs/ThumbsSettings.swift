import CommandLineSupport
import PdfThumbCore

/// What the command line asks for.
struct ThumbsSettings: Equatable {
  var files: [String]
  var size = ThumbnailSize.height(80)
  var pages = PageSelection.all
  var settings = RenderSettings()
  var format = PictureFormat.png
  var quality = 85
  var output: String?
  var sheet: String?
  var columns: Int?
  var sprite: String?
  var html: String?
  var isTerminal = false
  var isInfo = false
  var usesCache = false
  var isThumbnailer = false
  var installsThumbnailer = false
  var jobs: Int?
  var isIsolated = true
  var pageTimeout: Duration?
  var memory: UInt64?
  var passwordFile: String?
  var passwordVariable: String?

  typealias Options = ThumbsCommand

  init(_ arguments: ParsedArguments) throws {
    files = arguments.operands
    output = arguments.text(Options.output)
    sheet = arguments.text(Options.sheet)
    columns = arguments.integer(Options.columns)
    sprite = arguments.text(Options.sprite)
    html = arguments.text(Options.html)
    isTerminal = arguments.isSet(Options.terminal)
    isInfo = arguments.isSet(Options.info)
    usesCache = arguments.isSet(Options.cache)
    isThumbnailer = arguments.isSet(Options.thumbnailer)
    installsThumbnailer = arguments.isSet(Options.installThumbnailer)
    jobs = arguments.integer(Options.jobs)
    isIsolated = arguments.isOn(Options.isolation, default: true)
    pageTimeout = arguments.duration(Options.pageTimeout)
    memory = arguments.size(Options.memory)
    passwordFile = arguments.text(Options.passwordFile)
    passwordVariable = arguments.text(Options.passwordEnv)
    quality = arguments.integer(Options.quality) ?? 85
    format = arguments.choice(Options.format) ?? .png
    settings.isGray = arguments.isSet(Options.gray)
    settings.drawsAnnotations = arguments.isOn(Options.annotations, default: true)
    settings.embedded = arguments.isSet(Options.embedded) ? .preferred : .unused
    settings.box = arguments.choice(Options.box) ?? .crop
    settings.rotation = arguments.text(Options.rotate).flatMap { Int($0) } ?? 0
    if let pages = try arguments.value(
      Options.pages, expected: "pages such as 1,3-5,-1", { PageSelection($0) })
    {
      self.pages = pages
    }
    if let ground = try arguments.value(
      Options.background, expected: "#rrggbb, white, black or none", { Self.ground($0) })
    {
      settings.ground = ground
    }
    try readSize(arguments)
    try check()
  }

  /// What worker processes may cost.
  var limits: IsolationSettings {
    var limits = IsolationSettings(workers: jobs)
    if let pageTimeout { (limits.pageTime, limits.processorTime) = (pageTimeout, pageTimeout) }
    if let memory { limits.memory = memory }
    return limits
  }

  private mutating func readSize(_ arguments: ParsedArguments) throws {
    let box = try arguments.value(
      Options.size, expected: "a box such as 128x128", { Self.box($0) })
    let scale = try arguments.value(
      Options.scale, expected: "a number over 0 and up to 1000",
      { Double($0).flatMap { $0 > 0 && $0 <= 1000 ? $0 : nil } })
    switch arguments.last(of: [Options.height, Options.width, Options.size, Options.scale]) {
    case Options.width?: size = .width(arguments.integer(Options.width) ?? 80)
    case Options.size?: size = box ?? .height(80)
    case Options.scale?: size = scale.map { .scale($0) } ?? .height(80)
    default: size = .height(arguments.integer(Options.height) ?? 80)
    }
  }

  /// The longest side of a picture as far as the options say it.
  var longestSide: Int {
    switch size {
    case .height(let side), .width(let side): side
    case .fit(let width, let height): max(width, height)
    case .scale: 256
    }
  }

  private func check() throws {
    if isThumbnailer, files.count != 2 {
      throw UsageError.badValue(
        "\(files.count) arguments", of: Options.thumbnailer, expected: "a document and an output")
    }
    if sprite != nil, files.count > 1 {
      throw UsageError.badValue(
        "\(files.count) files", of: Options.sprite, expected: "one document")
    }
    if let output, output.contains("{") || output.contains("}"), NameTemplate(output) == nil {
      throw UsageError.badValue(
        output, of: Options.output, expected: "a template of {name} {page} {label} {ext}")
    }
  }

  private static func box(_ text: String) -> ThumbnailSize? {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard let width = sides[0], (1...32_767).contains(width) else { return nil }
    if sides.count == 1 { return .fit(width: width, height: width) }
    guard sides.count == 2, let height = sides[1], (1...32_767).contains(height) else { return nil }
    return .fit(width: width, height: height)
  }

  private static func ground(_ text: String) -> PageGround? {
    switch text {
    case "none": return PageGround.none
    case "white": return .color(.white)
    case "black": return .color(RGBColor(red: 0, green: 0, blue: 0))
    default:
      let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
      guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
        let value = UInt32(digits, radix: 16)
      else { return nil }
      return .color(
        RGBColor(
          red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255)))
    }
  }
}

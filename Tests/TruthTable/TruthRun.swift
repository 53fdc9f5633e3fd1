package import SystemIO
import TestSupport

/// What came of a row.
package struct TruthResult: Sendable {
  package var ending: ChildProcess.Ending
  package var elapsed: Duration
  package var output: String
  package var errors: String
  /// The names in the place of the file afterwards, sorted.
  package var names: [String]
  /// The name of the file, where there is one that passes for whole.
  package var name: String?
  package var file: [UInt8]?
  package var requests: Int
  package var connections: Int
  /// Something else that is not as it should be.
  package var flaw: String?

  /// The exit status, or `nil` when a signal ended it.
  package var status: Int32? {
    if case .exited(let status) = ending { status } else { nil }
  }

  /// A number in the last event `failed` that `fetch --json` printed.
  package func failure(_ field: String) -> Int? {
    guard let line = output.split(separator: "\n").last(where: { $0.contains("\"failed\"") }),
      let start = line.range(of: "\"\(field)\":")?.upperBound
    else { return nil }
    return Int(line[start...].prefix { $0 == "-" || $0.isNumber })
  }
}

extension StringProtocol {
  /// Where a text stands.
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}

extension TruthRow {
  /// Lets a client meet the row; blocks.
  ///
  /// - Returns: What came of it, or `nil` when the client has no words for what the row needs.
  /// - Throws: ``TruthUnavailable`` where the row cannot be made here.
  package func run(_ client: TruthClient, patience: Duration) throws -> TruthResult? {
    let isPrepared = resumes && !client.keepsJournal
    let stage = try TruthStage(numberingFrom: isPrepared ? 1 : 0)
    let scene = try setUp(stage)
    guard var arguments = client.arguments(scene, stage, resumes: resumes) else { return nil }
    if client.keepsJournal { arguments = try withManifest(arguments, scene, stage) }
    let place = scene.directory ?? stage.directory
    if resumes {
      if isPrepared {
        try TruthProcess.write(Array(TruthRow.body.prefix(500)), to: Path.join(place, "file"))
      } else {
        _ = try TruthProcess(client.path, arguments + ["--retry", "0"]).run(patience)
        guard FileSystem.exists(Path.join(place, "file.part")) else {
          throw TruthUnavailable(description: "the first run left no part")
        }
      }
    }
    let (requests, connections) = (stage.requests, stage.connections)
    var process = TruthProcess(client.path, arguments, standingIn: place)
    for need in scene.needs where need.isSurrounding { try process.surround(need) }
    let began = Environment.monotonicNow
    let ended = try process.run(patience)
    let names = try FileSystem.names(in: place).sorted()
    var result = TruthResult(
      ending: ended.ending, elapsed: Environment.monotonicNow - began, output: ended.output,
      errors: ended.errors, names: names, requests: stage.requests - requests,
      connections: stage.connections - connections)
    result.name =
      scene.name == nil
      ? names.first { ![".part", ".journal", ".aria2"].contains(where: $0.hasSuffix) }
      : names.first { $0 == scene.name }
    if let name = result.name {
      let path = Path.join(place, name)
      let kind = (try? FileSystem.status(path, followLinks: false))?.kind
      result.file = kind == .regular ? try TruthProcess.read(path) : nil
      if kind != .regular { result.name = nil }
    }
    result.flaw = scene.check()
    if result.status == 0, scene.name == nil, let name = result.name {
      let isGood = client.keepsJournal ? name == scene.ourName : scene.accepts(name)
      if !isGood { result.flaw = "the name \(Self.shown(name))" }
    }
    return result
  }

  /// A name as a table may show it.
  private static func shown(_ name: String) -> String {
    guard name.utf8.count < 40 else { return "of \(name.utf8.count) bytes" }
    let scalars = name.unicodeScalars.map { scalar in
      let category = scalar.properties.generalCategory
      return category == .format || category == .control
        ? "U+\(String(scalar.value, radix: 16, uppercase: true))" : String(scalar)
    }
    return "`\(scalars.joined())`"
  }

  /// Mirrors are told to `fetch` in a list.
  private func withManifest(
    _ arguments: [String], _ scene: TruthScene, _ stage: TruthStage
  ) throws -> [String] {
    for case .mirrors(let mirrors, let digest) in scene.needs {
      let others = mirrors.map { "\"\($0)\"" }.joined(separator: ",")
      let line =
        "{\"url\":\"\(scene.url)\",\"output\":\"file\",\"checksum\":\"sha256:\(digest)\",\"mirrors\":[\(others)]}\n"
      let list = try stage.write("list", text: line)
      let rest = arguments.prefix { $0 != "-o" }
      return rest + ["-i", list, "-d", scene.directory ?? stage.directory]
    }
    return arguments
  }
}

/// A program run to its end or until patience ends.
struct TruthProcess {
  private let path: String
  private var words: [String]

  /// A program and what it is told; some programs put files where they stand.
  init(_ path: String, _ arguments: [String], standingIn folder: String? = nil) {
    self.path = path
    words = (folder.map { ["/usr/bin/env", "-C", $0] } ?? []) + [path] + arguments
  }

  mutating func surround(_ need: TruthNeed) throws {
    let surroundings = need.surroundings
    guard !surroundings.isEmpty else { return }
    // Whether this machine lets us; the program itself must be within reach, too.
    let reach = ["/usr/bin/test", "-x", path]
    let trial = TruthProcess(surroundings[0], surroundings.dropFirst() + reach)
    words = surroundings + words
    guard case .exited(0) = try trial.run(.seconds(20)).ending else {
      throw TruthUnavailable(description: "\(words[0]) may not do its work here")
    }
  }

  func run(
    _ patience: Duration
  ) throws -> (ending: ChildProcess.Ending, output: String, errors: String) {
    let directory = try TemporaryDirectory()
    let input = try FileDescriptor.open("/dev/null")
    let output = try FileDescriptor.open(directory.path("out"), [.writeOnly, .create])
    let errors = try FileDescriptor.open(directory.path("err"), [.writeOnly, .create])
    let child = try ChildProcess(
      path: words[0], arguments: words,
      environment: ["PATH=/usr/bin:/bin", "HOME=\(directory.path)", "LANG=C.UTF-8"],
      descriptors: [input.raw, output.raw, errors.raw])
    let ending = child.endAfter(grace: patience).ending
    return (
      ending, String(decoding: try directory.read("out"), as: UTF8.self),
      String(decoding: try directory.read("err"), as: UTF8.self)
    )
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try FileDescriptor.open(path, [.writeOnly, .create, .truncate])
    try file.write(bytes)
    try file.close()
  }

  static func read(_ path: String) throws -> [UInt8] {
    try FileDescriptor.open(path).readToEnd(limit: 1 << 30)
  }
}

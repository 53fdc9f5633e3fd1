import Glibc
import SystemIO
import TestSupport

extension TruthRow {
  private static func named(
    _ id: Int, _ server: String, _ disposition: String, ours: String,
    _ accepts: @escaping @Sendable (String) -> Bool = { _ in true }
  ) -> TruthRow {
    TruthRow(id, server, .whole) { stage in
      let server = try stage.serve { _ in
        answer(
          "200 OK", "Content-Disposition: attachment; \(disposition)\nContent-Length: 1000\n", body)
      }
      var scene = TruthScene(server.url())
      (scene.name, scene.ourName, scene.accepts) = (nil, ours, accepts)
      return scene
    }
  }

  /// Names that servers give.
  static let names: [TruthRow] = [
    named(
      90, "a name with a way out of the folder", "filename=\"../../../tmp/evil\"", ours: "evil"),
    named(
      91, "a plain and a coded name", "filename=\"a.txt\"; filename*=UTF-8''n%C3%A4me.txt",
      ours: "näme.txt"
    ) { $0 == "näme.txt" },
    named(92, "a name that hides the file", "filename=\".bashrc\"", ours: "bashrc") {
      !$0.hasPrefix(".")
    },
    named(
      93, "a name with NUL, CR and ESC", "filename*=UTF-8''a%00b%0D%0A%1B%5Bc.txt", ours: "ab[c.txt"
    ) { $0.unicodeScalars.allSatisfy { $0.value >= 32 } },
    named(
      93, "a name read from right to left", "filename*=UTF-8''a%E2%80%AEfdp.exe", ours: "afdp.exe"
    ) { !$0.unicodeScalars.contains("\u{202E}") },
    named(93, "a name that Windows reserves", "filename=\"CON.txt\"", ours: "_CON.txt") {
      $0 != "CON.txt"
    },
    named(
      93, "a name of 304 bytes", "filename*=UTF-8''\(String(repeating: "%C3%A4", count: 150)).zip",
      ours: String(repeating: "ä", count: 119) + ".zip"),
  ]

  private static func good(_ stage: TruthStage, _ needs: [TruthNeed] = []) throws -> TruthScene {
    TruthScene(try stage.serve { _ in whole }.url(), needs)
  }

  /// A file elsewhere and a link to it under the target's name.
  private static func linked(_ stage: TruthStage, _ needs: [TruthNeed] = []) throws -> TruthScene {
    let elsewhere = try stage.write("elsewhere", [1])
    let folder = try FileDescriptor.open(stage.directory, [.readOnly, .directory])
    try FileSystem.makeSymbolicLink("file", to: elsewhere, in: folder)
    var scene = try good(stage, needs)
    scene.isNameFixed = true
    scene.check = {
      let size = (try? FileSystem.status(elsewhere))?.size
      return size == 1 ? nil : "the file behind the link was written to"
    }
    return scene
  }

  private static func onDevice(_ path: String, _ stage: TruthStage) throws -> TruthScene {
    var scene = try good(stage)
    scene.device = path
    return scene
  }

  /// Targets, disks and limits.
  static let places: [TruthRow] = [
    TruthRow(94, "the target is a link", .failure(-3000, exit: 3), part: .gone, requests: 0...0) {
      try linked($0)
    },
    TruthRow(94, "the target is a link, to be replaced", .whole) { try linked($0, [.replacing]) },
    TruthRow(94, "the target is a directory", .failure(-3000, exit: 3), requests: 0...0) { stage in
      try FileSystem.makeDirectory(Path.join(stage.directory, "file"))
      var scene = try good(stage)
      scene.isNameFixed = true
      return scene
    },
    TruthRow(94, "the target is a device", .delivered) { try onDevice("/dev/null", $0) },
    TruthRow(95, "the target is a full device", .failure(-3003, exit: 10), curl: [23]) {
      try onDevice("/dev/full", $0)
    },
    TruthRow(
      95, "the disk fills up", .failure(-3003, exit: 10), curl: [23], part: .kept
    ) { stage in
      let server = try stage.serve { _ in answer("200 OK", "ETag: \"v1\"\n", pattern(3 << 20)) }
      var scene = TruthScene(server.url())
      scene.directory = try stage.useSmallDisk(bytes: 1 << 20)
      return scene
    },
    TruthRow(
      95, "a file may not grow further", .failure(-3003, exit: 10), curl: [23], part: .kept
    ) { stage in
      let server = try stage.serve { _ in answer("200 OK", "ETag: \"v1\"\n", pattern(3 << 20)) }
      return TruthScene(server.url(), [.fileSize(1 << 20)])
    },
    TruthRow(
      96, "announces more than the disk holds", .failure(-3003, exit: 10), curl: [23], part: .gone
    ) {
      _ in sized("4611686018427387904", body)
    },
    TruthRow(
      97, "the folder may not be written to", .failure(-3000, exit: 3), part: .gone,
      requests: 0...0
    ) { stage in
      stage.open(mode: 0o555)
      return try good(stage, [.unprivileged])
    },
    TruthRow(
      98, "announces more than allowed", .failure(-1103, exit: 10), part: .gone,
      needs: [.sizeLimit(999)]
    ) { _ in whole },
    TruthRow(
      99, "sends more than allowed without a length", .failure(-1103, exit: 10),
      needs: [.sizeLimit(999)]
    ) { _ in answer("200 OK", "", body) },
    TruthRow(100, "the file cannot get its name", .failure(-3005, exit: 3), part: .kept) { stage in
      let obstacle = Path.join(stage.directory, "file")
      let server = try stage.serve { _ in
        [.act { try? FileSystem.makeDirectories(obstacle + "/inside") }] + whole
      }
      return TruthScene(server.url(), [.partFile, .replacing])
    },
  ]

  private static func local(
    _ id: Int, _ what: String, code: Int, curl: [Int?], _ needs: [TruthNeed] = [],
    _ setUp: @escaping @Sendable (TruthStage) throws -> String
  ) -> TruthRow {
    TruthRow(id, what, .failure(code, exit: 3), curl: curl, part: .gone, requests: 0...0) {
      TruthScene("file://" + (try setUp($0)), needs)
    }
  }

  private static func impossible(_ id: Int, _ what: String, _ url: String, code: Int) -> TruthRow {
    TruthRow(id, what, .failure(code, exit: 2), part: .gone, requests: 0...0) { _ in
      TruthScene(url)
    }
  }

  /// Files on this machine, and URLs that lead nowhere.
  static let locals: [TruthRow] = [
    local(101, "a local file that does not exist", code: -1100, curl: [nil]) { $0.path("nothing") },
    local(102, "a local directory", code: -1101, curl: [nil]) { $0.directory },
    local(103, "a local file that may not be read", code: -1102, curl: [nil], [.unprivileged]) {
      stage in
      stage.open()
      let path = try stage.write("secret", body)
      unsafe chmod(Path.parent(of: path), 0o755)
      unsafe chmod(path, 0)
      return path
    },
    impossible(104, "a scheme that does not exist", "foo://127.0.0.1/file", code: -1002),
    impossible(105, "port 99999", "http://127.0.0.1:99999/file", code: -1000),
    TruthRow(
      124, "a cookie file that is none", .failure(-4000, exit: 2), part: .gone, requests: 0...0
    ) { stage in
      let file = try stage.write("cookies", text: "this is no cookie\n")
      return try good(stage, [.cookies(file)])
    },
  ]
}

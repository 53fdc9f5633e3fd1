import SystemIO
import TestSupport
import Testing

/// Archives of other projects, where they are at hand: each ends in a verdict, soon.
@Suite("unzip and the corpus", .enabled(if: Corpus.zips != nil, "no corpus beside the package"))
struct CorpusTests {
  @Test func `every archive ends with success or a clear error`() async throws {
    let root = try #require(Corpus.zips)
    for path in try Corpus.files(in: root) {
      let ended = try await BuiltProgram.run(
        "unzip", ["-tqq", "-P", "none", "--max-size", "5GB", path])
      #expect(ended.status >= 0, "\(path) ended by a signal")
      #expect([0, 1, 2, 3, 5, 9, 11, 12, 51, 81, 82].contains(ended.status), "\(path)")
      if ended.status > 1 { #expect(ended.errors.hasPrefix("unzip: "), "\(path)") }
    }
  }

  /// Archives that we judge otherwise than their project, and why.
  static let exceptions: [String: String] = [
    "apache+commons-compress/resources/COMPRESS-548.zip": "no central directory",
    "libarchive+libarchive/test_read_format_zip_extra_padding.zip": "no central directory",
  ]

  @Test func `what others read is read, and what must fail is refused in strict runs`() async throws
  {
    let root = try #require(Corpus.zips)
    for row in try Corpus.manifest(in: root) where Self.exceptions[row.path] == nil {
      let password = row.password.isEmpty ? [] : ["-P", row.password]
      let path = "\(root)/\(row.path)"
      if row.verdict.hasPrefix("reads ok") || row.verdict.hasPrefix("opens and reads") {
        let ended = try await BuiltProgram.run("unzip", ["-tqq"] + password + [path])
        #expect(ended.status == 0 || ended.status == 1, "\(row.path): \(ended.errors)")
      } else if row.verdict.contains("must fail") || row.verdict.contains("must error") {
        let ended = try await BuiltProgram.run(
          "unzip", ["--strict", "-tqq"] + password + [path])
        #expect(ended.status > 0, "\(row.path) is accepted")
      }
    }
  }
}

enum Corpus {
  /// A row of the manifest.
  struct Row {
    var path: String
    var verdict: String
    var password: String
  }

  static func manifest(in directory: String) throws -> [Row] {
    let file = try FileDescriptor.open(directory + "/MANIFEST.tsv")
    let text = String(decoding: try file.readToEnd(limit: 1 << 24), as: UTF8.self)
    var lines = text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    let names = lines.removeFirst()
    func column(_ name: String) -> Int { names.firstIndex(of: name) ?? 0 }
    let (path, password) = (column("path"), column("password_verified"))
    let verdict = column("expected_verdict_stated_by_its_repo")
    return lines.filter { $0.count > max(path, password, verdict) }.map {
      Row(path: $0[path], verdict: $0[verdict].lowercased(), password: $0[password])
    }.filter { FileSystem.exists("\(directory)/\($0.path)") }
  }

  /// The folder of archives: below `COURIER_CORPUS`, or in the one beside the package.
  static var zips: String? {
    let root = Environment["COURIER_CORPUS"] ?? "../shared/corpus"
    let path = root + "/zips"
    return FileSystem.exists(path) ? path : nil
  }

  static func files(in directory: String) throws -> [String] {
    try FileSystem.names(in: directory).sorted().flatMap { name -> [String] in
      let path = "\(directory)/\(name)"
      if try FileSystem.status(path).kind == .directory { return try files(in: path) }
      return [".tsv", ".txt", ".md"].contains(where: name.hasSuffix) ? [] : [path]
    }
  }
}

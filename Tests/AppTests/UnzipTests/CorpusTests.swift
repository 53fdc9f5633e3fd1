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
    "ZipArchive+ZipArchive/IncorrectNumberEntries.zip":
      "everything is extracted, and a wrong count is status 3 as Info-ZIP has it",
    "apache+commons-compress/resources/COMPRESS-548.zip":
      "no central directory; --recover reads it",
    "libarchive+libarchive/test_read_format_zip_extra_padding.zip":
      "no central directory; --recover reads it",
    "weichsel+ZIPFoundation/testExtractCompressedDataDescriptorArchive.zip":
      "the directory declares another checksum than the content has; Info-ZIP and 7-Zip refuse it, too",
  ]

  /// What a verdict begins with where the archive is to be read.
  private static let reading = [
    "reads ok", "opens and reads", "opens ok", "ok: extra bytes", ".net reads ok",
    "go archive/zip reads ok", "stream read skips the pk00 prefix; ok",
    "2 entries of the same name ok",
    "extracts ok", "mounts ok", "stat ok", "yauzl reads ok", "valid archive", "unzip must succeed",
  ]

  @Test func `what others read is read, and what must fail is refused in strict runs`() async throws
  {
    let root = try #require(Corpus.zips)
    for row in try Corpus.manifest(in: root) where Self.exceptions[row.path] == nil {
      let password = row.password.isEmpty ? [] : ["-P", row.password]
      let path = "\(root)/\(row.path)"
      if Self.reading.contains(where: row.verdict.hasPrefix) {
        let ended = try await BuiltProgram.run("unzip", ["-tqq"] + password + [path])
        let needsOther = row.password.isEmpty && [5, 82].contains(ended.status)
        #expect(
          ended.status == 0 || ended.status == 1 || needsOther, "\(row.path): \(ended.errors)")
      } else if row.verdict.contains("must fail") || row.verdict.contains("must error") {
        let ended = try await BuiltProgram.run(
          "unzip", ["--strict", "-tqq"] + password + [path])
        #expect(ended.status > 0, "\(row.path) is accepted")
      }
    }
  }

  /// Archives whose content 7-Zip gives otherwise, and why.
  static let contents: [String: String] = [
    "nih-at+libzip/zip-in-archive-comment.zip": "it reads the archive in the comment",
    "nih-at+libzip/zip64-in-archive-comment.zip": "it reads the archive in the comment",
  ]

  @Test(.enabled(if: FileSystem.exists(Peer.path), "Info-ZIP's unzip is not installed"))
  func `contents are those that the peers give`() async throws {
    let root = try #require(Corpus.zips)
    let sevenZip = ["/usr/bin/7z", "/usr/local/bin/7z", "/usr/bin/7zz"].first(
      where: FileSystem.exists)
    var compared = 0
    for row in try Corpus.manifest(in: root) where Self.contents[row.path] == nil {
      let path = "\(root)/\(row.path)"
      let password = row.password.isEmpty ? [] : ["-P", row.password]
      let ours = try await BuiltProgram.run("unzip", ["-p"] + password + [path])
      guard ours.status == 0 || ours.status == 1 else { continue }
      var peers = [
        try await BuiltProgram.run(Peer.path, ["-p"] + password + [path])
      ]
      if let sevenZip {
        peers.append(
          try await BuiltProgram.run(sevenZip, ["x", "-so", "-p\(row.password)", path]))
      }
      for peer in peers where peer.status == 0 {
        compared += 1
        #expect(peer.output == ours.output, "\(row.path)")
      }
    }
    #expect(compared > 150)
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

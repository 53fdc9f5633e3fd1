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
}

enum Corpus {
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

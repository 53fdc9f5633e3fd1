package import Testing
import SystemIO

/// Texts that tests compare with files under `Tests/Fixtures/golden`.
///
/// With `COURIER_UPDATE_GOLDEN=1` in the environment the files are written instead; look at the
/// difference before it is committed.
package enum Golden {
  /// Expects a text to be that of a file, and tells the first line where it is not.
  package static func expect(
    _ text: String, _ name: String, testFile: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    // Tests/<Module>Tests/…/X.swift
    var tests = Path.parent(of: testFile)
    while Path.name(of: tests) != "Tests", tests != "/" { tests = Path.parent(of: tests) }
    let path = Path.join(tests, "Fixtures/golden/\(name)")
    if Environment["COURIER_UPDATE_GOLDEN"] == "1" {
      try FileSystem.makeDirectories(Path.parent(of: path))
      let file = try FileDescriptor.open(path, [.writeOnly, .create, .truncate])
      try file.write(Array(text.utf8))
      return try file.close()
    }
    let bytes = try FileDescriptor.open(path).readToEnd(limit: 1 << 20)
    let expected = String(decoding: bytes, as: UTF8.self)
    guard text != expected else { return }
    let (found, wanted) = (lines(text), lines(expected))
    let index = zip(found, wanted).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let line = index ?? min(found.count, wanted.count)
    let (is_, should) = (
      line < found.count ? found[line] : "(end)", line < wanted.count ? wanted[line] : "(end)"
    )
    Issue.record(
      "\(name), line \(line + 1): expected \(should.debugDescription), found \(is_.debugDescription)",
      sourceLocation: sourceLocation)
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}

import PdfThumbCore
import SystemIO
import TestSupport
import Testing

@Suite struct `The places of fonts` {
  /// Reads a configuration of files below a temporary directory, which is called `R` in them and in the result.
  private func places(
    _ files: [String: String], variables: [String: String] = ["HOME": "/home/u"]
  ) throws -> [String]? {
    let folder = try TemporaryDirectory()
    let root = folder.path("R")
    try FileSystem.makeDirectories(Path.join(root, "conf.d"))
    for (name, text) in files {
      try folder.write("R/\(name)", Array(text.replacing("R/", with: "\(root)/").utf8))
    }
    return FontConfiguration(root: root) { variables[$0] }?.places.map {
      $0.replacing(root, with: "R")
    }
  }

  @Test func `are the directories of fonts and caches, by their three kinds of path`() throws {
    let text = """
      <fontconfig><dir>/a/fonts</dir><dir prefix="xdg">fonts</dir><dir> ~/.fonts
      </dir><cachedir>/var/c</cachedir><cachedir prefix="xdg">fc</cachedir></fontconfig>
      """
    let fixed = ["R/fonts.conf", "/a/fonts"]
    #expect(
      try places(["fonts.conf": text]) == fixed + [
        "/home/u/.local/share/fonts", "/home/u/.fonts", "/var/c", "/home/u/.cache/fc",
      ])
    #expect(
      try places(
        ["fonts.conf": text], variables: ["XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/c"])
        == fixed + ["/d/fonts", "/var/c", "/c/fc"])
  }

  @Test func `are looked for in included files and directories, once each`() throws {
    let found = try places([
      "fonts.conf": """
      <include ignore_missing="yes">conf.d</include><include>absent.conf</include>
      <include>R/local.conf</include>
      """,
      "conf.d/10-a.conf": "<dir>/a</dir><include>R/fonts.conf</include>",
      "conf.d/README": "<dir>/no</dir>",
      "local.conf": "<dir>/b</dir><dir>/a</dir>",
    ])
    #expect(
      Set(found ?? []) == [
        "R/fonts.conf", "R/conf.d", "R/conf.d/10-a.conf", "R/local.conf", "/a", "/b",
      ])
    #expect(found?.count == 6)
  }

  @Test(arguments: ["", "<dir", "<dir>", "<dir></dir>", "<dir>  </dir>", "<directory", "<"])
  func `are none in what is cut short or empty`(text: String) throws {
    #expect(try places(["fonts.conf": text]) == ["R/fonts.conf"])
  }

  @Test func `are unknown without a configuration`() throws {
    #expect(try places([:]) == nil)
  }

  @Test func `are all that fontconfig uses on this machine`() throws {
    let listed = try #require(FontConfiguration.ofMachine()).places
    let lacking = FontPlaces.load().filter { place in
      !listed.contains { place == $0 || place.hasPrefix($0 + "/") }
        // What links of the configuration lead to is open by the links.
        && !(place.hasSuffix(".conf")
          && listed.contains { Path.name(of: $0) == Path.name(of: place) })
    }
    // Directories that fontconfig knows by itself.
    #expect(lacking.filter { !$0.hasSuffix("/.fontconfig") } == [])
  }
}

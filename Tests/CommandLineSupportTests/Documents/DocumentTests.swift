import CommandLineSupport
import SystemIO
import TestSupport
import Testing

@Suite struct DocumentTests {
  @Test func `help is as it was`() throws {
    try Golden.expect(HelpScreen(Sample.spec).short, "sample-h.txt")
    try Golden.expect(HelpScreen(Sample.spec).long, "sample-help.txt")
    try Golden.expect(HelpScreen(Sample.spec, width: 50).long, "sample-help-50.txt")
    try Golden.expect(HelpScreen(Zipped.spec).short, "zipped-h.txt")
  }

  @Test(arguments: GeneratedDocument.allCases)
  func `generated documents are as they were`(_ document: GeneratedDocument) throws {
    try Golden.expect(document.text(for: Sample.spec), "sample.\(document.rawValue)")
    try Golden.expect(document.text(for: Zipped.spec), "zipped.\(document.rawValue)")
  }

  @Test(arguments: 10...120) func `help fits its width`(_ width: Int) {
    for text in [
      HelpScreen(Sample.spec, width: width).long, HelpScreen(Zipped.spec, width: width).short,
    ] {
      for line in text.split(separator: "\n") where line.contains(" ") && !line.contains("example")
      {
        // Terms and usage lines are not wrapped.
        if line.hasPrefix("  -") || line.hasPrefix("      --") || line.hasPrefix("Usage") {
          continue
        }
        let isOneWord = !line.drop { $0 == " " }.contains(" ")
        #expect(isOneWord || DisplayWidth.of(line) <= max(width, 40), "\(line)")
      }
    }
  }

  @Test(arguments: [Sample.spec, Zipped.spec, Zipped.info])
  func `no option is missing from any document`(_ spec: CommandSpec) {
    let help = HelpScreen(spec)
    let man = GeneratedDocument.man.text(for: spec)
    let (bash, zsh, fish) = (
      GeneratedDocument.bash.text(for: spec), GeneratedDocument.zsh.text(for: spec),
      GeneratedDocument.fish.text(for: spec)
    )
    for option in spec.options where !option.isHidden {
      let short = option.letters.map { "-\($0)" }
      let long = option.longNames.map { "--\($0)" }
      let negated = option.kind == .negatableFlag ? ["--no-\(option.name)"] : []
      for spelling in short + [option.name.isEmpty ? "" : option.name] {
        #expect(help.short.contains(spelling), "-h: \(option.spelling)")
        #expect(help.long.contains(spelling), "--help: \(option.spelling)")
      }
      for spelling in short + long + negated {
        #expect(
          man.contains("\\fB\(spelling.replacing("-", with: "\\-"))\\fR"), "man: \(spelling)")
        #expect(words(bash).contains(Substring(spelling)), "bash: \(spelling)")
        #expect(
          ["[", "=", "+", "-"].contains {
            zsh.contains(")\(spelling)\($0)") || zsh.contains("*\(spelling)\($0)")
          },
          "zsh: \(spelling)")
      }
      for letter in option.letters { #expect(fish.contains(" -s '\(letter)'"), "fish: \(letter)") }
      for name in (long + negated).map({ $0.dropFirst(2) }) {
        #expect(fish.contains(" -l \(name) "), "fish: \(name)")
      }
      #expect(help.short.contains(option.summary.prefix(10)))
      for choice in option.words {
        #expect(help.long.contains(choice.word))
        #expect([bash, zsh, fish].allSatisfy { $0.contains(choice.word) }, "\(choice.word)")
      }
    }
    for document in [help.short, help.long, man, bash, zsh, fish] {
      #expect(!document.contains("secret"))
      #expect(!document.contains("generate"))
    }
  }

  private func words(_ text: String) -> [Substring] {
    text.split { $0 == " " || $0 == "'" || $0 == "\n" }
  }

  // MARK: - What the programs say that read them

  /// Writes a document to a file and runs a program over it.
  private func run(
    _ program: String, _ arguments: [String], with document: GeneratedDocument, of spec: CommandSpec
  ) async throws -> (ending: ChildProcess.Ending, output: String, errors: String) {
    let directory = try TemporaryDirectory()
    let path = try directory.write("document", text: document.text(for: spec))
    let running = try RunningProgram(
      program, arguments.map { $0.replacing("FILE", with: path) },
      environment: [
        "PATH=/usr/bin:/bin", "HOME=\(directory.path)", "LANG=C.UTF-8", "TERM=dumb",
        "MANWIDTH=80", "XDG_CONFIG_HOME=\(directory.path)", "XDG_DATA_HOME=\(directory.path)",
      ])
    let ending = try await running.finish()
    return (ending, running.outputText, running.errorText)
  }

  @Test(.enabled(if: FileSystem.exists("/usr/bin/groff")), arguments: [Sample.spec, Zipped.spec])
  func `groff has no complaint about the manual page`(_ spec: CommandSpec) async throws {
    let result = try await run(
      "/usr/bin/groff", ["-ww", "-b", "-man", "-Tutf8", "FILE"], with: .man, of: spec)
    #expect(result.ending == .exited(status: 0))
    #expect(result.errors.isEmpty, "\(result.errors)")
  }

  @Test(.enabled(if: FileSystem.exists("/usr/bin/man")))
  func `man shows the manual page`() async throws {
    let result = try await run("/usr/bin/man", ["-l", "FILE"], with: .man, of: Sample.spec)
    #expect(result.ending == .exited(status: 0))
    #expect(result.errors.isEmpty, "\(result.errors)")
    for text in [
      "sample - fetch things, carefully", "-o, --output FILE", "C:\\temp", "isn't a request",
      ".starts", "--resume, --no-resume", "https://example.org/~x", "matter — or", "DIFFERENCES",
    ] {
      #expect(result.output.contains(text), "\(text)")
    }
  }

  @Test(
    .enabled(if: FileSystem.exists("/usr/bin/zsh") && FileSystem.exists("/usr/bin/fish")),
    arguments: [
      ("/bin/bash", GeneratedDocument.bash), ("/usr/bin/zsh", .zsh), ("/usr/bin/fish", .fish),
    ])
  func `shells accept their completions`(
    _ shell: String, _ document: GeneratedDocument
  ) async throws {
    for spec in [Sample.spec, Zipped.spec, Zipped.info] {
      let result = try await run(shell, ["-n", "FILE"], with: document, of: spec)
      #expect(result.ending == .exited(status: 0))
      #expect(result.errors.isEmpty, "\(result.errors)")
    }
  }

  @Test(arguments: [
    (["sample", "--ex"], ["--existing", "--explain"]),
    (["sample", "--existing", ""], Self.existing),
    (["sample", "--existing", "=", "re"], ["replace", "rename"]),
    (["sample", "--progress", "js"], ["json"]), (["sample", "--connect-timeout", ""], []),
    (["sample", "-n", ""], ["auto"]), (["sample", "-o", "/etc/hostn"], ["/etc/hostname"]),
    (["sample", "-d", "/us"], ["/usr"]), (["sample", "--no-r"], ["--no-resume"]),
    (["sample", "--sec"], []), (["sample", "/etc/hostn"], ["/etc/hostname"]),
  ])
  func `bash offers what fits`(_ words: [String], _ offers: [String]) async throws {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let script =
      "source FILE; COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _courier_sample;"
      + " printf '%s\\n' \"${COMPREPLY[@]}\""
    let result = try await run("/bin/bash", ["-c", script], with: .bash, of: Sample.spec)
    #expect(result.output.split(separator: "\n").map(String.init) == offers)
    #expect(result.errors.isEmpty, "\(result.errors)")
  }

  private static let existing = ["skip", "replace", "rename", "fail"]

  @Test(
    .enabled(if: FileSystem.exists("/usr/bin/fish")),
    arguments: [
      ("sample --exi", ["--existing"]), ("sample --existing ", existing.sorted()),
      ("sample --existing=re", ["--existing=rename", "--existing=replace"]),
      ("sample -n ", ["auto"]), ("sample --no-r", ["--no-resume"]), ("sample -d /us", ["/usr/"]),
    ])
  func `fish offers what fits`(_ line: String, _ offers: [String]) async throws {
    let script = "source FILE; complete -C '\(line)'"
    let result = try await run(
      "/usr/bin/fish", ["--no-config", "-c", script], with: .fish, of: Sample.spec)
    let found = result.output.split(separator: "\n").compactMap { $0.split(separator: "\t").first }
    #expect(found.map(String.init).sorted() == offers, "\(result.errors)")
  }
}

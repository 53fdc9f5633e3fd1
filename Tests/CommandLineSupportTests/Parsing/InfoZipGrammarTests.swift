import CommandLineSupport
import Testing

@Suite struct InfoZipGrammarTests {
  @Test(arguments: [
    ["-qo", "a.zip", "-d", "dir"], ["-qo", "-ddir", "a.zip"], ["-q", "-o", "a.zip", "-ddir"],
    ["-qod", "dir", "a.zip"], ["a.zip", "-qod", "dir"],
  ])
  func `bundles letters before and after the archive`(_ arguments: [String]) throws {
    let result = try parsed(arguments, by: Zipped.spec)
    #expect(result.operands == ["a.zip"])
    #expect(result.text(Zipped.directory) == "dir")
    #expect(result.isSet(Zipped.overwrite))
    #expect(result.count(SharedOptions.quiet) == 1)
  }

  @Test func `takes excluded members up to the next option`() throws {
    let result = try parsed(
      ["a.zip", "*.c", "-x", "b*", "c", "-d", "dir", "--jobs", "2"], by: Zipped.spec)
    #expect(result.operands == ["a.zip", "*.c"])
    #expect(result.texts(Zipped.exclude) == ["b*", "c"])
    #expect(result.text(Zipped.directory) == "dir")
    #expect(result.integer(Zipped.jobs) == 2)
    let empty = try parsed(["a.zip", "-x"], by: Zipped.spec)
    #expect(empty.isSet(Zipped.exclude))
    #expect(empty.texts(Zipped.exclude).isEmpty)
  }

  @Test func `excludes nothing before the archive`() throws {
    let result = try parsed(["-xj", "a.zip", "b"], by: Zipped.spec)
    #expect(result.operands == ["a.zip", "b"])
    #expect(!result.isSet(Zipped.exclude))
    #expect(result.isSet(Zipped.junk))
  }

  @Test func `takes options back with another dash`() throws {
    #expect(try parsed(["-qq", "--q", "a"], by: Zipped.spec).count(SharedOptions.quiet) == 1)
    #expect(try parsed(["-q---qt", "a"], by: Zipped.spec).count(SharedOptions.quiet) == 0)
    let result = try parsed(["-o", "-t--o", "a"], by: Zipped.spec)
    #expect(!result.isSet(Zipped.overwrite))
    #expect(result.isSet(Zipped.test))
    #expect(result.operands == ["a"])
  }

  @Test func `lets the last of opposite letters win`() throws {
    let pair = [Zipped.overwrite, Zipped.never]
    #expect(try parsed(["-on", "a"], by: Zipped.spec).last(of: pair) == Zipped.never)
  }

  @Test func `knows several letters of one option`() throws {
    #expect(try parsed(["-Icp866", "a"], by: Zipped.spec).text(Zipped.encoding) == "cp866")
    #expect(try parsed(["-O", "cp437", "a"], by: Zipped.spec).text(Zipped.encoding) == "cp437")
  }

  @Test(arguments: [["-Z1", "a.zip"], ["-Z", "-1", "a.zip"]])
  func `gives the other mode what follows its letter`(_ arguments: [String]) throws {
    let result = try parsed(arguments, by: Zipped.spec)
    #expect(result.command == "zipped-info")
    #expect(result.isSet(Zipped.namesOnly))
    #expect(result.operands == ["a.zip"])
  }

  @Test func `chooses the mode by the name of the program`() throws {
    let request = try Zipped.spec.parse(["-1h", "a"], programName: "zipped-info")
    guard case .run(let result) = request else { throw UnexpectedRequest(request: request) }
    #expect(result.command == "zipped-info")
    #expect(result.isSet(Zipped.header), "its own -h wins over help")
  }

  @Test func `puts options from the environment first`() throws {
    let environment = ["ZIPPED": "-q  -d 'my dir'", "ZIPPEDOPT": "-l"]
    let result = try parsed(["-t", "a"], by: Zipped.spec, environment: environment)
    #expect(result.count(SharedOptions.quiet) == 1)
    #expect(result.text(Zipped.directory) == "my dir")
    #expect(!result.isSet(Zipped.list))
    #expect(try parsed(["a"], by: Zipped.spec, environment: ["ZIPPEDOPT": "-l"]).isSet(Zipped.list))
  }

  @Test func `shows help when nothing is asked`() throws {
    #expect(try Zipped.spec.parse([]) == .help(Zipped.spec, isLong: false))
  }

  @Test(arguments: [["-y", "a"], ["--yy", "a"], ["-d"], ["--d", "a"], ["-t"]])
  func `refuses what it does not know`(_ arguments: [String]) {
    #expect(throws: UsageError.self) { try parsed(arguments, by: Zipped.spec) }
  }
}

import CommandLineSupport
import Testing

/// Parses a command line that asks for work.
func parsed(
  _ arguments: [String], by spec: CommandSpec = Sample.spec, environment: [String: String] = [:]
) throws -> ParsedArguments {
  let request = try spec.parse(arguments, environment: { environment[$0] })
  guard case .run(let result) = request else { throw UnexpectedRequest(request: request) }
  return result
}

struct UnexpectedRequest: Error {
  var request: CommandRequest
}

@Suite struct ParserTests {
  @Test(arguments: [
    ["-o", "x", "u"], ["-ox", "u"], ["--output", "x", "u"], ["--output=x", "u"], ["u", "-o", "x"],
    ["-vox", "u"], ["-o", "first", "-o", "x", "u"], ["-v", "-o", "x", "--", "u"],
  ])
  func `reads a value in every place`(_ arguments: [String]) throws {
    let result = try parsed(arguments)
    #expect(result.text(Sample.output) == "x")
    #expect(result.operands == ["u"])
  }

  @Test func `keeps values that look like options or nothing`() throws {
    #expect(try parsed(["-o", "-v", "u"]).text(Sample.output) == "-v")
    #expect(try parsed(["--output=", "u"]).text(Sample.output)?.isEmpty == true)
    #expect(try parsed(["--output=a=b", "u"]).text(Sample.output) == "a=b")
    #expect(try parsed(["-", "--", "-v", "--"]).operands == ["-", "-v", "--"])
  }

  @Test func `counts flags and takes negatable ones back`() throws {
    #expect(try parsed(["-vv", "--verbose", "u"]).count(Sample.verbose) == 3)
    #expect(try parsed(["u"]).isOn(Sample.resume, default: true))
    #expect(try !parsed(["--no-resume", "u"]).isOn(Sample.resume, default: true))
    #expect(try parsed(["--no-resume", "--resume", "u"]).isOn(Sample.resume, default: false))
    #expect(try !parsed(["--resume", "--no-resume", "u"]).isSet(Sample.resume))
  }

  @Test func `gives typed values`() throws {
    let result = try parsed([
      "-n4", "--max-size", "2MiB", "--connect-timeout=1.5s", "--existing", "skip", "-Ha", "-H", "b",
      "--serve", "u", "--progress=none", "-q",
    ])
    #expect(result.integer(Sample.connections) == 4)
    #expect(result.size(Sample.limit) == 2 << 20)
    #expect(result.duration(Sample.timeout) == .milliseconds(1500))
    #expect(result.text(Sample.existing) == "skip")
    #expect(result.texts(Sample.header) == ["a", "b"])
    #expect(result.isSet(Sample.serve))
    #expect(result.integer(Sample.serve) == nil)
    #expect(result.operands == ["u"])
    let settings = SharedSettings(result)
    #expect(settings.progress == .none)
    #expect(settings.quietness == 1)
    #expect(try parsed(["--serve=80", "u"]).integer(Sample.serve) == 80)
    #expect(try parsed(["-n", "auto", "u"]).text(Sample.connections) == "auto")
  }

  @Test func `tells which of two options came last`() throws {
    let pair = [Sample.output, Sample.directory]
    #expect(try parsed(["-o", "x", "-d", "y", "u"]).last(of: pair) == Sample.directory)
    #expect(try parsed(["-d", "y", "-o", "x", "u"]).last(of: pair) == Sample.output)
    #expect(try parsed(["u"]).last(of: pair) == nil)
  }

  @Test(arguments: [
    (["--outptu", "u"], UsageError.Code.unknownOption, "--outptu", "--output"),
    (["--verb", "u"], .unknownOption, "--verb", "--verbose"),
    (["--no-resum", "u"], .unknownOption, "--no-resum", "--no-resume"),
    (["--secre", "u"], .unknownOption, "--secre", ""),
    (["--no-verbose", "u"], .unknownOption, "--no-verbose", ""),
    (["-vy", "u"], .unknownOption, "-y", ""),
    (["u", "-o"], .missingValue, "-o", "FILE"),
    (["u", "--output"], .missingValue, "--output", "FILE"),
    (["--verbose=1", "u"], .unexpectedValue, "--verbose", "'1'"),
    (["--no-resume=1", "u"], .unexpectedValue, "--resume", "'1'"),
    (["-n", "17", "u"], .badValue, "--connections", "auto or a whole number from 1 to 16"),
    (["-n", "x", "u"], .badValue, "--connections", "'x'"),
    (["--existing", "skpi", "u"], .badValue, "--existing", "nearest is skip"),
    (["--max-size", "2 MB", "u"], .badValue, "--max-size", "'2 MB'"),
    (["--connect-timeout", "10x", "u"], .badValue, "--connect-timeout", "'10x'"),
    ([], .missingOperand, "URL", ""),
    (["-v", "--"], .missingOperand, "URL", ""),
  ])
  func `names the offender`(
    _ arguments: [String], _ code: UsageError.Code, _ subject: String, _ part: String
  ) throws {
    let error = #expect(throws: UsageError.self) { try parsed(arguments) }
    #expect(error?.code == code)
    #expect(error?.subject == subject)
    #expect(part.isEmpty || error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  @Test func `needs no operands where an option says so`() throws {
    #expect(try parsed(["--explain", "-1001"]).text(Sample.explain) == "-1001")
  }

  @Test func `refuses an operand too many`() {
    let spec = CommandSpec(
      name: "two", version: "1", summary: "",
      operands: [.init("A", summary: ""), .init("B", .optional, summary: "")], options: [])
    #expect(throws: UsageError.self) { try parsed(["a", "b", "c"], by: spec) }
    #expect(throws: Never.self) { try parsed(["a"], by: spec) }
  }

  @Test(arguments: [
    (["-h"], false), (["--help"], true), (["-hh"], true), (["-vh", "u"], false),
    (["-o", "x", "--help", "--nonsense"], true),
  ])
  func `answers help before it looks further`(_ arguments: [String], _ isLong: Bool) throws {
    #expect(try Sample.spec.parse(arguments) == .help(Sample.spec, isLong: isLong))
  }

  @Test func `answers version and generate`() throws {
    #expect(try Sample.spec.parse(["--version"]) == .version(Sample.spec))
    #expect(try Sample.spec.parse(["--generate", "man"]) == .generate(Sample.spec, .man))
    #expect(throws: UsageError.self) { try Sample.spec.parse(["--generate", "csh"]) }
  }

  @Test func `reads a value by the app's own rule`() throws {
    let result = try parsed(["-o", "12x34", "u"])
    #expect(try result.value(Sample.output, expected: "WxH") { $0.count } == 5)
    let error = #expect(throws: UsageError.self) {
      try result.value(Sample.output, expected: "a pair such as 80x60") { Int($0) }
    }
    #expect(error?.code == .badValue)
    #expect(error?.message.contains("a pair such as 80x60") == true)
    #expect(try result.value(Sample.directory, expected: "") { $0 } == nil)
  }
}

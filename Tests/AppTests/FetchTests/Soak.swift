import Synchronization
import SystemIO
import TestSupport

/// Downloads that are disturbed at random places until their file is there, or the reason why not.
struct Soak {
  /// What is done to a download under way.
  enum Trouble: String, CaseIterable {
    case kill, terminate, freeze, reset, restart, change, quietChange, fullDisk
  }

  /// What came of one download.
  struct Outcome {
    var number: Int
    var size: Int
    var connections: String
    var troubles: [Trouble]
    /// How each run of the program ended.
    var runs: [String] = []
    var isRight = false
    var wrong: String?
    /// Body bytes that left the server, and those that could not be spared.
    var sent: UInt64 = 0
    var needed: UInt64 = 0
    /// The body bytes of each version.
    var versions: [UInt64] = []

    var ratio: Double { Double(sent) / Double(max(needed, 1)) }

    var line: String {
      let what = troubles.map(\.rawValue).joined(separator: ",")
      let verdict = wrong ?? (isRight ? "right" : "no file")
      return
        "#\(number) \(size >> 10) KiB -n \(connections) \(what): \(runs.joined(separator: ", ")); "
        + "wire \(Self.rounded(ratio)) (\(versions.map { $0 >> 10 }) KiB): \(verdict)"
    }

    static func rounded(_ value: Double) -> String {
      let thousandths = Int((value * 1000).rounded())
      let digits = "\(thousandths % 1000)"
      return
        "\(thousandths / 1000).\(String(repeating: "0", count: max(0, 3 - digits.count)))\(digits)"
    }
  }

  let seed: UInt64
  let sizes: ClosedRange<Int>
  /// The program; `nil` is the one built beside the tests.
  var program: String?
  let noise: [UInt8]

  init(seed: UInt64, sizes: ClosedRange<Int>) {
    (self.seed, self.sizes) = (seed, sizes)
    var dice = SeededRandom(seed: seed)
    let count = sizes.upperBound + 1 << 20
    var bytes = [UInt8](repeating: 0, count: count)
    unsafe bytes.withUnsafeMutableBytes { raw in
      for offset in stride(from: 0, to: count - 7, by: 8) {
        unsafe raw.storeBytes(of: dice.next(), toByteOffset: offset, as: UInt64.self)
      }
    }
    noise = bytes
  }

  /// Runs one download; blocks.
  func run(_ number: Int) throws -> Outcome {
    var dice = SeededRandom(seed: seed &+ UInt64(number) &* 0x1_0000_0001)
    let size = Int.random(in: sizes, using: &dice)
    var troubles = (0..<Int.random(in: 1...3, using: &dice)).compactMap { _ in
      Trouble.allCases.randomElement(using: &dice)
    }
    if troubles.contains(.fullDisk) { troubles = SmallDisk.isAvailable ? [.fullDisk] : [.kill] }
    if troubles == [.fullDisk], Bool.random(using: &dice) { troubles = [.kill, .fullDisk] }
    let connections = ["auto", "1", "4"].randomElement(using: &dice) ?? "1"
    var outcome = Outcome(
      number: number, size: size, connections: connections, troubles: troubles)
    let isQuiet = troubles.contains(.quietChange)
    let server = try UnsteadyServer(
      noise: noise,
      .init(
        bytes: 0..<size, tag: isQuiet ? nil : "v0",
        announcesLength: !troubles.contains(.fullDisk)))
    defer { server.end() }
    let folder = try TemporaryDirectory()
    let disk =
      troubles.contains(.fullDisk)
      ? try SmallDisk(bytes: Int.random(in: size / 3...size * 9 / 10, using: &dice)) : nil
    let target = disk?.path("file") ?? folder.path("file")
    let victim = Victim()
    for (index, trouble) in troubles.enumerated() where trouble != .fullDisk {
      let share = Double.random(in: 0.02...0.97, using: &dice)
      let next = UnsteadyServer.Version(
        bytes: (index + 1) * 4099..<(index + 1) * 4099
          + (isQuiet ? size : size - Int.random(in: 0...size / 8, using: &dice)),
        tag: isQuiet ? nil : "v\(index + 1)")
      server.when(sent: UInt64(share * Double(size))) {
        disturb(trouble, server, victim, next)
      }
    }
    let arguments = [
      "-q", "-n", connections, "--retry-max-time", "30s", "-o", target, server.url,
    ]
    for _ in 0..<8 {
      let (ending, errors) = try runProgram(arguments, folder, victim)
      outcome.runs.append(describe(ending, errors))
      if FileSystem.exists(target) || ending == .exited(status: 0) { break }
      if let disk, ending == .exited(status: 10) { try disk.resize(bytes: 3 * size) }
    }
    try judge(&outcome, server, target)
    return outcome
  }

  /// The process that is disturbed; its number is given only while it has not been waited for.
  private final class Victim: Sendable {
    private let id = Mutex<Int32>(0)

    func set(_ new: Int32) { id.withLock { $0 = new } }

    func send(_ signal: Int32) {
      id.withLock { id in if id != 0 { try? Signal(signal).send(to: id) } }
    }
  }

  private func runProgram(
    _ arguments: [String], _ folder: TemporaryDirectory, _ victim: Victim
  ) throws -> (ChildProcess.Ending, String) {
    let input = try FileDescriptor.open("/dev/null", [.readWrite])
    let errors = try FileDescriptor.open(
      folder.path("errors"), [.writeOnly, .create, .truncate])
    let child = try ChildProcess(
      path: program ?? BuiltProgram.path("fetch"), arguments: ["fetch"] + arguments,
      environment: ["PATH=/usr/bin:/bin", "HOME=\(folder.path)"],
      descriptors: [input.raw, input.raw, errors.raw])
    victim.set(child.id)
    // A hanging program would be worth knowing; it is not waited for longer than a minute.
    let ending = child.waitWithoutCollecting(for: .seconds(60))
    victim.set(0)
    let result = ending ? child.wait().ending : child.end().ending
    return (
      ending ? result : .unknown, String(decoding: try folder.read("errors"), as: UTF8.self)
    )
  }

  private func disturb(
    _ trouble: Trouble, _ server: UnsteadyServer, _ victim: Victim, _ next: UnsteadyServer.Version
  ) -> UnsteadyServer.Reaction {
    switch trouble {
    case .kill: victim.send(9)
    case .terminate: victim.send(15)
    case .freeze:
      victim.send(19)
      _ = try? OwnedThread(named: "thaw") {
        OwnedThread.sleep(.milliseconds(150))
        victim.send(18)
      }
    case .reset: return .reset
    case .restart:
      _ = try? OwnedThread(named: "restart") {
        server.stop()
        OwnedThread.sleep(.milliseconds(80))
        try? server.start()
      }
    case .change, .quietChange:
      server.change(to: next)
      return .reset
    case .fullDisk: break
    }
    return .goOn
  }

  private func describe(_ ending: ChildProcess.Ending, _ errors: String) -> String {
    switch ending {
    case .exited(0): "done"
    case .exited(let status): "exit \(status)"
    case .signalled(let signal): "signal \(signal)"
    case .unknown: "hung: \(errors.prefix(200))"
    }
  }

  /// Looks whether the file is one whole version, and what it cost.
  private func judge(_ outcome: inout Outcome, _ server: UnsteadyServer, _ target: String) throws {
    let history = server.history
    outcome.versions = history.map(\.sent)
    outcome.sent = history.reduce(0) { $0 + $1.sent }
    let names = try FileSystem.names(in: Path.parent(of: target)).filter { $0.hasPrefix("file") }
    guard FileSystem.exists(target) else {
      outcome.needed = outcome.sent
      if outcome.runs.last == "done" { outcome.wrong = "WRONG: success without a file" }
      return
    }
    let bytes = try FileDescriptor.open(target).readToEnd(limit: 1 << 30)
    let found = history.firstIndex { bytes.elementsEqualFast(noise[$0.version.bytes]) }
    guard let found else {
      outcome.wrong = "WRONG: the bytes are those of no version"
      return
    }
    for (index, state) in history.enumerated() {
      let whole = UInt64(state.version.bytes.count)
      // Of versions that went by nothing was missing but what had come.
      outcome.needed += index == found ? whole : min(state.sent, whole)
    }
    outcome.isRight = outcome.runs.last == "done"
    if !outcome.isRight { outcome.wrong = "WRONG: a whole file, yet \(outcome.runs.last ?? "")" }
    if names != ["file"] { outcome.wrong = "WRONG: left behind: \(names)" }
  }
}

extension [UInt8] {
  /// Compares without a call for each byte, which a debug build would make.
  fileprivate func elementsEqualFast(_ other: ArraySlice<UInt8>) -> Bool { self[...] == other }
}

extension Soak {
  /// What many outcomes come to, line by line.
  static func summary(_ outcomes: [Outcome]) -> String {
    var counts: [String: Int] = [:]
    var endings: [String: Int] = [:]
    for outcome in outcomes {
      for trouble in outcome.troubles { counts[trouble.rawValue, default: 0] += 1 }
      for run in outcome.runs { endings[run, default: 0] += 1 }
    }
    func list(_ counts: [String: Int]) -> String {
      counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
    let sent = outcomes.reduce(0) { $0 + Double($1.sent) }
    let needed = outcomes.reduce(0) { $0 + Double($1.needed) }
    let worst = outcomes.map(\.ratio).max() ?? 0
    let right = outcomes.count { $0.isRight && $0.wrong == nil }
    let wrong = outcomes.count { $0.wrong != nil }
    return """
      \(outcomes.count) downloads: \(right) right, \(wrong) wrong, \
      \(outcomes.count - right - wrong) without a file
      troubles: \(list(counts))
      runs of fetch: \(list(endings))
      wire bytes: \(Outcome.rounded(sent / max(needed, 1))) of what was missing, \
      at worst \(Outcome.rounded(worst)) for one download
      """
  }
}

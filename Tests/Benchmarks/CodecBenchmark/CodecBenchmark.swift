import ZipKitCodecs
import ZipKitCore

/// Decodes and verifies all entries of archives in memory, with zlib alone and with all decoders, and prints
/// the best rate of several runs.
///
/// usage: CodecBenchmark RUNS PASSWORD ARCHIVE...
@main
struct CodecBenchmark {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 3, let runs = Int(arguments[1]) else {
      print("usage: CodecBenchmark RUNS PASSWORD ARCHIVE...")
      return
    }
    for path in arguments[3...] {
      for (name, registry) in [("zlib", DecoderRegistry.standard), ("all", .complete)] {
        var options = ZipArchive.Options()
        options.registry = registry
        let archive = try ZipArchive(path: path, options: options)
        for jobs in [1, 2] {
          try await measure(
            archive, "\(path), \(name), \(jobs) jobs", runs, jobs: jobs, password: arguments[2])
        }
      }
    }
  }

  private static func measure(
    _ archive: ZipArchive, _ title: String, _ runs: Int, jobs: Int, password: String
  ) async throws {
    var options = ExtractionOptions()
    options.jobs = jobs
    options.passwords = [Array(password.utf8)]
    var best = Duration.seconds(1000)
    for _ in 0..<runs {
      let start = ContinuousClock.now
      let report = try await archive.verify(options: options)
      best = min(best, ContinuousClock.now - start)
      guard report.isComplete else {
        print("\(title): \(report.allProblems.first?.description ?? "not complete")")
        return
      }
    }
    let bytes = archive.entries.reduce(0.0) { $0 + Double($1.size) }
    print("\(title): \(Int(bytes / (best / .seconds(1)) / 1e6)) MB/s")
  }
}

public import ProgressReporting
internal import SystemIO

extension ZipArchive {
  /// Hears of each entry's outcome, in the order of the directory, from a worker's thread.
  public typealias Observer = @Sendable (ExtractionReport.Outcome) -> Void

  /// Writes entries below a directory.
  ///
  /// Every entry gets an outcome; none stops the others, except a full disk, a broken limit or cancellation.
  /// A file bears its name only when its checksum holds: up to 4 MiB are verified in memory before the file is made,
  /// so that only a process killed in that very write leaves a short one. Nothing outside the directory is
  /// touched, whatever the archive says. The directory, and parents it lacks, are made.
  /// - Parameters:
  ///   - directory: Where to put things.
  ///   - isWanted: Which entries; nil for all.
  ///   - options: How.
  ///   - progress: Counts bytes of content in place; cancelled through its tree or the calling task.
  ///   - observer: Hears of each outcome.
  /// - Returns: What became of each entry.
  /// - Throws: ``ZipError`` when nothing could begin: `limit-size`, `limit-ratio`, `limit-files` by what the
  ///   directory declares, `target-unusable`. Cancellation is in the report, as are all other troubles.
  public func extract(
    to directory: String, selecting isWanted: ((ZipEntry) -> Bool)? = nil,
    options: ExtractionOptions = ExtractionOptions(),
    progress: consuming WorkShare = .detached(), observer: Observer? = nil
  ) async throws -> ExtractionReport {
    try await perform(
      ExtractionRun(
        core: core, path: directory, options: options, selection: selection(isWanted),
        meter: progress.begin("Extracting…"), observer: observer))
  }

  /// Writes the entries of a selection, which need not be looked at one by one.
  package func extract(
    _ entries: EntrySelection, to directory: String, options: ExtractionOptions,
    progress: consuming WorkShare, observer: Observer?
  ) async throws -> ExtractionReport {
    try await perform(
      ExtractionRun(
        core: core, path: directory, options: options, selection: entries.numbers,
        meter: progress.begin("Extracting…"), observer: observer))
  }

  private func perform(_ run: ExtractionRun) async throws -> ExtractionReport {
    try await withTaskCancellationHandler {
      try await ZipThread.run(named: "zip-extract") { try run.perform() }
    } onCancel: {
      run.meter.cancellation.cancel()
    }
  }

  /// Decodes entries and holds them against their checksums; writes nothing.
  ///
  /// - Parameters:
  ///   - isWanted: Which entries; nil for all.
  ///   - options: Passwords, limits and jobs; the rest is about disks.
  ///   - progress: Counts bytes of content that were decoded.
  ///   - observer: Hears of each outcome.
  /// - Returns: What became of each entry.
  /// - Throws: ``ZipError``: `limit-size`, `limit-ratio`, `limit-files` by what the directory declares.
  public func verify(
    selecting isWanted: ((ZipEntry) -> Bool)? = nil,
    options: ExtractionOptions = ExtractionOptions(),
    progress: consuming WorkShare = .detached(), observer: Observer? = nil
  ) async throws -> ExtractionReport {
    try await perform(
      VerificationRun(
        core: core, options: options, selection: selection(isWanted),
        meter: progress.begin("Testing…"), observer: observer))
  }

  /// Verifies the entries of a selection, which need not be looked at one by one.
  package func verify(
    _ entries: EntrySelection, options: ExtractionOptions, progress: consuming WorkShare,
    observer: Observer?
  ) async throws -> ExtractionReport {
    try await perform(
      VerificationRun(
        core: core, options: options, selection: entries.numbers,
        meter: progress.begin("Testing…"), observer: observer))
  }

  private func perform(_ run: VerificationRun) async throws -> ExtractionReport {
    try await withTaskCancellationHandler {
      try await ZipThread.run(named: "zip-verify") { try run.perform() }
    } onCancel: {
      run.meter.cancellation.cancel()
    }
  }

  /// Extracts on the calling thread.
  ///
  /// `walks` finds directories part by part, as on kernels without `openat2(2)`.
  package func extractBlocking(
    to directory: String, options: ExtractionOptions, walks: Bool
  ) throws(ZipError) -> ExtractionReport {
    try ExtractionRun(
      core: core, path: directory, options: options, selection: nil,
      meter: WorkMeter("Extracting…"), observer: nil, walks: walks
    ).perform()
  }

  private func selection(_ isWanted: ((ZipEntry) -> Bool)?) -> [Int]? {
    guard let isWanted else { return nil }
    return entries.indices.filter { isWanted(entries[$0]) }
  }
}

extension ZipEntry {
  /// Decodes the entry piece by piece and verifies it after the last; blocks the calling thread.
  ///
  /// Of entries of 16 MiB and more, two other threads read and decode ahead of the calling one.
  /// - Parameters:
  ///   - passwords: Tried in order, where the entry is encrypted.
  ///   - sink: Takes each piece, at most 4 MiB; they are worth nothing when this throws after all.
  /// - Throws: ``ZipError`` of the entry, or what `sink` throws.
  public func read(
    passwords: [[UInt8]] = [], to sink: (RawSpan) throws(ZipError) -> Void
  ) throws(ZipError) {
    try read(passwords: passwords, threads: Environment.processorCount, to: sink)
  }

  private func read(
    passwords: [[UInt8]], threads: Int, to sink: (RawSpan) throws(ZipError) -> Void
  ) throws(ZipError) {
    let reader = EntryReader(core)
    reader.passwords = passwords
    try reader.stream(index, header, threads: threads, to: sink)
  }

  /// Decodes as ``read(passwords:to:)`` does, with Unix line ends where the entry is of those to convert.
  package func read(
    passwords: [[UInt8]], convertingText: ExtractionOptions.TextConversion, jobs: Int?,
    to sink: (RawSpan) throws(ZipError) -> Void
  ) throws(ZipError) {
    let threads = max(1, jobs ?? Environment.processorCount)
    guard convertingText == .all || convertingText == .marked && isText else {
      return try read(passwords: passwords, threads: threads, to: sink)
    }
    var converter = LineEndConverter()
    try read(passwords: passwords, threads: threads) { (bytes) throws(ZipError) in
      let converted = converter.convert(bytes)
      try sink(unsafe converted.span.bytes)
    }
  }

  /// The whole content; blocks the calling thread.
  ///
  /// - Parameters:
  ///   - limit: The most bytes to take; 64 MiB unless said otherwise.
  ///   - passwords: Tried in order, where the entry is encrypted.
  /// - Returns: The verified bytes.
  /// - Throws: ``ZipError`` of the entry; `limit-size` above the limit.
  public func contents(
    limit: UInt64 = 64 << 20, passwords: [[UInt8]] = []
  ) throws(ZipError) -> [UInt8] {
    guard size <= limit else { throw core.error(.limitSize(limit, found: size), index) }
    var result: [UInt8] = []
    try read(passwords: passwords) { (bytes) throws(ZipError) in
      unsafe bytes.withUnsafeBytes { unsafe result.append(contentsOf: $0) }
    }
    return result
  }
}

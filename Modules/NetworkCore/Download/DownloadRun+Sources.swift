import SystemIO

// What follows when a place does not do, or what came is not the file.
extension DownloadRun {
  // MARK: Another place

  /// Ends the download, unless another place is left to ask for what is missing.
  func giveUp(_ error: NetworkError) {
    if !goesElsewhere(after: error) { stop(error) }
  }

  /// Whether trouble is the place's own, so that another one may do.
  private func isOfThePlace(_ error: NetworkError) -> Bool {
    guard ![.file, .limit, .cancelled, .usage].contains(error.category) else { return false }
    // What has gone out cannot be compared with what another place has.
    return book.openPlace?.part != nil || book.stored.count == 0
  }

  private func goesElsewhere(after error: NetworkError) -> Bool {
    guard failure == nil, finalTotal == nil, isOfThePlace(error) else { return false }
    let previous = sources.current
    sources.add(book.referredMirrors)
    guard sources.advance() else { return false }
    changePlace(from: previous, because: error)
    pendingStartOver = nil
    isSwitching = true
    cancelSegments()
    goOnIfIdle()
    return true
  }

  private func changePlace(from previous: String, because error: NetworkError) {
    options.onEvent?(
      .switched(
        from: URLRedaction.redact(previous), to: URLRedaction.redact(sources.current),
        because: error))
    book.changePlace()
    chain = [sources.current]
    startOvers = 0
    usesCondition = true
    hasAskedForAll = false
    renewPolicy()
  }

  /// Asks the new place as soon as the old one's requests have ended.
  func goOnIfIdle() {
    guard segments.isEmpty else { return }
    isSwitching = false
    ask()
  }

  /// Looks whether a Metalink that the server named knows another place.
  func findsOtherPlace(after error: NetworkError) async throws -> Bool {
    guard isOfThePlace(error), error.code != .timedOut || error.phase != .total,
      try await learnsFromMetalink(), sources.hasNext
    else { return false }
    let previous = sources.current
    _ = sources.advance()
    failure = nil
    changePlace(from: previous, because: error)
    return true
  }

  /// Reads the Metalink that the server named, once.
  ///
  /// - Returns: Whether it tells of this file.
  private func learnsFromMetalink() async throws -> Bool {
    guard !hasReadMetalink, let document = book.referredMetalink else { return false }
    hasReadMetalink = true
    do {
      let bytes = try await NetworkSession(sharing: loop).read(
        document, limit: 4 << 20, settings: options.transfer, secretsFor: url)
      let files = try Metalink(bytes).files
      let name = SafeFileName.fromURL(url)
      guard let file = files.count == 1 ? files.first : files.first(where: { $0.name == name })
      else { return false }
      book.learn(file)
      sources.add(
        file.places.compactMap {
          try? TransferURL.resolve($0.url, from: document, options.transfer)
        })
      return true
    } catch let error as CancellationError {
      throw error
    } catch {
      // A document that cannot be had or read promises nothing.
      return false
    }
  }

  // MARK: Mending

  /// Notes who sent what.
  func noteDelivery(_ segment: Segment) {
    guard case .body(let body)? = segment.receiver.verdict else { return }
    if body.startsOver { deliveries = [] }
    let start = body.startsOver ? body.start : segment.start
    let end = segment.receiver.position
    if start < end { deliveries.append((start..<end, segment.url)) }
  }

  /// Who sent the bytes of some ranges, without secrets.
  private func senders(of ranges: [Range<UInt64>]) -> [String] {
    var names: [String] = []
    var unknown = ByteRanges(ranges)
    for delivery in deliveries where ranges.contains(where: { $0.overlaps(delivery.range) }) {
      let name = URLRedaction.redact(delivery.url)
      if !names.contains(name) { names.append(name) }
      unknown.remove(delivery.range)
    }
    return unknown.count > 0 ? names + ["an earlier run"] : names
  }

  /// Prepares to fetch what is wrong once more: bad pieces where they are known, else all, and from another place
  /// where there is one.
  ///
  /// - Throws: The problem, with who sent the bytes, when nothing more can be done.
  func mend(_ problem: TransferProblem) async throws {
    guard let total = finalTotal else { throw problem }
    mendings += 1
    if book.badRanges.isEmpty, try await learnsFromMetalink() {
      // With what it says about the pieces the damage can be found.
      let book = book
      do {
        _ = try await OwnedThread.run(named: "fetch-verify") { try book.verify(total: total) }
      } catch is TransferProblem {}
    }
    let bad = book.badRanges
    let problem = problem.sent(by: senders(of: bad.isEmpty ? [0..<total] : bad))
    sources.add(book.referredMirrors)
    guard mendings <= 8 else { throw problem }
    if bad.isEmpty { try askForAll(problem, total) } else { try askForPieces(bad, problem) }
    finalTotal = nil
  }

  private func askForPieces(_ bad: [Range<UInt64>], _ problem: TransferProblem) throws {
    // With one place only it is asked once more: the damage may have happened on the way.
    guard sources.hasNext || !hasAskedForAll else { throw problem }
    tell(problem, bytes: bad.reduce(0) { $0 + UInt64($1.count) })
    guard try book.forget(bad) else { throw problem }
    let previous = sources.current
    if sources.advance() {
      changePlace(from: previous, because: NetworkError(problem).during(url: chain.last))
    } else {
      hasAskedForAll = true
      chain = [sources.current]
      renewPolicy()
    }
  }

  private func askForAll(_ problem: TransferProblem, _ total: UInt64) throws {
    // Bytes of several answers may not belong together; those of one are what the place has.
    let isCombined =
      deliveries.count > 1 || !ByteRanges(deliveries.map(\.range)).contains(0..<total)
    let asksAgain = isCombined && !hasAskedForAll
    guard asksAgain || sources.hasNext, try book.startOver() else { throw problem }
    tell(problem, bytes: total)
    let previous = sources.current
    if !asksAgain, sources.advance() {
      changePlace(from: previous, because: NetworkError(problem).during(url: chain.last))
    } else {
      hasAskedForAll = true
      chain = [sources.current]
      renewPolicy()
    }
    startOvers = 2
    resumedBytes = 0
    deliveries = []
    planner.stayAlone()
  }

  private func tell(_ problem: TransferProblem, bytes: UInt64) {
    let error = NetworkError(problem).during(url: chain.last, phase: .verification)
    options.onEvent?(.mending(error, bytes: bytes))
  }
}

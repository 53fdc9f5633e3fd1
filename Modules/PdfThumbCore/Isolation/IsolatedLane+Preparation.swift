internal import SystemIO

/// Making and taking the copy of the document that all workers share.
extension IsolatedLane {
  /// Whether the lane has to come to rest, because the copy is to be made or taken.
  var mustPause: Bool {
    guard let file else { return false }
    return file.wantsPreparation || (!hasAdopted && file.prepared != nil)
  }

  /// Sees to the copy before a page is drawn.
  ///
  /// Whatever goes wrong costs the copy, and at most this worker.
  /// - Returns: Whether the page may be sent to the worker now; if not it goes back, where others may take it.
  func isReadyToDraw(_ job: WorkJob) -> Bool {
    guard case .draw = job.order else { return true }
    let file = job.file
    if let haste = file.claimPreparation() {
      board.putBack([job])
      file.finishPreparation(try? copy(of: file, quickly: haste), quickly: haste)
      board.wakeAll()
      return false
    }
    awaitPreparation(of: file)
    guard !hasAdopted, let prepared = file.prepared else { return true }
    do throws(PDFError) {
      try adopt(prepared, of: file)
      return true
    } catch {
      // The next worker shall not end the same way.
      file.finishPreparation(nil, quickly: false)
      board.putBack([job])
      return false
    }
  }

  /// Waits for a copy that another lane has as good as done.
  ///
  /// Pages drawn from the document meanwhile would take longer than that, and have the worker load all fonts twice.
  private func awaitPreparation(of file: DocumentFile) {
    while file.isBeingPreparedQuickly, board.isOpen(file) { waitIdle() }
  }

  private func copy(
    of file: DocumentFile, quickly: Bool
  ) throws(PDFError) -> PreparedDocument? {
    let limit = PreparedDocument.greatestSize
    guard let memory = try? FileDescriptor.memory(named: "prepared"),
      (try? memory.truncate(to: UInt64(limit))) != nil,
      (try? memory.seal([.shrink, .grow])) != nil
    else { return nil }
    let reply = try exchange(.prepare(quickly: quickly), passing: memory.raw, of: file)
    guard case .prepared(let count) = reply, (1...limit).contains(count) else { return nil }
    // Fails when the worker kept a mapping that it could still write to.
    guard (try? memory.seal([.write, .further])) != nil else { return nil }
    return PreparedDocument(memory, size: UInt64(count))
  }

  /// Lets the worker draw from the copy from now on; one that refuses goes on as before.
  private func adopt(_ prepared: PreparedDocument, of file: DocumentFile) throws(PDFError) {
    _ = try exchange(
      .adopt(documentSize: prepared.size), passing: prepared.descriptor.raw, of: file)
    hasAdopted = true
    residentAtStart = nil
  }
}

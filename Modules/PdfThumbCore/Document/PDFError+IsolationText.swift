internal import SystemIO

/// The wording of what happens to worker processes.
extension PDFError {
  /// Runs a body and turns what it throws into this type.
  ///
  /// - Parameters:
  ///   - make: Makes the error out of the reason of one that is of another type.
  ///   - body: What to run.
  /// - Returns: What the body returns.
  /// - Throws: The body's error.
  static func mapping<Value: ~Copyable>(
    _ make: (String) -> PDFError, _ body: () throws -> Value
  ) throws(PDFError) -> Value {
    do {
      return try body()
    } catch let error as PDFError {
      throw error
    } catch let error as SystemError {
      throw make(error.reason)
    } catch {
      throw make("\(error)")
    }
  }

  static func noEntryPoint() -> PDFError {
    PDFError(
      code: .isolationUnavailable,
      message: "expected main to call ThumbnailWorker.runIfRequested() first, found that it did not"
    )
  }

  static func workerNotStarted(cause: String) -> PDFError {
    PDFError(
      code: .isolationUnavailable, message: "expected a worker process, found none", cause: cause)
  }

  static func workerWithoutDocument() -> PDFError {
    PDFError(code: .renderFailed, message: "expected an open document, found none")
  }

  static func closed() -> PDFError {
    PDFError(code: .unreadable, message: "expected an open document, found a closed one")
  }

  static func documentChanged(page: Int?) -> PDFError {
    PDFError(
      code: .unreadable,
      message: "expected the file as it was when opened, found that it has changed", page: page)
  }

  static func timedOut(page: Int?, limit: Duration) -> PDFError {
    PDFError(
      code: .timedOut, message: "expected an answer within \(limit), found none", page: page)
  }

  static func processorTime(page: Int?, limit: Duration) -> PDFError {
    PDFError(
      code: .limitExceeded, message: "expected at most \(limit) of processor time, found more",
      page: page)
  }

  static func tooManyMessages(page: Int?, limit: UInt64) -> PDFError {
    PDFError(
      code: .limitExceeded, message: "expected at most \(limit) bytes of messages, found more",
      page: page)
  }

  static func workerMemory(page: Int?, limit: UInt64) -> PDFError {
    PDFError(
      code: .limitExceeded, message: "expected at most \(limit) bytes of memory, found more",
      page: page)
  }

  static func forbiddenCall(page: Int?) -> PDFError {
    PDFError(
      code: .crashed, message: "expected drawing, found a system call that drawing never makes",
      page: page, cause: "signal 31")
  }

  static func workerLied(page: Int?, violation: WireViolation) -> PDFError {
    PDFError(
      code: .crashed, message: "expected an answer of the worker, found another message",
      page: page, cause: "byte \(violation.offset): \(violation)")
  }

  static func crashed(page: Int?, how: ChildProcess.Ending, messages: String) -> PDFError {
    let ending =
      switch how {
      case .exited(let status): "exit status \(status)"
      case .signalled(let signal): "signal \(signal)"
      case .unknown: "end unknown"
      }
    let said = messages.split(separator: "\n").first.map { ": \($0)" } ?? ""
    return PDFError(
      code: .crashed, message: "expected a picture, found that the worker died", page: page,
      cause: ending + said)
  }
}

extension WireViolation {
  static func noDescriptor() -> WireViolation {
    WireViolation(offset: 0, description: "expected a descriptor, found none")
  }

  static func wrongSerial(_ found: UInt64, expected: UInt64) -> WireViolation {
    WireViolation(offset: 8, description: "expected serial \(expected), found \(found)")
  }

  static func wrongKind() -> WireViolation {
    WireViolation(offset: 4, description: "expected an answer to the request, found another")
  }

  static func outside(_ count: Int, of room: Int) -> WireViolation {
    WireViolation(offset: 16, description: "expected at most \(room) bytes, found \(count)")
  }

  static func wrongPicture(_ size: PixelSize) -> WireViolation {
    WireViolation(
      offset: 16, description: "expected a picture as asked for, found one of \(size)")
  }
}

extension SandboxReport {
  static let noFilter = "no filter of system calls"
  static let noLandlock = "no Landlock: files the user may read stay readable"
  static let noPrivilegeLock = "no lock on privileges"
  static let noLimits = "no resource limits"
}

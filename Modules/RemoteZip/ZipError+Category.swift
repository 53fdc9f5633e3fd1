public import NetworkCore
public import ZipKitCore

extension ZipError {
  /// The kind of failure that this is among those of a transfer, for programs that do both.
  public var category: FailureCategory {
    switch code {
    case .limitSize, .limitRatio, .limitFiles, .limitMemory, .diskFull: .limit
    case .targetExists, .targetUnusable, .throughLink, .write, .metadata, .sourceOpen, .sourceRead:
      .file
    case .passwordNeeded, .passwordWrong: .authentication
    case .methodUnsupported, .encryptionUnsupported: .other
    case .cancelled: .cancelled
    // What is left says that the archive is not what it should be.
    default: .integrity
    }
  }
}

extension DeliveryReport {
  /// The kind of the first failure, or nil when everything is in place.
  public var failureCategory: FailureCategory? {
    if let problem = extraction.general.first { return problem.category }
    guard let failure = failures.first else { return nil }
    return failure.problems.first?.category ?? .other
  }
}

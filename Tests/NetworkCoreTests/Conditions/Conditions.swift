import NetworkCore
import Synchronization
import SystemIO
import TestSupport
import Testing

/// What came of downloading a URL under some condition.
struct Trial {
  var error: NetworkError?
  var file: [UInt8]?

  /// Downloads a URL once, or with retries that hardly wait.
  static func download(
    _ url: String, retries: Int = 0, _ change: (inout DownloadOptions) -> Void = { _ in }
  ) async throws -> Trial {
    let folder = try TemporaryDirectory()
    var options = DownloadOptions()
    options.retryLimit = retries
    // Name servers that say nothing are asked for half a minute, and machines are busy.
    options.transfer.connectTimeout = .seconds(100)
    options.transfer.responseTimeout = .seconds(100)
    // What stands in the environment of whoever runs the tests is not part of them.
    options.transfer.proxy = ""
    change(&options)
    var trial = Trial()
    do {
      _ = try await NetworkSession().download(
        url, to: .file(folder.path("file")), options: options)
      trial.file = try folder.read("file")
    } catch let error as NetworkError {
      trial.error = error
      #expect(!FileSystem.exists(folder.path("file")))
    }
    return trial
  }

  /// Expects the error with that number, and returns it.
  @discardableResult
  func failed(
    _ code: NetworkErrorCode, _ location: SourceLocation = #_sourceLocation
  ) throws -> NetworkError {
    let error = try #require(error, "it succeeded", sourceLocation: location)
    #expect(error.code == code, "\(error.detailedDescription)", sourceLocation: location)
    #expect(error.attempt >= 1, sourceLocation: location)
    #expect(error.url != nil, "\(error.detailedDescription)", sourceLocation: location)
    #expect(error.phase != nil, "\(error.detailedDescription)", sourceLocation: location)
    return error
  }
}

import NetworkCore

var options = DownloadOptions()
options.retryLimit = 0
do {
  let session = try NetworkSession()
  _ = try await session.download("no URL", to: .file("/nowhere/file"), options: options)
  preconditionFailure("what is no URL was downloaded")
} catch let error as NetworkError {
  precondition(error.code.rawValue != 0)
}

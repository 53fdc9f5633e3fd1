/// Reaches the coordinator of a download from outside its task.
struct DownloadControl: Sendable {
  let signals: AsyncStream<DownloadRun.Signal>
  let post: AsyncStream<DownloadRun.Signal>.Continuation

  init() { (signals, post) = AsyncStream.makeStream() }
}

import CommandLineSupport
import NetworkCore

await CommandMain.run(FetchCommand.spec, redactURL: NetworkError.shownURL) { context in
  try await FetchCommand(context).run()
}

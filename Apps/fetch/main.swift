import CommandLineSupport

await CommandMain.run(FetchCommand.spec) { context in try await FetchCommand(context).run() }

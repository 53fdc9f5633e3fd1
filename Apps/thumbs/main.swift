import CommandLineSupport

await CommandMain.run(ThumbsCommand.spec) { context in try await ThumbsCommand(context).run() }

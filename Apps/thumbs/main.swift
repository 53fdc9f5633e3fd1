import CommandLineSupport
import PdfThumbCore

// This program draws pages in processes of its own kind.
ThumbnailWorker.runIfRequested()
await CommandMain.run(ThumbsCommand.spec) { context in try await ThumbsCommand(context).run() }

import CommandLineSupport
import PdfThumbCore

// This program draws pages in processes of its own kind.
ThumbnailWorker.runIfRequested()
ThumbnailWorker.startLauncher()
var spec = ThumbsCommand.spec
spec.versionDetail = "workers confined by \(SandboxReport.offered)"
await CommandMain.run(spec) { context in try await ThumbsCommand(context).run() }

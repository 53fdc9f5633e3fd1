import PdfThumbCore

// A program that the tests start as a worker, or as a parent of workers whose every descriptor counts.
ThumbnailWorker.runIfRequested(ProbeEngine())
switch CommandLine.arguments.dropFirst().first {
case "soak": try await Soak.run()
case "orphan": try await Soak.orphan()
default: break
}

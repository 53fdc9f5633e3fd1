import PdfThumbCore

// A program that the tests start as a worker, or as a parent of workers whose every descriptor counts.
ThumbnailWorker.runIfRequested(ProbeEngine())
var words = CommandLine.arguments.dropFirst()
if words.first == "launch" {
  words.removeFirst()
  ProbeEngine.noteSecret()
  print(ThumbnailWorker.startLauncher(ProbeEngine()) ? "launcher" : "no launcher")
}
switch words.first {
case "soak": try await Soak.run()
case "orphan": try await Soak.orphan()
case "fates": try await Fates.tell(of: words.last ?? "")
case "losses": try await Fates.tellOfLosses()
case "few":
  let numbers = words.dropFirst(2).compactMap { Int($0) }
  try Copies.compareFew(
    words.dropFirst().first ?? "", first: numbers.first ?? 0, last: numbers.dropFirst().first)
case "copies":
  // The document, and the numbers of the pages from which on and before which.
  let rest = words.dropFirst()
  let numbers = rest.dropFirst().compactMap { Int($0) }
  Copies.compare(
    rest.first ?? "", first: numbers.first ?? 0, last: numbers.dropFirst().first)
default: break
}

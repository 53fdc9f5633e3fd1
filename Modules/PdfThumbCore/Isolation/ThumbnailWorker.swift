internal import SystemIO

/// The worker side of isolation: this program, started again to draw pages of one document.
///
/// A program that renders in isolation calls ``runIfRequested()`` first in its `main`, before it
/// starts a thread or reads its arguments:
///
/// ```swift
/// ThumbnailWorker.runIfRequested()
/// ```
public enum ThumbnailWorker {
  /// The argument that asks for the worker's work; followed by the parent's process number.
  static let argument = "--courier-thumbnail-worker"
  /// The socket's number in the worker; 0 and 1 lead nowhere, 2 to the parent, who counts.
  static let socket: Int32 = 3

  /// Becomes a worker, and never returns, if the parent asked for that; returns at once otherwise.
  public static func runIfRequested() { runIfRequested(PDFWorkerEngine()) }

  /// Becomes a worker with an engine of the caller's.
  package static func runIfRequested(_ engine: @autoclosure () -> some WorkerEngine) {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, arguments[1] == argument, let parent = Int32(arguments[2]) else {
      return WorkerProgram.noteEntryPoint()
    }
    guard (try? Confinement.dieWithParent(parent)) == true else { endProcessAtOnce(status: 0) }
    Confinement.ignoreInterrupt()
    let socket = MessageSocket(FileDescriptor(owning: Self.socket))
    guard (try? socket.descriptor.status().kind) == .socket else { endProcessAtOnce(status: 2) }
    work(engine(), socket, Sandbox.enter(readable: loadedPlaces()))
  }

  /// What a worker may read, now that all fonts are known.
  static func loadedPlaces() -> [String] { places(and: FontPlaces.load()) }

  /// What a worker may read: fonts, and what poppler knows of scripts and encodings.
  static func places(and fonts: [String]) -> [String] { fonts + ["/usr/share/poppler"] }

  /// A confined worker's life.
  static func work(
    _ engine: some WorkerEngine, _ socket: consuming MessageSocket, _ report: SandboxReport
  ) -> Never {
    var loop = WorkerLoop(engine: engine, socket: socket)
    loop.run(report)
    endProcessAtOnce(status: 0)
  }
}

import Glibc
import PdfThumbCore
import SystemIO
import TestSupport
import Testing

/// The worker that misbehaves on purpose, and documents that tell it how.
enum Probe {
  /// The program, which is built beside the tests.
  static let program: WorkerProgram = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let bytes = buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
    let folder = Path.parent(of: String(decoding: bytes, as: UTF8.self))
    return .path(Path.join(folder, "WorkerProbe"))
  }()

  static func settings(
    workers: Int = 1, pageTime: Duration = .seconds(30), memory: UInt64 = 256 << 20,
    messages: UInt64 = 64 << 10, residentMemory: UInt64 = 80 << 20
  ) -> IsolationSettings {
    IsolationSettings(
      workers: workers, pageTime: pageTime, processorTime: pageTime, memory: memory,
      messages: messages, residentMemory: residentMemory, program: program)
  }

  /// A document of 1,000 pages whose pages do `deed`, but those that are a multiple of ten.
  static func source(_ deed: String) -> PDFSource {
    .bytes(Array("%PROBE \(deed)\n".utf8), name: deed)
  }

  static func open(
    _ deed: String, _ settings: IsolationSettings = settings()
  ) async throws -> ThumbnailDocument {
    try await ThumbnailDocument.open(source(deed), settings: settings)
  }

  /// The error a page ends with, or `nil` when it is drawn.
  static func fate(_ page: Int, of document: ThumbnailDocument) async -> PDFError? {
    do {
      let drawn = try await document.draw(page, size: .height(20))
      #expect(drawn.picture.pixels == [UInt8](repeating: UInt8(page & 0xFF), count: 10 * 20 * 3))
      return nil
    } catch {
      return error as? PDFError
    }
  }

  /// Runs the program as a parent of workers.
  static func parent(_ words: [String], environment: [String] = []) throws -> ParentProcess {
    guard case .path(let path) = program else {
      throw PDFError(code: .unreadable, message: "expected the probe's path")
    }
    return try ParentProcess(path, words, environment)
  }
}

/// The probe, started as a program of its own.
final class ParentProcess: Sendable {
  let id: Int32
  let output: FileDescriptor
  private let process: ChildProcess

  init(_ path: String, _ words: [String], _ environment: [String]) throws {
    let pipe = try FileDescriptor.pipe()
    // One descriptor more than a program expects, as careless parents leave open.
    process = try ChildProcess(
      path: path, arguments: ["probe"] + words, environment: environment,
      descriptors: [0, pipe.write.raw, 2, 2])
    id = process.id
    output = pipe.keepingRead()
  }

  /// All lines of output.
  func lines() throws -> [String] {
    String(decoding: try output.readToEnd(limit: 1 << 16), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  /// The numbers in the next piece of output.
  func numbers() throws -> [Int] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe output.read(into: $0) }
    return String(decoding: bytes.prefix(count), as: UTF8.self).split { " \n".contains($0) }
      .compactMap { Int($0) }
  }
}

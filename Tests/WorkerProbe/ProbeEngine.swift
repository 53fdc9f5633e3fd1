import Glibc
import PdfThumbCore
import SystemIO

/// A worker's engine that misbehaves on purpose.
///
/// A document that begins with `%PROBE` has 1,000 pages; the rest of its first line names what the pages
/// do. Other documents are drawn by poppler.
@safe final class ProbeEngine: WorkerEngine {
  private let poppler = PDFWorkerEngine()
  private var deed: String?
  // Safety: mapped as long as the process lives.
  private var bytes: UnsafeRawBufferPointer?
  private var hoard: [[UInt8]] = []

  // Safety: the text stands where the program was started with it, as long as the process lives.
  nonisolated(unsafe) private static var secret: UnsafeMutablePointer<CChar>?

  /// Remembers where the environment has a secret.
  static func noteSecret() { unsafe secret = getenv("COURIER_SECRET") }

  func open(
    _ memory: ImmortalMemory, password: String?
  ) throws(PDFError) -> OpenedDocument {
    let line = unsafe String(
      decoding: memory.bytes.prefix(100).prefix { $0 != 10 }, as: UTF8.self)
    guard line.hasPrefix("%PROBE ") else {
      return try poppler.open(memory, password: password)
    }
    let deed = String(line.dropFirst(7))
    self.deed = deed
    unsafe bytes = memory.bytes
    if deed.hasPrefix("opening-") { try commit(String(deed.dropFirst(8))) }
    if deed == "password", password != "geheim" {
      throw PDFError(code: password == nil ? .passwordNeeded : .passwordWrong, message: "m")
    }
    return OpenedDocument(pageCount: 1000)
  }

  func narrow(to pages: Range<Int>) {
    if deed == nil { poppler.narrow(to: pages) }
  }

  func geometry(of page: Int, withBoxes: Bool) throws(PDFError) -> PageGeometry {
    guard deed != nil else { return try poppler.geometry(of: page, withBoxes: withBoxes) }
    return PageGeometry(index: page, width: 100, height: 200, label: "p\(page)")
  }

  func outline() throws(PDFError) -> [OutlineEntry] {
    guard deed != nil else { return try poppler.outline() }
    return [OutlineEntry(title: "one\u{7}two", level: 0, page: 3)]
  }

  func information() throws(PDFError) -> DocumentInformation {
    try poppler.information()
  }

  func draw(
    _ page: Int, renderer: PageRenderer, size: PixelSize, into pixels: inout MutableRawSpan
  ) throws(PDFError) -> DrawingReport {
    guard let deed else {
      return try poppler.draw(page, renderer: renderer, size: size, into: &pixels)
    }
    // Pages that are a multiple of ten are good, so that a test sees the next worker work.
    if !page.isMultiple(of: 10) { try commit(deed, page) }
    for offset in 0..<pixels.byteCount {
      pixels.storeBytes(of: UInt8(page & 0xFF), toByteOffset: offset, as: UInt8.self)
    }
    return DrawingReport(flaws: ["hoard", "tell-hang"].contains(deed) ? Int(getpid()) : page)
  }

  func prepare(quickly: Bool, _ store: (UnsafeRawBufferPointer) -> Bool) -> Int {
    switch deed {
    case nil: return unsafe poppler.prepare(quickly: quickly, store)
    case "prepare-crash": kill(getpid(), SIGKILL)
    case "prepare-lie": return 1 << 30
    case "prepare-junk", "adopt-crash":
      let junk = unsafe UnsafeRawBufferPointer(start: bytes?.baseAddress, count: 8)
      return unsafe store(junk) ? 8 : 0
    default: break
    }
    return 0
  }

  func adopt(_ memory: ImmortalMemory) throws(PDFError) -> OpenedDocument {
    guard let deed else { return try poppler.adopt(memory) }
    if deed == "adopt-crash" { kill(getpid(), SIGKILL) }
    throw PDFError(code: .damaged, message: "junk")
  }

  private func commit(_ deed: String, _ page: Int = 0) throws(PDFError) {
    switch deed {
    case "nothing", "password", "prepare-crash", "prepare-lie", "prepare-junk", "adopt-crash": break
    case "crash-hundredth": if page % 100 == 57 { kill(getpid(), SIGKILL) }
    case "tell-hang": while true { usleep(1000) }
    case "crash": kill(getpid(), SIGKILL)
    case "abort": abort()
    case "trap": unsafe UnsafeMutablePointer<UInt8>(bitPattern: 16)?.pointee = 1
    case "exit": exit(3)
    case "hang": while true { usleep(1000) }
    case "spin": while deed != "" {}
    case "grow": grow()
    case "hoard": hoard.append([UInt8](repeating: 1, count: 4 << 20))
    case "flood": flood()
    case "read-all": readAll()
    case "refuse": throw PDFError(code: .pageMissing, message: "no\npage", cause: "be\u{1B}cause")
    case "lie": lie()
    default: escape(deed)
    }
  }

  /// Tries what the sandbox forbids and says what came of it, unless that was the end.
  private func escape(_ deed: String) {
    let result: Int32 =
      switch deed {
      case "open-file": Int32((try? FileDescriptor.open("/etc/hostname")) != nil ? 0 : errno)
      case "write-file":
        Int32(
          (try? FileDescriptor.open("/tmp/courier-probe", [.writeOnly, .create])) != nil ? 0 : errno
        )
      case "socket": socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      case "process":
        (try? ChildProcess(
          path: "/bin/true", arguments: ["true"], environment: [], descriptors: []
        ).id) ?? -1
      case "signal": kill(getppid(), SIGTERM)
      case "thread": startThread()
      case "descriptors": openDescriptors()
      case "secret":
        unsafe getenv("COURIER_SECRET") == nil && (Self.secret?.pointee ?? 0) == 0 ? 0 : 1
      default: 0
      }
    say("result \(result)\n")
    exit(9)
  }

  /// A bit for each of the first 64 descriptors that is open, the last one for all beyond the 30th.
  private func openDescriptors() -> Int32 {
    (Int32(0)..<64).reduce(0) { fcntl($1, F_GETFD) == -1 ? $0 : $0 | 1 << min($1, 30) }
  }

  private func say(_ text: String) {
    var bytes = Array(text.utf8)
    _ = unsafe write(2, &bytes, bytes.count)
  }

  private func startThread() -> Int32 {
    (try? OwnedThread(named: "x") {}) == nil ? 1 : 0
  }

  private func grow() {
    while true {
      let count = 16 << 20
      guard let block = unsafe malloc(count) else {
        say("Out of memory\n")
        abort()
      }
      unsafe memset(block, 1, count)
    }
  }

  private func flood() {
    let line = String(repeating: "Syntax Error: again. ", count: 50) + "\n"
    while true { say(line) }
  }

  private func readAll() {
    let sum = unsafe bytes?.reduce(0) { $0 &+ Int($1) }
    if sum == 42 { say("42") }
  }

  private func lie() {
    var bytes = [UInt8](repeating: 0xFF, count: 128)
    _ = unsafe write(3, &bytes, bytes.count)
  }
}

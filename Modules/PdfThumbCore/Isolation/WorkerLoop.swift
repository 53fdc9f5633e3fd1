internal import SystemIO

/// A worker's life after it is confined: a request, an answer, until the parent is gone.
struct WorkerLoop<Engine: WorkerEngine>: ~Copyable {
  private let engine: Engine
  private let socket: MessageSocket
  private var surface: SharedMemory?

  init(engine: Engine, socket: consuming MessageSocket) {
    self.engine = engine
    self.socket = socket
  }

  /// Answers until the socket closes or says what no parent says.
  mutating func run(_ report: SandboxReport) {
    do {
      try socket.send(WireReply(serial: 0, kind: .ready(report)).bytes)
      while true {
        let delivery = try socket.receiveWithDescriptor(limit: WireRequest.byteCount + 1)
        guard !delivery.message.isEmpty else { return }
        let request = try WireRequest(delivery.message)
        if let kind = try answer(request, descriptor: delivery.takeDescriptor()) {
          try socket.send(WireReply(serial: request.serial, kind: kind).bytes)
        }
      }
    } catch {
      // The parent sees the socket close and says what it makes of it.
    }
  }

  private mutating func answer(
    _ request: WireRequest, descriptor: consuming FileDescriptor?
  ) throws -> WireReply.Kind? {
    if request.kind == .surface {
      guard let file = descriptor else { throw WireViolation.noDescriptor() }
      surface = try SharedMemory(mapping: file)
      return nil
    }
    do throws(PDFError) {
      switch request.kind {
      case .surface: return nil
      case .open(let size, let count):
        return try open(descriptor, size: size, passwordCount: count, slot: request.slot)
      case .draw(let order): return try draw(order, slot: request.slot)
      case .describe(let first, let count, let withBoxes):
        return describe(first, count, withBoxes: withBoxes, slot: request.slot)
      case .outline:
        let bytes = try engine.outline().map(WireData.bytes(of:))
        return tell(WireData.joined(bytes, limit: slotCount).bytes, slot: request.slot)
      case .information:
        return tell(WireData.bytes(of: try engine.information()), slot: request.slot)
      case .prepare(let quickly): return prepare(descriptor, quickly: quickly)
      case .adopt(let size): return try adopt(descriptor, size: size)
      }
    } catch {
      let bytes = WireData.bytes(of: error)
      guard store(bytes, slot: request.slot, offset: 0) else {
        return .failed(error.code, dataCount: 0)
      }
      return .failed(error.code, dataCount: bytes.count)
    }
  }

  private func open(
    _ file: consuming FileDescriptor?, size: UInt64, passwordCount: Int?, slot: Int
  ) throws(PDFError) -> WireReply.Kind {
    guard let file else { throw .unreadable(cause: "no descriptor came along") }
    var password: String?
    if let passwordCount {
      let start = slot * slotCount
      let bytes = surface?.copy(start..<start + passwordCount) ?? []
      password = String(decoding: bytes, as: UTF8.self)
    }
    let opened = try engine.open(map(file, size), password: password)
    return .opened(pageCount: opened.pageCount, objectCount: opened.objectCount)
  }

  private func prepare(
    _ file: consuming FileDescriptor?, quickly: Bool
  ) -> WireReply.Kind {
    guard let file, let memory = try? SharedMemory(mapping: file) else {
      return .prepared(dataCount: 0)
    }
    let count = unsafe engine.prepare(quickly: quickly) { bytes in
      unsafe memory.store(bytes, at: 0)
    }
    // The mapping ends here, so that the parent can seal the file.
    return .prepared(dataCount: count)
  }

  private func adopt(
    _ file: consuming FileDescriptor?, size: UInt64
  ) throws(PDFError) -> WireReply.Kind {
    guard let file else { throw .unreadable(cause: "no descriptor came along") }
    let opened = try engine.adopt(map(file, size))
    return .opened(pageCount: opened.pageCount, objectCount: opened.objectCount)
  }

  private func map(
    _ file: consuming FileDescriptor, _ size: UInt64
  ) throws(PDFError) -> ImmortalMemory {
    do throws(SystemError) {
      return try ImmortalMemory(mapping: file, count: size, room: StandIns.greatestAddition)
    } catch {
      throw .unreadable(cause: error.reason)
    }
  }

  private func draw(_ order: DrawOrder, slot: Int) throws(PDFError) -> WireReply.Kind {
    let settings = order.renderer.settings
    if let few = order.few { engine.narrow(to: few) }
    let geometry = try engine.geometry(of: order.page, withBoxes: settings.box != .crop)
    let size = try order.renderer.pixelSize(of: geometry, size: order.size)
    let count = settings.format.byteCount(size)
    let needed = count + DrawnReply.greatestLabelCount
    guard needed <= slotCount else { return .needsRoom(UInt64(needed)) }
    let start = slot * slotCount
    let report = try unsafe surface?.withBytes(start..<start + count) {
      (buffer) throws(PDFError) in
      // Safety: the slot stays mapped during the call, and this process writes nothing else to it.
      var pixels = unsafe MutableRawSpan(_unsafeBytes: buffer)
      return try engine.draw(
        order.page, renderer: order.renderer, size: size, into: &pixels)
    }
    guard let report = report ?? nil else { return .needsRoom(UInt64(needed)) }
    let label = WireText.cut(geometry.label, to: DrawnReply.greatestLabelCount)
    guard store(label, slot: slot, offset: count) else { return .needsRoom(UInt64(needed)) }
    return .drawn(
      DrawnReply(
        size: size, format: settings.format, report: report, pageWidth: geometry.width,
        pageHeight: geometry.height, labelCount: label.count))
  }

  private func describe(
    _ first: Int, _ count: Int, withBoxes: Bool, slot: Int
  ) -> WireReply.Kind {
    var records: [[UInt8]] = []
    var total = 0
    for page in first..<first + count {
      let geometry: Result<PageGeometry, PDFError>
      do throws(PDFError) {
        geometry = .success(try engine.geometry(of: page, withBoxes: withBoxes))
      } catch {
        geometry = .failure(error)
      }
      let record = WireData.bytes(of: geometry)
      guard total + record.count <= slotCount else { break }
      total += record.count
      records.append(record)
    }
    guard !records.isEmpty || count == 0,
      store(Array(records.joined()), slot: slot, offset: 0)
    else { return .needsRoom(UInt64(WireData.greatestRecordCount)) }
    return .described(count: records.count, dataCount: total)
  }

  private func tell(_ bytes: [UInt8], slot: Int) -> WireReply.Kind {
    store(bytes, slot: slot, offset: 0)
      ? .told(dataCount: bytes.count) : .needsRoom(UInt64(bytes.count))
  }

  /// The bytes of one slot.
  private var slotCount: Int {
    switch surface {
    case .some(let memory): memory.count / WireRequest.slots.count
    case .none: 0
    }
  }

  private func store(_ bytes: [UInt8], slot: Int, offset: Int) -> Bool {
    guard offset + bytes.count <= slotCount else { return false }
    return surface?.store(bytes, at: slot * slotCount + offset) ?? false
  }
}

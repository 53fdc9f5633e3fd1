import Synchronization

/// Several digests over the same bytes.
final class DigestSet: Sendable {
  private final class Box: Sendable {
    private let digest: Mutex<RunningDigest>

    init(_ algorithm: DigestAlgorithm) throws(NetworkError) {
      digest = Mutex(try RunningDigest(algorithm))
    }

    func update(_ bytes: UnsafeRawBufferPointer) {
      digest.withLock { unsafe $0.update(bytes) }
    }

    func finish() throws(NetworkError) -> Checksum {
      try digest.withLock { (digest) throws(NetworkError) in try digest.copy().finish() }
    }
  }

  private let boxes: [Box]

  init(_ algorithms: Set<DigestAlgorithm>) throws(NetworkError) {
    var boxes: [Box] = []
    for algorithm in algorithms { boxes.append(try Box(algorithm)) }
    self.boxes = boxes
  }

  func update(_ bytes: UnsafeRawBufferPointer) {
    for box in boxes { unsafe box.update(bytes) }
  }

  func finish() throws(NetworkError) -> [Checksum] {
    var found: [Checksum] = []
    for box in boxes { found.append(try box.finish()) }
    return found
  }
}

/// Several digests over the same bytes; used by one thread at a time.
final class DigestSet {
  private final class Box {
    private var digest: RunningDigest

    init(_ algorithm: DigestAlgorithm) throws(NetworkError) {
      digest = try RunningDigest(algorithm)
    }

    func update(_ bytes: UnsafeRawBufferPointer) { unsafe digest.update(bytes) }

    func finish() throws(NetworkError) -> Checksum { try digest.copy().finish() }
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

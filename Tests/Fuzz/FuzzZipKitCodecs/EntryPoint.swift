import Glibc

/// The decoder to run, by the environment variable `COURIER_FUZZ_TARGET`; without it the first byte of each
/// input chooses, so that one run reaches all.
private let chosen = unsafe getenv("COURIER_FUZZ_TARGET").flatMap {
  CodecTarget(rawValue: unsafe String(cString: $0))
}

/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func runOne(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var bytes = unsafe Array(UnsafeBufferPointer(start: data, count: count))
  if let chosen {
    chosen.run(bytes)
  } else if !bytes.isEmpty {
    let targets = CodecTarget.allCases
    targets[Int(bytes.removeFirst()) % targets.count].run(bytes)
  }
  return 0
}

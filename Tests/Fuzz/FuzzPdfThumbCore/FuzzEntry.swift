import FuzzTargets

private let program = FuzzProgram<PDFTarget>()

/// What libFuzzer calls first.
@c(LLVMFuzzerInitialize)
public func prepare(
  _ count: UnsafeMutablePointer<CInt>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
  unsafe program.prepare(count, arguments)
}

/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func runOne(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe program.run(data, count)
}

/// What libFuzzer calls for a new input out of an old one.
@c(LLVMFuzzerCustomMutator)
public func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ most: Int, _ seed: CUnsignedInt
) -> Int {
  unsafe program.mutate(data, size, most, seed)
}

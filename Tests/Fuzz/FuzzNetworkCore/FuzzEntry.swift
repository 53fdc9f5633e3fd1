import FuzzTargets

private let program = FuzzProgram<NetworkTarget>()

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

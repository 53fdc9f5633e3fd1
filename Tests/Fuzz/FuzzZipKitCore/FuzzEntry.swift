import CLibFuzzer
import Glibc

/// What to run, by the environment variable `COURIER_FUZZ_TARGET`; without it the first byte of each input
/// chooses, so that one run reaches all.
private let chosen = unsafe getenv("COURIER_FUZZ_TARGET").flatMap {
  ZipTarget(rawValue: unsafe String(cString: $0))
}

/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func runOne(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var bytes = unsafe Array(UnsafeBufferPointer(start: data, count: count))
  if let chosen {
    chosen.run(bytes)
  } else if !bytes.isEmpty {
    let targets = ZipTarget.allCases
    targets[Int(bytes.removeFirst()) % targets.count].run(bytes)
  }
  return 0
}

/// What libFuzzer calls first: writes the target's seeds into the last folder among the arguments, the one
/// that new inputs go to.
@c(LLVMFuzzerInitialize)
public func prepare(
  _ count: UnsafeMutablePointer<CInt>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
  // Times without a zone mean the same on every machine.
  unsafe setenv("TZ", "UTC", 1)
  guard let chosen, let count = unsafe count?.pointee, let list = unsafe arguments?.pointee else {
    return 0
  }
  let texts = (1..<max(Int(count), 1)).compactMap {
    unsafe list[$0].map { unsafe String(cString: $0) }
  }
  guard let folder = texts.first(where: { !$0.hasPrefix("-") && isFolder($0) }) else { return 0 }
  for (number, seed) in chosen.seeds.enumerated() {
    guard let file = unsafe fopen("\(folder)/seed-\(number)", "w") else { continue }
    _ = unsafe fwrite(seed, 1, seed.count, file)
    _ = unsafe fclose(file)
  }
  return 0
}

private func isFolder(_ path: String) -> Bool {
  var status = stat()
  return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// What libFuzzer calls for a new input out of an old one: archives are changed as archives, most of the
/// time.
@c(LLVMFuzzerCustomMutator)
public func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ most: Int, _ seed: CUnsignedInt
) -> Int {
  var random = SmallRandom(seed: UInt64(seed))
  guard chosen?.takesArchive != false, random.below(4) > 0 else {
    return unsafe LLVMFuzzerMutate(data, size, most)
  }
  let old = unsafe Array(UnsafeBufferPointer(start: data, count: size))
  guard var model = ArchiveModel(old) else { return unsafe LLVMFuzzerMutate(data, size, most) }
  for _ in 0...random.below(3) { model.mutate(&random) }
  let new = model.bytes(isHonest: random.below(8) > 0)
  guard new.count <= most, new != old else { return unsafe LLVMFuzzerMutate(data, size, most) }
  for (place, byte) in new.enumerated() { unsafe data[place] = byte }
  return random.below(8) > 0 ? new.count : unsafe LLVMFuzzerMutate(data, new.count, most)
}

/// Numbers that follow from a seed (SplitMix64).
struct SmallRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Numbers that follow from bytes, and change all with any of these.
  init(of bytes: [UInt8]) {
    state = bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }

  /// A number from 0 to `limit - 1`.
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

  /// True once in `times`.
  mutating func once(in times: Int) -> Bool { below(times) == 0 }

  /// One of several.
  mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }
}

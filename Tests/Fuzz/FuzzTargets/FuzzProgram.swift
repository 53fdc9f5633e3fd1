import CLibFuzzer
import Glibc

/// What libFuzzer calls, for the targets of one executable.
package struct FuzzProgram<Target: FuzzTarget>: Sendable {
  /// What to run, by the environment variable `COURIER_FUZZ_TARGET`; without it the first byte of each input
  /// chooses, so that one run reaches all.
  private let chosen = environment("COURIER_FUZZ_TARGET").flatMap(Target.init)

  package init() {}

  /// Runs one input.
  package func run(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var bytes = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    if let chosen {
      chosen.run(bytes)
    } else if !bytes.isEmpty {
      let targets = Array(Target.allCases)
      targets[Int(bytes.removeFirst()) % targets.count].run(bytes)
    }
    return 0
  }

  /// Writes the target's seeds into the first folder among the arguments, the one that new inputs go to.
  ///
  /// With `COURIER_FUZZ_INPUTS`, a number, writes so many inputs there instead, and ends the process.
  package func prepare(
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
    if let wanted = environment("COURIER_FUZZ_INPUTS").flatMap(Int.init) {
      write(chosen.inputs(wanted, atMost: 16 << 10), "\(folder)/input-")
      exit(0)
    }
    write(chosen.seeds, "\(folder)/seed-")
    return 0
  }

  private func write(_ inputs: [[UInt8]], _ prefix: String) {
    for (number, input) in inputs.enumerated() {
      guard let file = unsafe fopen("\(prefix)\(10_000 + number)", "w") else { continue }
      _ = unsafe fwrite(input, 1, input.count, file)
      _ = unsafe fclose(file)
    }
  }

  /// Makes a new input out of an old one: as what it is, most of the time.
  package func mutate(
    _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ most: Int, _ seed: CUnsignedInt
  ) -> Int {
    var random = SmallRandom(seed: UInt64(seed), isGuided: true)
    let old = unsafe Array(UnsafeBufferPointer(start: data, count: size))
    guard let chosen, random.below(4) > 0, let new = chosen.remade(old, &random),
      new.count <= most, new != old
    else { return unsafe LLVMFuzzerMutate(data, size, most) }
    for (place, byte) in new.enumerated() { unsafe data[place] = byte }
    return random.below(8) > 0 ? new.count : unsafe LLVMFuzzerMutate(data, new.count, most)
  }
}

private func environment(_ name: String) -> String? {
  unsafe getenv(name).map { unsafe String(cString: $0) }
}

private func isFolder(_ path: String) -> Bool {
  var status = stat()
  return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

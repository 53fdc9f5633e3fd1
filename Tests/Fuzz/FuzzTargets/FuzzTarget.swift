import Glibc

/// What the fuzzer can feed with bytes: the cases of an executable's enumeration, each held to its promises.
package protocol FuzzTarget: RawRepresentable<String>, CaseIterable, Sendable {
  /// Feeds it; a promise that does not hold ends the process.
  func run(_ bytes: [UInt8])

  /// Inputs to begin with.
  var seeds: [[UInt8]] { get }

  /// A new input out of an old one, made with knowledge of what inputs are; nil where bytes are just bytes.
  func remade(_ bytes: [UInt8], _ random: inout SmallRandom) -> [UInt8]?
}

extension FuzzTarget {
  package var seeds: [[UInt8]] { [] }

  package func remade(_ bytes: [UInt8], _ random: inout SmallRandom) -> [UInt8]? { nil }

  /// The inputs of the short form: seeds, then what each number makes of them.
  ///
  /// They depend on nothing else, and are the same in every run.
  package func inputs(_ count: Int, atMost most: Int) -> [[UInt8]] {
    let seeds = seeds
    return (0..<count).map { number in
      if number < seeds.count { return seeds[number] }
      var random = SmallRandom(of: Array("\(rawValue) \(number)".utf8))
      var bytes = seeds.isEmpty ? random.bytes(1 + random.below(60)) : random.one(of: seeds)
      for _ in 0...random.below(7) {
        if !random.once(in: 4), let new = remade(bytes, &random) {
          bytes = new
        } else {
          random.change(&bytes)
        }
      }
      return Array(bytes.prefix(most))
    }
  }
}

/// Ends the run where a promise does not hold, as a crash does.
package func expect(
  _ condition: Bool, _ promise: @autoclosure () -> String = "a promise",
  file: StaticString = #fileID, line: UInt = #line
) {
  if condition { return }
  let text = "ERROR: broken: \(promise()) (\(file):\(line))\n"
  _ = unsafe write(STDERR_FILENO, text, text.utf8.count)
  abort()
}

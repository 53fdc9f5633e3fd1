internal import ZipKitCore

/// Input and output of one call of a C library: two regions that it is lent for the call.
///
/// Counts are cut to what the 32-bit fields of most libraries hold.
@unsafe
struct StreamRegions {
  let input: UnsafePointer<UInt8>?
  let given: UInt32
  let output: UnsafeMutablePointer<UInt8>?
  let room: UInt32

  /// Lends a call's input and the free part of its output, and books what was written.
  ///
  /// `body` makes the call; it returns the bytes it used up and the bytes it wrote.
  /// - Returns: The bytes used up.
  static func lend(
    _ input: RawSpan, _ output: inout OutputRawSpan,
    _ body: (StreamRegions) -> (consumed: Int, produced: Int)
  ) -> Int {
    let most = Int(UInt32.max)
    return unsafe input.withUnsafeBytes { source in
      unsafe output.withUnsafeMutableBytes { target, used in
        // Safety: both regions outlive `body`; the output is exclusively ours, so they do not overlap.
        let regions = unsafe StreamRegions(
          input: source.baseAddress?.assumingMemoryBound(to: UInt8.self),
          given: UInt32(min(source.count, most)),
          output: target.baseAddress?.advanced(by: used).assumingMemoryBound(to: UInt8.self),
          room: UInt32(min(target.count - used, most)))
        let step = unsafe body(regions)
        precondition(step.produced <= Int(unsafe regions.room), "a library wrote past its output")
        used += step.produced
        return step.consumed
      }
    }
  }
}

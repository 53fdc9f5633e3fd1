import TestSupport
import Testing

import NetworkCore

@Suite("A set of byte ranges")
struct ByteRangesTests {
  @Test func `joins what overlaps or touches`() {
    var set = ByteRanges([10..<20, 30..<40])
    set.insert(20..<30)
    #expect(set.ranges == [10..<40])
    set.insert(0..<5)
    set.insert(4..<11)
    #expect(set.ranges == [0..<40])
    #expect(set.count == 40)
    #expect(set.prefix == 40)
  }

  @Test func `knows its gaps up to an end`() {
    let set = ByteRanges([10..<20, 30..<40])
    #expect(set.gaps(upTo: 50) == [0..<10, 20..<30, 40..<50])
    #expect(set.gaps(upTo: 35) == [0..<10, 20..<30])
    #expect(set.gaps(upTo: 0) == [])
    #expect(ByteRanges().gaps(upTo: 3) == [0..<3])
  }

  @Test func `loses what is taken out`() {
    var set = ByteRanges([0..<100])
    set.remove(10..<20)
    set.remove(90..<200)
    #expect(set.ranges == [0..<10, 20..<90])
    #expect(set.contains(20..<90))
    #expect(!set.contains(5..<15))
    #expect(set.intersection(5..<25).ranges == [5..<10, 20..<25])
  }

  @Test func `agrees with a set of numbers whatever is put in`() {
    var generator = SeededRandom()
    for _ in 0..<200 {
      var set = ByteRanges()
      var plain: Set<UInt64> = []
      for _ in 0..<20 {
        let lower = UInt64.random(in: 0..<60, using: &generator)
        let range = lower..<(lower + UInt64.random(in: 0..<10, using: &generator))
        if Bool.random(using: &generator) {
          set.insert(range)
          plain.formUnion(range)
        } else {
          set.remove(range)
          plain.subtract(range)
        }
      }
      #expect(set.count == UInt64(plain.count))
      #expect(Set(set.ranges.flatMap { $0 }) == plain)
      for (left, right) in zip(set.ranges, set.ranges.dropFirst()) {
        #expect(left.upperBound < right.lowerBound)
      }
    }
  }
}

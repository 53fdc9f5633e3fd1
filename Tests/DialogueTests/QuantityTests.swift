import Dialogue
import Testing

@Suite struct QuantityTests {
  @Test(arguments: [
    (UInt64(0), "0 B"), (999, "999 B"), (1000, "1.00 kB"), (1_234_567, "1.23 MB"),
    (45_600_000_000, "45.6 GB"), (999_999_999, "999 MB"), (.max, "18.4 EB"),
  ])
  func `writes sizes`(_ bytes: UInt64, _ text: String) {
    #expect(Quantity.describe(bytes: bytes) == text)
  }

  @Test(arguments: [
    (Duration.seconds(5), "0:05"), (.milliseconds(5900), "0:05"), (.seconds(754), "12:34"),
    (.seconds(3723), "1:02:03"), (.seconds(3 * 86_400 + 14_400), "3d 04:00"),
    (.seconds(-3), "0:00"),
  ])
  func `writes times`(_ duration: Duration, _ text: String) {
    #expect(Quantity.describe(duration) == text)
  }

  @Test(arguments: [(0.0, "0%"), (0.999999, "99%"), (1.0, "100%"), (1.5, "100%"), (-1, "0%")])
  func `writes shares`(_ fraction: Double, _ text: String) {
    #expect(Quantity.describe(fraction: fraction) == text)
  }
}

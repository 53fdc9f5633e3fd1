import PdfThumbCore
import TestSupport
import Testing

@Suite struct `Memory pressure` {
  @Test(arguments: [
    ("MemTotal: 1 kB\nMemAvailable:   23601 kB\n", UInt64?.some(23601 * 1024)),
    ("MemTotal: 1 kB\n", nil), ("MemAvailable: many kB", nil), ("MemAvailable:", nil),
    ("MemAvailable: 18446744073709551615 kB", nil), ("", nil),
  ])
  func `the machine's figure is read`(text: String, bytes: UInt64?) {
    #expect(MemoryPressure.available(inMeminfo: text) == bytes)
  }

  @Test(arguments: [
    ("some avg10=12.50 avg60=1.00 avg300=0.00 total=1\nfull avg10=99.00", Double?.some(12.5)),
    ("full avg10=99.00", nil), ("some avg10=nan", nil), ("some avg10=101", nil), ("", nil),
  ])
  func `the share of waiting is read`(text: String, percent: Double?) {
    #expect(MemoryPressure.stalled(inPressure: text) == percent)
  }

  @Test func `the tightest group counts, of both versions`() {
    let files = [
      "/sys/fs/cgroup/a/b/memory.max": "max\n", "/sys/fs/cgroup/a/b/memory.current": "10\n",
      "/sys/fs/cgroup/a/memory.max": "1000\n", "/sys/fs/cgroup/a/memory.current": "400\n",
      "/sys/fs/cgroup/memory/x/memory.limit_in_bytes": "700\n",
      "/sys/fs/cgroup/memory/x/memory.usage_in_bytes": "690\n",
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
      "/sys/fs/cgroup/memory/memory.usage_in_bytes": "5\n",
    ]
    #expect(MemoryPressure.groupRoom(inMemberships: "0::/a/b\n") { files[$0] } == 600)
    #expect(
      MemoryPressure.groupRoom(inMemberships: "4:cpu,memory:/x\n0::/a/b\n") { files[$0] } == 10)
    #expect(MemoryPressure.groupRoom(inMemberships: "3:cpuset:/x\nrubbish\n") { files[$0] } == nil)
  }

  @Test func `a group that uses more than its limit has no room`() {
    let room = MemoryPressure.groupRoom(inMemberships: "0::/\n") { path in
      path.hasSuffix("max") ? "10\n" : "20\n"
    }
    #expect(room == 0)
  }

  @Test(arguments: [
    (UInt64?.some(99), Double?.none, false, true), (100, nil, false, false),
    (199, nil, true, true), (200, nil, true, false), (nil, nil, false, false),
    (1000, 21, false, true), (1000, 20, false, false), (1000, 6, true, true),
    (1000, 5, true, false),
  ])
  func `short memory has two thresholds, so that it does not flutter`(
    room: UInt64?, stalled: Double?, wasLow: Bool, isLow: Bool
  ) {
    let pressure = MemoryPressure(available: room, groupRoom: nil, stalled: stalled)
    #expect(pressure.isLow(threshold: 100, wasLow: wasLow) == isLow)
  }

  @Test func `this machine says how much it has`() {
    #expect((MemoryPressure.now().room ?? 0) > 1 << 20)
  }
}

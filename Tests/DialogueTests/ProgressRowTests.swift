import Dialogue
import ProgressReporting
import Testing

@Suite struct ProgressRowTests {
  private let start = ContinuousClock.now

  private func rows(_ meter: WorkMeter) -> [ProgressRow] {
    var rows = ProgressRows<ContinuousClock.Instant>()
    return rows.update(meter.snapshot(), at: start)
  }

  @Test func `shows work in steps as one row with the step's label`() {
    let root = WorkMeter("Delivering", unit: .items)
    let download = root.share(1).begin("Downloading…", total: 100)
    let extract = root.share(1)
    download.advance(by: 50)
    #expect(rows(root).map(\.label) == ["Downloading…"])
    #expect(rows(root)[0].fraction == 0.25)
    #expect(rows(root)[0].amount == "50 of 100 B")
    download.finish()
    let extracting = extract.begin("Extracting…", total: 4, unit: .files)
    extracting.advance(by: 1)
    #expect(rows(root).map(\.label) == ["Extracting…"])
    #expect(rows(root)[0].percent == "62%")
    #expect(rows(root)[0].amount == "1 of 4 files")
    extracting.finish()
    root.finish()
    #expect(rows(root).map(\.label) == ["Delivering"])
    #expect(rows(root)[0].fraction == 1)
  }

  @Test func `shows work at once in a row each`() {
    let root = WorkMeter("3 files", total: 30)
    let meters = (0..<3).map { root.share(10).begin("part \($0)", total: 10) }
    meters[1].advance(by: 5)
    meters[2].finish()
    #expect(rows(root).map(\.label) == ["3 files", "part 0", "part 1"])
    #expect(rows(root)[0].completed == 15)
    #expect(rows(root)[2].completed == 5)
  }

  @Test func `never shows weights as bytes`() {
    let root = WorkMeter("all")
    let first = root.share().begin("first", total: 1000)
    first.advance(by: 250)
    #expect(rows(root)[0].amount == "250 B of 1.00 kB")
    #expect(rows(root)[0].percent == "25%")
    let second = root.share().begin("second")
    #expect(rows(root)[0].amount == "250 B", "the size of the second is not known")
    second.setTotal(3000)
    #expect(rows(root)[0].amount == "250 B of 4.00 kB")
    first.finish()
    second.finish()
    root.finish()
    #expect(rows(root)[0].amount == "4.00 of 4.00 kB")
  }

  @Test func `shows no amount where units differ`() {
    let root = WorkMeter("all", unit: .items)
    let parts = [
      root.share().begin("a", total: 4), root.share().begin("b", total: 4, unit: .pages),
    ]
    #expect(rows(root).map(\.amount) == ["", "0 of 4 B", "0 of 4 pages"])
    #expect(rows(root)[0].sentence == "all: 0%")
    root.advance(by: 1)
    #expect(rows(root)[0].amount == "1 of 2 items")
    withExtendedLifetime(parts) {}
  }

  @Test func `counts the files of a list, with the speed of those at work`() {
    let root = WorkMeter("all")
    let list = root.share().begin("list", total: 3, unit: .files)
    let meters = (0..<3).map { list.share().begin("file \($0)", total: 10) }
    var rows = ProgressRows<ContinuousClock.Instant>()
    _ = rows.update(root.snapshot(), at: start)
    meters[0].finish()
    meters[1].advance(by: 5)
    let late = rows.update(root.snapshot(), at: start.advanced(by: .seconds(1)))
    #expect(late.map(\.label) == ["list", "file 1", "file 2"])
    #expect(late[0].amount == "1 of 3 files")
    #expect(late[0].percent == "50%")
    #expect(late[0].pace == "5 B/s")
    meters[1].finish()
    #expect(self.rows(root).map(\.label) == ["list", "file 2"], "one of many is not all of them")
  }

  @Test(arguments: [WorkUnit.items, .files, .pages])
  func `tells programs how many parts are done`(unit: WorkUnit) {
    let root = WorkMeter("all", total: 3, unit: unit)
    for number in 1...2 { root.share().begin("part \(number)", total: 10, unit: .pages).finish() }
    let row = rows(root)[0]
    #expect((row.completed, row.total, row.fraction) == (2, 3, 2.0 / 3))
    #expect(row.json.text.contains(#""completed":2,"total":3"#))
  }

  @Test func `counts bytes once, whatever their parts weigh`() {
    let root = WorkMeter("all", total: 20)
    root.share(10).begin("first", total: 1000).finish()
    let second = root.share(10).begin("second", total: 500)
    second.advance(by: 250)
    let third = root.share().begin("third", total: 500)
    #expect(rows(root)[0].completed == 1250)
    withExtendedLifetime(third) {}
  }

  @Test func `counts parts that did not begin yet`() {
    let root = WorkMeter("all", total: 5000)
    let part = root.share(2000).begin("part", total: 2000)
    let other = root.share(1000).begin("other", total: 1000)
    part.advance(by: 500)
    #expect(rows(root)[0].amount == "500 B of 5.00 kB")
    other.finish()
    #expect(rows(root).count == 1)
    #expect(rows(root)[0].amount == "500 B of 2.00 kB", "the only step at work tells its own")
  }

  @Test func `looks below a meter for the one at work`() {
    let root = WorkMeter("all")
    let outer = root.share().begin("outer")
    let inner = outer.share().begin("inner", total: 2)
    #expect(rows(root).map(\.label) == ["inner"])
    inner.finish()
    #expect(rows(root).map(\.label) == ["outer"])
  }

  @Test func `adds up the speed of parts`() {
    let root = WorkMeter("all", total: 200)
    let meters = (0..<2).map { root.share(100).begin("part \($0)", total: 100) }
    var rows = ProgressRows<ContinuousClock.Instant>()
    _ = rows.update(root.snapshot(), at: start)
    for meter in meters { meter.advance(by: 10) }
    let late = rows.update(root.snapshot(), at: start.advanced(by: .seconds(1)))
    #expect(late.map(\.pace) == ["20 B/s", "10 B/s", "10 B/s"])
    #expect(late[0].time == "0:09 left" || late[0].time == "0:08 left")
  }

  @Test(arguments: [
    (UInt64(1), UInt64?(2_000_000), WorkUnit.bytes, "1 B of 2.00 MB"),
    (1_500_000, 2_000_000, .bytes, "1.50 of 2.00 MB"), (1500, nil, .bytes, "1.50 kB"),
    (3, 7, .pages, "3 of 7 pages"), (3, nil, .files, "3 files"), (0, 0, .items, "0 of 0 items"),
  ])
  func `says how much there is`(_ done: UInt64, _ total: UInt64?, _ unit: WorkUnit, _ text: String)
  {
    #expect(ProgressRow(WorkSnapshot(completed: done, total: total, unit: unit)).amount == text)
  }

  @Test func `writes a sentence and an object`() {
    let snapshot = WorkSnapshot(label: "Testing", completed: 5, total: 10, fraction: 0.5)
    let row = ProgressRow(
      snapshot, speed: 2.4, remaining: .seconds(2), elapsed: .milliseconds(1234))
    #expect(row.sentence == "Testing: 50%, 5 of 10 B, 2 B/s, 0:02 left")
    #expect(
      row.json.text
        == #"{"event":"progress","label":"Testing","unit":"bytes","completed":5,"total":10,"#
        + #""fraction":0.5,"per_second":2,"seconds_left":2,"seconds":1.234}"#)
    let open = ProgressRow(WorkSnapshot(label: "", completed: 5), elapsed: .seconds(61))
    #expect(open.sentence == "5 B, 1:01")
  }
}

import ProgressReporting

let meter = WorkMeter("Counting", total: 2, unit: .items)
meter.advance(by: 1)
precondition(meter.snapshot().fraction == 0.5, "half of two is not one")

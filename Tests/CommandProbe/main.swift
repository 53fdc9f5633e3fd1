import CommandLineSupport

// A command for the tests of CommandLineSupport: it shows through a real process what the module
// does with descriptors, signals and terminals.
await CommandMain.run(Probe.spec) { context in try await Probe(context).run() }

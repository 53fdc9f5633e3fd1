import CommandLineSupport

await CommandMain.run(UnzipCommand.spec) { context in
  context.arguments.command == ZipInfoCommand.spec.name
    ? try await ZipInfoCommand(context).run() : try await UnzipCommand(context).run()
}

import CommandLineSupport

await CommandMain.run(UnzipCommand.spec) { context in
  let isZipInfo = context.arguments.command == ZipInfoCommand.spec.name
  return ExitStatus(
    isZipInfo ? try ZipInfoCommand(context).run() : try await UnzipCommand(context).run())
}

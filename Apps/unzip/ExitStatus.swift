import CommandLineSupport
import InfoZipForms

extension ExitStatus {
  /// Info-ZIP's number.
  init(_ status: UnzipStatus) { self.init(status.code) }
}

extension [CommandSpec.Outcome] {
  /// What the statuses mean, for the manual page.
  static var unzip: Self { UnzipStatus.meanings.map { .init(ExitStatus($0.status), $0.meaning) } }
}

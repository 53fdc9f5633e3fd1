import ZipKitCodecs
import ZipKitCore

// Methods that ZipKitCore alone does not decode.
var options = ZipArchive.Options()
options.registry = .complete
let archive = try ZipArchive(
  bytes: [0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 18), options: options)
precondition(archive.entries.isEmpty)

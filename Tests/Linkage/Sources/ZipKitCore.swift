import ZipKitCore

// An archive of nothing: the end record alone.
let archive = try ZipArchive(bytes: [0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 18))
precondition(archive.entries.isEmpty)

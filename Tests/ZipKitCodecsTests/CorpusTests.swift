import SystemIO
import Testing
import ZipKitCodecs
import ZipKitCore

/// The collection of real archives, where it is present.
enum Corpus {
  static let folder: String? = {
    let here = Path.parent(of: #filePath)
    let beside = Path.join(here, "../../../shared/corpus")
    return [Environment["COURIER_CORPUS"], beside].compactMap { $0 }
      .first { (try? FileDescriptor.open(Path.join($0, "zips/MANIFEST.tsv"))) != nil }
  }()

  static let passwords = [
    "passw0rd", "test", "secret", "lorem.txt", "password", "12345678", "1234", "foofoofoo",
    "swordfish", "helloworld",
  ].map { Array($0.utf8) }

  /// The paths of the archives whose tags hold one of these.
  static func archives(tagged wanted: Set<String>) throws -> [String] {
    guard let folder else { return [] }
    let bytes = try FileDescriptor.open(Path.join(folder, "zips/MANIFEST.tsv"))
      .readToEnd(limit: 1 << 22)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().compactMap {
      let fields = $0.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count > 15 else { return nil }
      let tags = Set(fields[15].split(separator: ",").map(String.init))
      return tags.isDisjoint(with: wanted) ? nil : String(fields[0])
    }
  }

  static func open(_ name: String) throws -> ZipArchive {
    var options = ZipArchive.Options()
    options.registry = .complete
    return try ZipArchive(path: Path.join(folder ?? "", "zips/" + name), options: options)
  }
}

@Suite(.enabled(if: Corpus.folder != nil, "the corpus is not here"))
struct CorpusTests {
  /// Entries that are not to be decoded, and why.
  static let exceptions: [String: [ZipError.Code: Int]] = [
    // Nobody says the password.
    "dotnet+runtime-assets/PasswordProtectedZipArchives/PasswordProtected_MixedEncryptions.zip": [
      .passwordWrong: 2
    ],
    "thejoshwolfe+yauzl/success/traditional-encryption-and-compression.zip": [.passwordWrong: 1],
    "thejoshwolfe+yauzl/success/traditional-encryption.zip": [.passwordWrong: 1],
    // Flagged as encrypted and plain.
    "zip-rs+zip2/ignore_encryption_flag.zip": [.passwordWrong: 1],
    // Damaged on purpose.
    "gildas-lormeau+zip.js/malformed-aes-strength.zip": [.methodUnsupported: 1],
    "nih-at+libzip/hmac-error.zip": [.authenticationMismatch: 1],
    "nih-at+libzip/testbzip2broken.zip": [.dataDamaged: 1],
    // Declares 394,571 compressed bytes in a file of 724.
    "zip-rs+zip2/raw_deflate64_index_out_of_bounds.zip": [.dataTruncated: 1],
  ]

  @Test
  func `Every entry of every archive with a method or cipher of ours is decoded and verified`()
    async throws
  {
    let names = try Corpus.archives(tagged: [
      "aes", "bzip2", "dcl-implode", "deflate64", "implode", "lzma", "ppmd", "reduce1", "reduce2",
      "reduce3",
      "reduce4", "shrink", "winzip-aes", "xz", "zipcrypto", "zstd", "zstd-old",
    ])
    #expect(names.count > 40)
    var options = ExtractionOptions()
    options.passwords = Corpus.passwords
    for name in names {
      let archive = try Corpus.open(name)
      let report = try await archive.verify(options: options)
      var failures: [ZipError.Code: Int] = [:]
      for outcome in report.outcomes where outcome.status != .done {
        failures[outcome.problems.first?.code ?? .cancelled, default: 0] += 1
      }
      #expect(failures == Self.exceptions[name, default: [:]], "\(name)")
    }
  }
}

import Glibc
import SystemIO

/// A program that downloads, and how it is told what a row needs.
package struct TruthClient: Sendable {
  package var name: String
  package var path: String
  /// Told always.
  var common: [String]
  /// Told where the file goes: a path, or a directory for the server's name.
  var file: @Sendable (String) -> [String]
  /// The same where the URL has the file's name, for programs that make a file before they have one when told
  /// its path.
  var fileOfURL: (@Sendable (String) -> [String])?
  var directory: @Sendable (String) -> [String]
  /// Told to go on with what is there.
  var resume: [String] = []
  /// Says a need; `nil` where the program has no words for it.
  var translate: @Sendable (TruthNeed) -> [String]?
  /// Whether an earlier run's bytes are in a part and a journal of its own.
  package var keepsJournal = false

  /// Where a program is, or `nil`.
  private static func find(_ name: String) -> String? {
    ["/usr/local/bin/", "/usr/bin/", "/bin/"].map { $0 + name }.first { FileSystem.exists($0) }
  }

  /// The other programs, those of them that are installed.
  package static var peers: [TruthClient] {
    [("curl", curl), ("wget", wget), ("wget2", wget2), ("aria2c", aria2)].compactMap {
      name, make in find(name).map(make)
    }
  }

  /// What it is told always, as one types it.
  package var commonWords: String {
    (common + (fileOfURL ?? file)("DIR/FILE")).joined(separator: " ")
  }

  /// Name and version, as it tells them.
  package var version: String {
    let told = (try? TruthProcess(path, ["--version"]).run(.seconds(20)))?.output ?? ""
    let line = told.prefix { !$0.isNewline }
    let number = line.split(separator: " ").first { $0.first?.isNumber == true }
    return number.map { "\(name) \($0)" } ?? name
  }

  /// The command line of a scene without what runs it differently; `nil`: it cannot be said.
  func arguments(_ scene: TruthScene, _ stage: TruthStage, resumes: Bool) -> [String]? {
    var result = common + (resumes ? resume : [])
    for need in scene.needs where !need.isSurrounding {
      guard let words = translate(need) else { return nil }
      result += words
    }
    let place = scene.directory ?? stage.directory
    let target = scene.device ?? scene.name.map { Path.join(place, $0) }
    let isPlain = scene.device == nil && !scene.isNameFixed
    let say = isPlain ? fileOfURL ?? file : file
    result += target.map(say) ?? directory(place)
    return result + urls(scene, stage)
  }

  private func urls(_ scene: TruthScene, _ stage: TruthStage) -> [String] {
    for case .mirrors(let others, _) in scene.needs where !keepsJournal {
      return [scene.url] + others
    }
    return keepsJournal && scene.needs.contains(where: \.isManifest) ? [] : [scene.url]
  }
}

extension TruthNeed {
  /// Whether it is about what surrounds the program, not about its arguments.
  var isSurrounding: Bool {
    switch self {
    case .unprivileged, .resolver, .hosts, .isolation, .fileSize: true
    default: false
    }
  }

  var isManifest: Bool {
    if case .mirrors = self { true } else { false }
  }

  /// The program that puts another one into its surroundings, with arguments.
  var surroundings: [String] {
    switch self {
    case .unprivileged where geteuid() != 0: []
    case .unprivileged:
      ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    case .resolver(let file): Self.mounted(file, "/etc/resolv.conf")
    case .hosts(let file): Self.mounted(file, "/etc/hosts")
    case .isolation: ["/usr/bin/unshare", "--map-root-user", "--net"]
    case .fileSize(let bytes): ["/usr/bin/prlimit", "--fsize=\(bytes)"]
    default: []
    }
  }

  private static func mounted(_ file: String, _ place: String) -> [String] {
    let script = "mount --bind \"$1\" \"$2\" && shift 2 && exec \"$@\""
    return ["/usr/bin/unshare", "--map-root-user", "--mount", "/bin/sh", "-c", script, "sh"]
      + [file, place]
  }
}

// MARK: - Ours

extension TruthClient {
  /// The command `fetch` at a path.
  package static func fetch(_ path: String) -> TruthClient {
    TruthClient(
      name: "fetch", path: path,
      common: [
        "--json", "--progress", "none", "--retry", "1", "--retry-max-time", "5s",
        "--connect-timeout", "20s", "--stall-timeout", "20s",
      ],
      file: { ["-o", $0] }, directory: { ["-d", $0] },
      translate: { need in
        switch need {
        case .impatience: ["--connect-timeout", "2s", "--stall-timeout", "2s"]
        case .patience(let tries): ["--retry", "\(tries - 1)"]
        case .sizeLimit(let bytes): ["--max-size", "\(bytes)"]
        case .credentials(let user, let password): ["-u", "\(user):\(password)"]
        case .field(let field): ["-H", field]
        case .rawCoding: ["--decode", "off"]
        case .proxy(let url): ["-x", url]
        case .authority(let file): ["--cacert", file]
        case .pin(let digest): ["--pinned-key", "sha256//\(digest)"]
        case .cookies(let file): ["-b", file]
        case .checksum(let digest): ["--checksum", "sha256:\(digest)"]
        case .replacing: ["--existing", "replace"]
        case .http2: ["--http2"]
        case .connections(let count): ["-n", "\(count)"]
        // Mirrors are in a list, and the rest is as it is.
        default: []
        }
      }, keepsJournal: true)
  }
}

// MARK: - Peers, each told to try twice, to wait two seconds, and to fail where the status is no success

extension TruthClient {
  private static func curl(_ path: String) -> TruthClient {
    TruthClient(
      name: "curl", path: path,
      common: [
        "-sS", "-f", "-L", "--compressed", "--retry", "1", "--retry-max-time", "5",
        "--connect-timeout", "2", "--speed-time", "2", "--speed-limit", "100",
      ],
      file: { ["-o", $0] }, directory: { ["-OJ", "--output-dir", $0] }, resume: ["-C", "-"],
      translate: { need in
        switch need {
        case .patience(let tries): ["--retry", "\(tries - 1)"]
        case .impatience, .replacing: []
        case .sizeLimit(let bytes): ["--max-filesize", "\(bytes)"]
        case .credentials(let user, let password): ["-u", "\(user):\(password)"]
        case .field(let field): ["-H", field]
        case .proxy(let url): ["-x", url]
        case .authority(let file): ["--cacert", file]
        case .pin(let digest): ["--pinnedpubkey", "sha256//\(digest)"]
        case .cookies(let file): ["-b", file]
        case .http2: ["--http2"]
        default: nil
        }
      })
  }

  private static func wget(_ path: String) -> TruthClient {
    TruthClient(
      name: "wget", path: path,
      common: [
        "-nv", "--no-config", "--tries=2", "--timeout=2", "--waitretry=1", "--compression=auto",
      ],
      file: { ["-O", $0] }, fileOfURL: { ["-P", Path.parent(of: $0)] },
      directory: { ["--content-disposition", "-P", $0] }, resume: ["-c"],
      translate: { need in
        switch need {
        case .patience(let tries): ["--tries=\(tries)"]
        case .impatience, .replacing: []
        case .credentials(let user, let password): ["--user=\(user)", "--password=\(password)"]
        case .field(let field): ["--header=\(field)"]
        case .proxy(let url) where url.hasPrefix("http"):
          ["-e", "use_proxy=yes", "-e", "http_proxy=\(url)", "-e", "https_proxy=\(url)"]
        case .authority(let file): ["--ca-certificate=\(file)"]
        case .pin(let digest): ["--pinnedpubkey=sha256//\(digest)"]
        case .cookies(let file): ["--load-cookies=\(file)"]
        default: nil
        }
      })
  }

  private static func wget2(_ path: String) -> TruthClient {
    TruthClient(
      name: "wget2", path: path,
      common: ["-nv", "--no-config", "--tries=2", "--timeout=2", "--waitretry=1"],
      file: { ["-O", $0] }, directory: { ["--content-disposition", "-P", $0] }, resume: ["-c"],
      translate: { need in
        switch need {
        case .patience(let tries): ["--tries=\(tries)"]
        case .impatience, .replacing, .http2: []
        case .credentials(let user, let password):
          ["--http-user=\(user)", "--http-password=\(password)"]
        case .field(let field): ["--header=\(field)"]
        case .proxy(let url) where url.hasPrefix("http"):
          ["--http-proxy=\(url)", "--https-proxy=\(url)"]
        case .authority(let file): ["--ca-certificate=\(file)"]
        case .cookies(let file): ["--load-cookies=\(file)"]
        default: nil
        }
      })
  }

  private static func aria2(_ path: String) -> TruthClient {
    TruthClient(
      name: "aria2c", path: path,
      common: [
        "-q", "--no-conf", "--max-tries=2", "--retry-wait=1", "--timeout=2", "--connect-timeout=2",
        "--lowest-speed-limit=100", "--http-accept-gzip=true", "--auto-file-renaming=false",
        "--file-allocation=none",
      ],
      file: { ["-d", Path.parent(of: $0), "-o", Path.name(of: $0)] }, directory: { ["-d", $0] },
      resume: ["-c"],
      translate: { need in
        switch need {
        case .patience(let tries): ["--max-tries=\(tries)"]
        case .impatience: []
        case .replacing: ["--allow-overwrite=true"]
        case .credentials(let user, let password):
          ["--http-user=\(user)", "--http-passwd=\(password)"]
        case .field(let field): ["--header=\(field)"]
        case .proxy(let url) where url.hasPrefix("http"): ["--all-proxy=\(url)"]
        case .authority(let file): ["--ca-certificate=\(file)"]
        case .cookies(let file): ["--load-cookies=\(file)"]
        case .connections(let count):
          ["-x", "\(count)", "-s", "\(count)", "--min-split-size=1M"]
        case .checksum(let digest), .mirrors(_, let digest): ["--checksum=sha-256=\(digest)"]
        default: nil
        }
      })
  }
}

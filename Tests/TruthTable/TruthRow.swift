package import TestSupport

/// One way in which a server, a network or a disk misbehaves, and what a truthful downloader makes of it.
package struct TruthRow: Sendable, CustomStringConvertible {
  /// What is right.
  package enum Right: Sendable {
    /// This very file, and success.
    case file([UInt8])
    /// Success without a file, where the bytes go to a device.
    case delivered
    /// No file under its name, and this CFNetwork number and exit status.
    case failure(Int, exit: Int32)

    package static let whole = Right.file(TruthRow.body)
  }

  /// What is left of a part after a failure.
  package enum Part: Sendable { case gone, kept, either }

  /// The number of the case; some have several rows.
  package var id: Int
  /// What the server does.
  package var server: String
  package var right: Right
  /// libcurl's number in the error, where libcurl saw the trouble; `nil` where a check of our own did.
  ///
  /// Some come as one or the other, depending on what the kernel tells first.
  package var curl: [Int?]
  package var part = Part.either
  /// How many requests the servers may see.
  package var requests: ClosedRange<Int>
  /// How many connections are made, where that says more.
  package var connections: ClosedRange<Int>?
  /// How long it may take at most, on a busy machine.
  package var bound: Duration = .seconds(60)
  /// Whether an earlier run left the first 500 bytes.
  package var resumes = false
  package var setUp: @Sendable (TruthStage) throws -> TruthScene

  package var description: String { "\(id): \(server)" }

  /// The file that a good server sends.
  package static let body: [UInt8] = pattern(1000)

  /// Bytes that do not repeat within a thousand.
  package static func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &* 7) }
  }

  /// A row with a stage of its own.
  package init(
    _ id: Int, _ server: String, _ right: Right, curl: [Int?] = [nil], part: Part = .either,
    requests: ClosedRange<Int> = 1...1, connections: ClosedRange<Int>? = nil, resumes: Bool = false,
    scene: @escaping @Sendable (TruthStage) throws -> TruthScene
  ) {
    self.id = id
    self.server = server
    self.right = right
    self.curl = curl
    self.part = part
    self.requests = requests
    self.connections = connections
    self.resumes = resumes
    setUp = scene
  }

  /// A row with one plain server.
  package init(
    _ id: Int, _ server: String, _ right: Right, curl: [Int?] = [nil], part: Part = .either,
    requests: ClosedRange<Int> = 1...1, connections: ClosedRange<Int>? = nil, resumes: Bool = false,
    needs: [TruthNeed] = [], greeting: [FaultServer.Step]? = nil,
    _ script: @escaping @Sendable (FaultServer.Request) -> [FaultServer.Step]
  ) {
    self.init(
      id, server, right, curl: curl, part: part, requests: requests, connections: connections,
      resumes: resumes
    ) { stage in
      let server = try stage.serve(greeting: greeting, script)
      return TruthScene(server.url(), needs)
    }
  }

  /// Every case of the table.
  package static let all: [TruthRow] =
    connections + heads + framing + codings + redirects + statuses + ranges + names + places
    + locals + proxies + tls + http2

  /// The numbers of the cases.
  package static let ids = 1...124
}

/// What a client is told besides the URL.
package enum TruthNeed: Hashable, Sendable {
  /// Waits seconds only, for servers that keep silent.
  case impatience
  /// So many tries in all instead of two.
  case patience(tries: Int)
  case sizeLimit(Int)
  case credentials(user: String, password: String)
  /// A field of the request, `Name: value`.
  case field(String)
  /// Content codings are not taken off.
  case rawCoding
  case proxy(String)
  /// A PEM file of trusted certificates.
  case authority(String)
  /// The SHA-256 of the server's public key, in base64.
  case pin(String)
  case cookies(String)
  /// The SHA-256 of the file in hexadecimal.
  case checksum(sha256: String)
  /// Other places of the file, and its SHA-256 in hexadecimal.
  case mirrors([String], sha256: String)
  /// An existing file is replaced.
  case replacing
  case http2
  case connections(Int)
  /// The file has another name until it is whole.
  case partFile
  /// The client is not root.
  case unprivileged
  /// `/etc/resolv.conf` is this file for the client.
  case resolver(String)
  /// `/etc/hosts` is this file for the client.
  case hosts(String)
  /// The client has no network.
  case isolation
  /// Files of the client may have so many bytes.
  case fileSize(Int)
}

/// A row made ready: where a client is sent, and what it is told.
package struct TruthScene: Sendable {
  package var url: String
  package var needs: [TruthNeed]
  /// Where the file is to land; `nil`: the directory of the stage.
  package var directory: String?
  /// The file's name, or `nil` where the server gives it.
  package var name: String? = "file"
  /// A device that is written to instead of a file.
  package var device: String?
  /// Whether the name is insisted on, also where something has it already.
  package var isNameFixed = false
  /// Whether a name that the server gave does no harm.
  package var accepts: @Sendable (String) -> Bool = { _ in true }
  /// The name that ours makes of it.
  package var ourName: String?
  /// Looks at what else must be so afterwards; tells what is not.
  package var check: @Sendable () -> String? = { nil }

  package init(_ url: String, _ needs: [TruthNeed] = []) {
    self.url = url
    self.needs = needs
  }
}

/// Why a row cannot be made on this machine.
package struct TruthUnavailable: Error, CustomStringConvertible {
  package var description: String
}

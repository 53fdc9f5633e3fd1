import NetworkCore
import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite("An FTP server", .timeLimit(.minutes(2)))
struct FTPTests {
  static let body = pattern(5000)

  // Serves one file as an FTP server does, except for the replies that are given in place of the usual
  // ones; `GREETING` is no command. With a cut, so many bytes are sent before the data connection ends.
  private func server(_ replies: [String: String] = [:], cut: Int? = nil) throws -> TalkServer {
    try TalkServer { talk in
      var offset = 0
      var data: TalkServer?
      talk.send(line: replies["GREETING"] ?? "220 ready")
      while let line = talk.readLine() {
        let command = line.split(separator: " ").first.map(String.init) ?? ""
        if let reply = replies[command] {
          talk.send(line: reply)
          continue
        }
        switch command {
        case "USER": talk.send(line: "331 password please")
        case "PASS": talk.send(line: "230 come in")
        case "PWD": talk.send(line: "257 \"/\" is here")
        case "CWD", "TYPE": talk.send(line: "200 yes")
        case "SIZE": talk.send(line: "213 \(Self.body.count)")
        case "MDTM": talk.send(line: "213 20260102030405")
        case "REST":
          offset = Int(line.dropFirst(5)) ?? 0
          talk.send(line: "350 from there")
        case "EPSV":
          let start = offset
          data = try? TalkServer { $0.send(Array(Self.body[start..<(cut ?? Self.body.count)])) }
          talk.send(line: "229 here (|||\(data?.port ?? 0)|)")
        case "RETR":
          talk.send(line: "150 here it comes")
          // The other thread sends; the end of its connection is the end of the file.
          while data?.connectionCount == 0 { Loopback.sleep(.milliseconds(1)) }
          talk.send(line: cut == nil ? "226 done" : "426 broken off")
        case "QUIT":
          talk.send(line: "221 bye")
          return
        default: talk.send(line: "500 what?")
        }
      }
    }
  }

  private func url(_ server: TalkServer, _ login: String = "") -> String {
    "ftp://\(login)127.0.0.1:\(server.port)/dir/file"
  }

  @Test func `gives a file`() async throws {
    let server = try server()
    #expect(try await Trial.download(url(server)).file == Self.body)
  }

  /// Replies, the number they amount to, what libcurl calls it, and the reply that is told.
  static let refusals: [([String: String], NetworkErrorCode, CurlCode, Int)] = [
    (["GREETING": "500 go away"], .ftpUnexpectedStatusCode, .weirdServerReply, 500),
    (["PASS": "530 not you"], .userAuthenticationRequired, .loginDenied, 530),
    (["CWD": "550 no such place"], .noPermissionsToReadFile, .remoteAccessDenied, 550),
    (["RETR": "550 no such file"], .fileDoesNotExist, .remoteFileNotFound, 550),
    (
      ["EPSV": "502 no", "PASV": "502 no"], .ftpUnexpectedStatusCode, .ftpWeirdPasvReply, 502
    ),
    (
      ["EPSV": "502 no", "PASV": "227 nonsense"], .ftpUnexpectedStatusCode, .ftpWeird227Format, 227
    ),
    (["TYPE": "504 no"], .ftpUnexpectedStatusCode, .ftpCouldntSetType, 504),
  ]

  @Test(arguments: refusals)
  func `that refuses has a number for each reason, and its reply is told`(
    replies: [String: String], code: NetworkErrorCode, curl: CurlCode, reply: Int
  ) async throws {
    let server = try server(replies)
    let error = try await Trial.download(url(server, "me:pa55@")).failed(code)
    #expect(error.curlCode == curl, "\(error.detailedDescription)")
    #expect(error.ftpReply == reply, "\(error.detailedDescription)")
    #expect(error.httpStatus == nil)
    #expect(!error.detailedDescription.contains("pa55"))
    #expect(error.cause?.code == (curl == .loginDenied ? .httpBadCredentials : nil))
  }

  @Test func `that breaks off in the middle leaves no file`() async throws {
    let server = try server(cut: 3000)
    let error = try await Trial.download(url(server)).failed(.networkConnectionLost)
    #expect(error.isRetryable)
    #expect(error.byteOffset == 3000)
  }

  @Test func `that breaks off is asked for the rest only`() async throws {
    let (first, rest) = (try server(cut: 3000), try server())
    let count = Mutex(0)
    // Both are one server to the client: the first connection is broken, the second is not.
    let front = try TalkServer { talk in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      talk.relay(to: (isFirst ? first : rest).port)
    }
    let trial = try await Trial.download(url(front), retries: 1)
    #expect(trial.file == Self.body, "\(String(describing: trial.error))")
    #expect(count.withLock { $0 } == 2)
  }

  @Test func `is read as a stream, too`() async throws {
    let server = try server()
    var settings = TransferSettings()
    settings.proxy = ""
    #expect(try await NetworkSession().read(url(server), settings: settings) == Self.body)
  }

  @Test func `that knows no sizes gives a file all the same`() async throws {
    let server = try server(["SIZE": "500 what?"])
    #expect(try await Trial.download(url(server)).file == Self.body)
  }

  @Test(.enabled(if: ServerProgram.Kind.vsftpd.path != nil, "vsftpd is not installed"))
  func `of Debian`() async throws {
    let root = try TemporaryDirectory()
    try root.write("pub/file", Self.body)
    for name in ["pub", "."] { root.setMode(name, 0o555) }
    let ftp = try ServerProgram(.vsftpd, arguments: { [$0] }) { port, _ in
      """
      listen=YES
      listen_address=127.0.0.1
      listen_port=\(port)
      background=NO
      anonymous_enable=YES
      local_enable=NO
      no_anon_password=YES
      anon_root=\(root.path)
      connect_from_port_20=NO
      run_as_launching_user=YES
      seccomp_sandbox=NO
      xferlog_enable=NO
      """
    }
    let base = "ftp://127.0.0.1:\(ftp.port)/pub"
    #expect(try await Trial.download("\(base)/file").file == Self.body)
    let missing = try await Trial.download("\(base)/no").failed(.fileDoesNotExist)
    #expect(missing.ftpReply == 550)
    #expect(missing.exitStatus == 8)
    let refused = try await Trial.download("ftp://me:no@127.0.0.1:\(ftp.port)/pub/file")
      .failed(.userAuthenticationRequired)
    #expect(refused.ftpReply == 530)
    #expect(refused.exitStatus == 6)
  }
}

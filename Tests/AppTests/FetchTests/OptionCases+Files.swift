import SystemIO
import TestSupport
import Testing

private let abc = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

private func answer(_ text: String, _ fields: String = "") -> [FaultServer.Step] {
  [.text("HTTP/1.1 200 OK\nContent-Length: \(text.utf8.count)\n\(fields)\n\(text)")]
}

extension OptionCase {
  static let files: [OptionCase] = [
    OptionCase("output") { bench in
      try await bench.expect(0, "-o", bench.aside.path("x"), bench.url)
      #expect(try bench.aside.read("x") == bench.world.body)
      let printed = try await bench.expect(0, "--output=-", bench.url)
      #expect(printed.output == String(decoding: bench.world.body, as: UTF8.self))
      try await bench.expect(0, "-o", "/dev/null", bench.url)
      try await bench.expect(2, "-o", "x", bench.url, bench.url)
      #expect(try bench.world.names.isEmpty)
    },
    OptionCase("directory") { bench in
      try await bench.expect(0, "--directory", bench.aside.path, bench.url)
      #expect(try bench.aside.read("f") == bench.world.body)
      try await bench.expect(3, "-d", bench.aside.path("none"), bench.url)
    },
    OptionCase("existing") { bench in
      try bench.folder.write("f", text: "old")
      try await bench.expect(3, bench.url)
      try await bench.expect(3, "--existing", "fail", bench.url)
      try await bench.expect(0, "--existing", "skip", bench.url)
      #expect(try bench.folder.read("f") == Array("old".utf8))
      try await bench.expect(0, "--existing", "rename", bench.url)
      #expect(try bench.world.names == ["f", "f (1)"])
      try await bench.expect(0, "--existing", "replace", bench.url)
      #expect(try bench.folder.read("f") == bench.world.body)
      try await bench.expect(2, "--existing", "keep", bench.url)
    },
    OptionCase("resume", "no-resume", "continue", "retry") { request in
      request.number == 0
        ? FetchWorld.stuck(pattern(1_000_000), after: 600_000).dropLast() + [.reset] : nil
    } check: { bench in
      // A reset may take away what was sent and not read, so that only the request tells.
      try await bench.expect(4, "--retry", "0", bench.url)
      let left = (try? bench.folder.read("f.part").count) ?? 0
      try await bench.expect(0, left > 0 ? "--no-resume" : "-c", bench.url)
      #expect(bench.last?.range == nil)
      try await bench.expect(0, "-c", "--resume", "--existing=replace", bench.url)
    },
    OptionCase("adopt-part") { request in
      request.path == "/f" ? FetchWorld.stuck(pattern(1_000_000), after: 600_000) : nil
    } check: { bench in
      let target = bench.folder.path("f")
      try await bench.expect(4, "--retry=0", "--stall-timeout", "3s", "-o", target, bench.url)
      try await bench.expect(3, "-o", target, bench.server.url("/g"))
      try await bench.expect(0, "--adopt-part", "-o", target, bench.server.url("/g"))
      #expect((bench.last?.range?.first ?? 0) > 100_000)
      #expect(try bench.folder.read("f") == pattern(1_000_000))
    },
    OptionCase("server-time") { _ in
      answer("x", "Last-Modified: Sat, 01 Jan 2000 00:00:00 GMT\n")
    } check: { bench in
      try await bench.expect(0, "--server-time", bench.url)
      #expect(try FileSystem.status(bench.folder.path("f")).modified.seconds == 946_684_800)
      try await bench.expect(0, "--existing", "replace", bench.url)
      #expect(try FileSystem.status(bench.folder.path("f")).modified.seconds > 946_684_800)
    },
    OptionCase("xattr") { bench in
      try await bench.expect(0, "--xattr", bench.server.url("/f?token=t0p"))
      let file = try FileDescriptor.open(bench.folder.path("f"))
      // A file system without them is no error.
      guard let origin = try? file.attribute("user.xdg.origin.url") else { return }
      #expect(String(decoding: origin, as: UTF8.self) == bench.server.url("/f?token=***"))
    },
    OptionCase("max-size") { bench in
      try await bench.expect(10, "--max-size", "8", bench.url)
      #expect(try bench.world.names.isEmpty)
      try await bench.expect(0, "--max-size", "9", bench.url)
    },
    OptionCase("decode") { _ in
      // "hello\n" as gzip writes it.
      let bytes: [UInt8] = [
        0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xe7, 2, 0, 0x20, 0x30,
        0x3a, 0x36, 6, 0, 0, 0,
      ]
      return [
        .text("HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: \(bytes.count)\n\n"),
        .send(bytes),
      ]
    } check: { bench in
      try await bench.expect(0, bench.url)
      #expect(try bench.folder.read("f") == Array("hello\n".utf8))
      try await bench.expect(0, "--decode", "off", "--existing", "replace", bench.url)
      #expect(try bench.folder.read("f").prefix(2) == [0x1f, 0x8b])
      try await bench.expect(0, "--decode=auto", "--existing=replace", bench.url)
      #expect(try bench.folder.read("f").count == 6)
    },
    OptionCase("extract") { bench in
      // What it does is tested beside its library; here, that it stands alone.
      try await bench.expect(2, "--extract", bench.aside.path, "-o", "x", bench.url)
      try await bench.expect(2, "--extract", bench.aside.path, "--dry-run", bench.url)
    },
  ]

  static let lists: [OptionCase] = [
    OptionCase("input-file", "jobs", "shard") { bench in
      let list = try bench.aside.write(
        "list", text: "\(bench.server.url("/a"))\n# no\n\(bench.server.url("/b"))\n")
      try await bench.expect(0, "--input-file", list, "--jobs", "2")
      #expect(try bench.world.names == ["a", "b"])
      try await bench.expect(0, "-i", list, "--shard", "2/2", "-d", bench.aside.path)
      #expect(FileSystem.exists(bench.aside.path("b")))
      #expect(!FileSystem.exists(bench.aside.path("a")))
      try await bench.expect(2, "--shard", "1/2", bench.url)
      try await bench.expect(2, "-j", "0", "-i", list)
      try await bench.expect(2, "-o", "x", "-i", list)
      try await bench.expect(2, "--checksum", abc, "-i", list)
    },
    OptionCase("checksum") { _ in
      answer("abc")
    } check: { bench in
      let md5 = "md5:900150983cd24fb0d6963f7d28e17f72"
      try await bench.expect(0, "--checksum", abc, "--checksum", md5, bench.url)
      let count = bench.server.requests.count
      try await bench.expect(0, "--checksum", abc, "-o", bench.folder.path("f"), bench.url)
      #expect(bench.server.requests.count == count, "the file is there, and is the one")
      let wrong = "sha256:" + String(repeating: "0", count: 64)
      try await bench.expect(3, "--checksum", wrong, bench.url)
      try await bench.expect(9, "--checksum", wrong, "-d", bench.aside.path, bench.url)
      #expect(try FileSystem.names(in: bench.aside.path).isEmpty)
      let streamed = try await bench.expect(9, "--checksum", wrong, "-o", "-", bench.url)
      #expect(streamed.errors.contains("expected sha256 0000"))
      try await bench.expect(2, "--checksum", "sha256:12", bench.url)
    },
    OptionCase("checksum-file") { request in
      request.path == "/SUMS" ? answer(abc.dropFirst(7) + "  f\n") : answer("abc")
    } check: { bench in
      let sums = try bench.aside.write("SUMS", text: abc.dropFirst(7) + " *f\n")
      try await bench.expect(0, "--checksum-file", sums, bench.url)
      try await bench.expect(
        0, "--checksum-file", bench.server.url("/SUMS"), "--existing", "replace", bench.url)
      let other = try await bench.expect(2, "--checksum-file", sums, bench.server.url("/g"))
      #expect(other.errors.contains("expected a checksum for the file"))
    },
    OptionCase("connections") { bench in
      for count in ["auto", "1", "64"] {
        try await bench.expect(0, "-n", count, "--existing", "replace", bench.url)
      }
      for bad in ["0", "65", "many"] { try await bench.expect(2, "--connections", bad, bench.url) }
    },
  ]
}

/// What the kernel's routing tables say.
package enum NetworkRoutes {
  /// Whether there is a way to anywhere but this machine: a default route that is up, in IPv4 or IPv6.
  ///
  /// `true` where the tables cannot be read.
  package static var leadOut: Bool {
    let old = lines("/proc/net/route").map { $0.dropFirst().contains(where: isDefault) }
    let new = lines("/proc/net/ipv6_route").map { $0.contains(where: isDefault6) }
    guard old != nil || new != nil else { return true }
    return (old ?? false) || (new ?? false)
  }

  private static func lines(_ path: String) -> [[String]]? {
    guard let file = try? FileDescriptor.open(path), let bytes = try? file.readToEnd(limit: 1 << 22)
    else { return nil }
    return bytes.split(separator: UInt8(ascii: "\n")).map { line in
      String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\t" }.map(String.init)
    }
  }

  private static let isUp: UInt32 = 0x1
  private static let isReject: UInt32 = 0x200

  /// Interface, destination, gateway, flags, …, mask in field 7; numbers in hexadecimal.
  private static func isDefault(_ fields: [String]) -> Bool {
    fields.count > 7 && fields[1] == "00000000" && fields[7] == "00000000"
      && serves(fields[3], fields[0])
  }

  /// Destination, its prefix length, …, flags in field 8, interface in field 9.
  private static func isDefault6(_ fields: [String]) -> Bool {
    fields.count > 9 && fields[0].allSatisfy { $0 == "0" } && fields[1] == "00"
      && serves(fields[8], fields[9])
  }

  private static func serves(_ flags: String, _ interface: String) -> Bool {
    guard let flags = UInt32(flags, radix: 16) else { return false }
    return flags & isUp != 0 && flags & isReject == 0 && interface != "lo"
  }
}

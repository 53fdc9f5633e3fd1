internal import SystemIO

/// Mode, times and owner of an entry, made ready for the disk.
struct FileAttributes {
  /// Permission bits for the new file.
  var mode: UInt32
  /// Whether `mode` holds exactly, rather than before the process's creation mask.
  var isExact: Bool
  var modified: FileTime?
  var accessed: FileTime?
  var owner: EntryOwner?
}

/// Reads attributes out of headers; one for each worker, as it remembers time zone look-ups.
struct AttributeReader {
  private let core: ArchiveCore
  private let options: ExtractionOptions
  // mktime(3) looks at /etc/localtime each time; files packed together share hours.
  private var hours: [UInt32: Int64] = [:]

  init(_ core: ArchiveCore, _ options: ExtractionOptions) {
    self.core = core
    self.options = options
  }

  mutating func attributes(
    _ index: Int, _ header: CentralHeader, isDirectory: Bool = false
  ) -> FileAttributes {
    var result: FileAttributes
    if let mode = core.unixMode(index, header), mode & 0o7777 != 0 || mode & 0o170000 != 0 {
      let kept: UInt32 = options.keepsSpecialBits ? 0o7777 : 0o777
      result = FileAttributes(mode: UInt32(mode) & kept, isExact: true)
    } else {
      let readOnly = header.externalAttributes & 1 != 0
      let mode: UInt32 = isDirectory ? 0o777 : readOnly ? 0o444 : 0o666
      result = FileAttributes(mode: mode, isExact: false)
    }
    if options.setsTimes, !isDirectory || options.setsDirectoryTimes {
      setTimes(&result, index, header)
    }
    if options.setsOwner, header.extraLength > 0 {
      result.owner = core.owner(index, header)
    }
    return result
  }

  mutating func modified(_ index: Int, _ header: CentralHeader) -> FileTime {
    var result = FileAttributes(mode: 0, isExact: false)
    setTimes(&result, index, header)
    return result.modified ?? FileTime(seconds: 0)
  }

  private mutating func setTimes(
    _ result: inout FileAttributes, _ index: Int, _ header: CentralHeader
  ) {
    if header.extraLength > 0 {
      let times = core.times(index, header)
      result.accessed = times.accessed.map(FileTime.init)
      if let modified = times.modified {
        result.modified = FileTime(modified)
        return
      }
    }
    let time = DOSDateTime(date: header.dosDate, time: header.dosTime)
    let key = UInt32(time.date) << 16 | UInt32(time.hour)
    let hour: Int64
    if let known = hours[key] {
      hour = known
    } else {
      hour =
        LocalTime.instant(
          of: DOSDateTime(date: time.date, time: UInt16(time.hour) << 11)
        ).seconds
      hours[key] = hour
    }
    result.modified = FileTime(seconds: hour + Int64(time.minute * 60 + time.second))
  }
}

extension FileTime {
  init(_ instant: EntryInstant) {
    self.init(seconds: instant.seconds, nanoseconds: Int64(instant.nanoseconds))
  }
}

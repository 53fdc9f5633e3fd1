internal import SystemIO

/// Bytes with positioned reads: a file, memory, or anything else that can answer "these bytes from there".
///
/// Reads come from many threads at once and must not share a position.
public protocol ArchiveSource: Sendable {
  /// The length in bytes; it must not change while an archive is open on the source.
  var size: UInt64 { get }

  /// Appends the bytes at an offset until the output is full or the source ends.
  ///
  /// Appending less than there is room for means that the source ended.
  /// - Throws: ``ZipError`` with ``ZipError/Code/sourceRead``.
  func read(at offset: UInt64, into output: inout OutputRawSpan) throws(ZipError)
}

/// A file read through its descriptor, which is closed with the last user of this value.
public final class FileSource: ArchiveSource {
  /// The length in bytes when it was opened.
  public let size: UInt64
  /// Where it is, where that is known.
  let path: String?
  private let descriptor: FileDescriptor

  /// Opens a regular file.
  ///
  /// - Throws: ``ZipError`` with ``ZipError/Code/sourceOpen``, its cause being `errno`.
  public convenience init(path: String) throws(ZipError) {
    do {
      try self.init(FileDescriptor.open(path), path: path)
    } catch let error as SystemError {
      throw .cannotOpen(error)
    } catch let error as ZipError {
      throw error
    } catch {
      throw ZipError(.sourceOpen, "expected an archive to open, found \(error)")
    }
  }

  /// Reads through a copy of a descriptor; the caller keeps its own.
  ///
  /// - Throws: ``ZipError`` with ``ZipError/Code/sourceOpen``, also where it has no positions (a pipe).
  public convenience init(descriptor raw: Int32) throws(ZipError) {
    do {
      try self.init(FileDescriptor(borrowing: raw).duplicate(), path: nil)
    } catch let error as SystemError {
      throw .cannotOpen(error)
    } catch let error as ZipError {
      throw error
    } catch {
      throw ZipError(.sourceOpen, "expected an archive to open, found \(error)")
    }
  }

  private init(_ descriptor: consuming FileDescriptor, path: String?) throws {
    let status = try descriptor.status()
    guard status.kind == .regular else { throw ZipError.notAFile(status.kind) }
    size = status.size
    self.path = path
    self.descriptor = descriptor
  }

  /// Reads at an offset with `pread(2)`.
  public func read(at offset: UInt64, into output: inout OutputRawSpan) throws(ZipError) {
    do {
      // Safety: the buffer is the output's free part, and `used` counts what pread filled of it.
      try unsafe output.withUnsafeMutableBytes { (buffer, used) throws(SystemError) in
        used += try unsafe descriptor.readFully(
          into: UnsafeMutableRawBufferPointer(rebasing: buffer[used...]), at: offset)
      }
    } catch {
      throw .cannotRead(error, offset: offset)
    }
  }
}

/// An archive in memory.
public struct BytesSource: ArchiveSource {
  /// The archive.
  public let bytes: [UInt8]

  /// Wraps bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The number of bytes.
  public var size: UInt64 { UInt64(bytes.count) }

  /// Copies bytes out.
  public func read(at offset: UInt64, into output: inout OutputRawSpan) throws(ZipError) {
    guard offset < size else { return }
    let start = Int(offset)
    let count = min(bytes.count - start, output.freeCapacity)
    unsafe bytes.withUnsafeBytes { source in
      unsafe output.withUnsafeMutableBytes { buffer, used in
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[used..<(used + count)])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<(start + count)]))
        used += count
      }
    }
  }
}

extension ArchiveSource {
  /// Up to `count` bytes at an offset; fewer where the source ends.
  func bytes(at offset: UInt64, count: Int) throws(ZipError) -> [UInt8] {
    guard offset < size else { return [] }
    let count = Int(min(UInt64(count), size - offset))
    var failure: ZipError?
    // Nothing is set to zero first: a directory may take a hundred megabytes.
    let result = unsafe [UInt8](unsafeUninitializedCapacity: count) { elements, filled in
      // Safety: the span lives inside this closure; what it reports as initialized is.
      let raw = UnsafeMutableRawBufferPointer(elements)
      var output = unsafe OutputRawSpan(buffer: raw, initializedCount: 0)
      do throws(ZipError) {
        try read(at: offset, into: &output)
      } catch {
        failure = error
      }
      filled = unsafe output.finalize(for: raw)
    }
    if let failure { throw failure }
    return result
  }

  /// Fills the beginning of an array, or all of it; returns how much the source had.
  func fill(
    _ buffer: inout [UInt8], count: Int? = nil, at offset: UInt64
  ) throws(ZipError) -> Int {
    try unsafe buffer.withUnsafeMutableBufferPointer { (elements) throws(ZipError) in
      // Safety: the span lives inside this closure, over memory the array holds.
      let raw = unsafe UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(elements)[..<min(count ?? .max, elements.count)])
      var output = unsafe OutputRawSpan(buffer: raw, initializedCount: 0)
      try read(at: offset, into: &output)
      return unsafe output.finalize(for: raw)
    }
  }
}

internal import CPopplerGlib

/// Reads PNG pictures through cairo and libpng.
package enum PNGDecoder {
  /// The picture of a file, its pixels as 8-bit colours with alpha, or `nil` when libpng cannot read it.
  package static func decode(_ file: [UInt8]) -> Picture? {
    var reader = Reader(file: file)
    // Safety: cairo calls the reader before it returns, on this thread.
    let surface = unsafe withUnsafeMutablePointer(to: &reader) { pointer in
      unsafe cairo_image_surface_create_from_png_stream(
        { closure, target, count in
          guard let reader = unsafe closure?.assumingMemoryBound(to: Reader.self),
            let target = unsafe target,
            unsafe reader.pointee.read(into: target, count: Int(count))
          else { return CAIRO_STATUS_READ_ERROR }
          return CAIRO_STATUS_SUCCESS
        }, pointer)
    }
    guard let surface = unsafe surface, let handle = unsafe CairoSurfaceHandle(owning: surface)
    else { return nil }
    return Picture(size: handle.size, format: .rgba) { (target) throws(Never) in
      unsafe target.withUnsafeMutableBytes { target in
        unsafe handle.withPixels { source, sourceRow in
          _ = unsafe BoxFilter.reduce(
            source, sourceRow: sourceRow, factor: 1, size: handle.size, format: .rgba, blank: 0,
            into: target)
        }
      }
    }
  }

  private struct Reader {
    let file: [UInt8]
    var position = 0

    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) -> Bool {
      guard count <= file.count - position else { return false }
      for index in 0..<count { unsafe target[index] = file[position + index] }
      position += count
      return true
    }
  }
}

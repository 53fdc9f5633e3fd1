/// A decompressor of one entry's bytes, fed in pieces of any size.
///
/// A decoder is made by a factory of a ``DecoderRegistry`` on the thread that uses it and is used by
/// one thread at a time. It must bound its memory by ``EntryCoding/memoryLimit``, must end on any input,
/// and must make progress: a call that neither consumes nor produces, while input is final or room is
/// left, is taken as damage.
public protocol EntryDecoder: AnyObject {
  /// The memory this decoder holds at most, in bytes, without the caller's buffers.
  var memoryNeed: UInt64 { get }

  /// Decodes some of the input into the free capacity of the output.
  ///
  /// Called again with the unconsumed rest and more, or with fresh output, until it reports the end.
  /// The first call may well hold the entry whole, with room for everything: a decoder may take a
  /// shorter way then.
  /// - Parameters:
  ///   - input: Compressed bytes, beginning with the first one not yet consumed.
  ///   - isFinal: Whether nothing follows this input.
  ///   - output: Where decoded bytes are appended; it may get full.
  /// - Returns: How much input was used up, and whether the stream ended.
  /// - Throws: ``DecodeError`` for damaged data, for a need of more memory than allowed, for a feature that
  ///   is not supported. Input that ends too early need not be noticed: the caller does.
  func decode(
    _ input: RawSpan, isFinal: Bool, into output: inout OutputRawSpan
  ) throws(DecodeError) -> DecodeStep

  /// Makes the decoder ready for another entry of the same method.
  /// - Returns: false when it cannot be used again and a new one has to be made.
  func reset(for coding: EntryCoding) throws(DecodeError) -> Bool
}

extension EntryDecoder {
  /// Declines to be used again.
  public func reset(for coding: EntryCoding) throws(DecodeError) -> Bool { false }
}

/// What one call of a decoder did to its input.
public struct DecodeStep: Sendable, Equatable {
  /// Bytes of the input that are used up, from its beginning.
  public var consumed: Int
  /// Whether the compressed stream has ended; nothing more will come out.
  public var isFinished: Bool

  /// Reports on one call.
  public init(consumed: Int, isFinished: Bool) {
    self.consumed = consumed
    self.isFinished = isFinished
  }
}

/// The decryption of one entry's bytes, before a decoder sees them.
///
/// Used by one thread: ``unlock(header:password:)`` once or more, then ``decrypt(_:)`` over all bytes
/// between header and trailer in order, then ``finish(trailer:)``.
public protocol EntryCipher: AnyObject {
  /// Bytes in front of the data: salt and check value, or an encrypted random header.
  var headerSize: Int { get }
  /// Bytes behind the data, such as an authentication code.
  var trailerSize: Int { get }
  /// Whether ``finish(trailer:)`` vouches for the data, so that a declared CRC of 0 means "none".
  var replacesChecksum: Bool { get }

  /// Derives the keys.
  /// - Returns: false when the check value says that the password is wrong.
  func unlock(header: RawSpan, password: [UInt8]) throws(DecodeError) -> Bool

  /// Decrypts bytes where they are.
  func decrypt(_ bytes: inout MutableRawSpan)

  /// Checks what stands behind the data.
  /// - Throws: ``DecodeError`` with ``DecodeError/Kind/notAuthentic`` when the code does not match.
  func finish(trailer: RawSpan) throws(DecodeError)
}

/// Why an entry's bytes could not be decoded.
public struct DecodeError: Error, Sendable, Equatable {
  /// The sort of trouble.
  public enum Kind: Sendable, Equatable {
    /// The compressed bytes contradict the method's rules.
    case damaged
    /// More memory would be needed than allowed.
    case memory
    /// A feature of the method that this decoder does not have.
    case unsupported
    /// The authentication code does not match.
    case notAuthentic
  }

  /// The sort of trouble.
  public var kind: Kind
  /// A lower-case clause that says what was expected and what was found.
  public var message: String
  /// The number the underlying library gave, where there is one.
  public var libraryCode: Int32?

  /// Describes a failure; `message` is a lower-case clause.
  public init(_ kind: Kind, _ message: String, libraryCode: Int32? = nil) {
    self.kind = kind
    self.message = message
    self.libraryCode = libraryCode
  }
}

/// Gets what a transfer brings, on the loop thread; none of its functions may wait.
protocol TransferReceiver: AnyObject, Sendable {
  /// A response head is complete, interim ones aside.
  ///
  /// - Returns: Whether the body is wanted; otherwise the transfer ends.
  func receive(head: ResponseHead) -> Bool

  /// Body bytes, valid during the call.
  func receive(body: UnsafeRawBufferPointer) -> ReceiverAnswer

  /// All bytes that had come were passed on: what was held back to be written in one go is to be
  /// written now.
  ///
  /// - Returns: Whether more is wanted; otherwise the transfer ends.
  func flush() -> Bool

  /// A field outside a head: after the body, or of a protocol without heads.
  func receive(trailer: ResponseHead.Field)

  /// The transfer is over; nothing follows.
  func ended(_ outcome: TransferOutcome)
}

extension TransferReceiver {
  func flush() -> Bool { true }
  func receive(trailer: ResponseHead.Field) {}
}

/// What a receiver wants after some bytes.
enum ReceiverAnswer {
  /// It took them.
  case taken
  /// It took nothing and wants the same bytes again after `TransferLoop.resume`.
  case later
  /// It wants the transfer to end.
  case stop
}

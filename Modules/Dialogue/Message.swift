/// Something that a job says.
///
/// Texts are lines without their ends.
package enum Message: Sendable, Equatable {
  /// A line of the result, in which texts from outside are as ``FrontEnd/shown(_:)`` gives them.
  case result(String)
  /// A line beside the result, said as it stands, parts from outside and all.
  case remark(String)
  /// What went wrong with a subject, which may be empty: a URL, a file.
  case error(String, String)
  /// What is odd with a subject but was dealt with; who wants quiet does not hear it.
  case warning(String, String)
  /// What is good to know of a subject; who wants quiet does not hear it.
  case note(String, String)
  /// A part of the result for programs; one that is not urgent may wait until more is there.
  case record(JSONValue, isUrgent: Bool)
}

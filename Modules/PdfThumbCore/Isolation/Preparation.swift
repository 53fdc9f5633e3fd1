internal import Synchronization
internal import SystemIO

/// A copy of a document that its workers draw from: streams expanded once for all of them, in memory that nobody can
/// change any more.
final class PreparedDocument: Sendable {
  /// A sealed memory file.
  let descriptor: FileDescriptor
  /// The bytes of it that are the document.
  let size: UInt64

  init(_ descriptor: consuming FileDescriptor, size: UInt64) {
    self.descriptor = descriptor
    self.size = size
  }

  /// The most bytes a copy may have; more is not worth its memory.
  static let greatestSize = 48 << 20
}

/// Whether a copy of a document pays, judged by what its pages cost so far; pure.
///
/// Poppler inflates fonts and shared streams anew for each page that uses them, so pages out of an expanded copy take
/// half the time and less. Making the copy takes time as well, which few pages do not earn back.
package struct PreparationJudgement: Sendable, Equatable {
  /// The bytes of the document.
  package var bytes: UInt64
  /// The number of its objects.
  package var objects: Int
  /// The pages that will be asked for as far as anybody said, those already drawn included.
  package var expected = 0
  /// The pages drawn.
  package var drawn = 0
  /// Those of them that the renderer drew.
  package var rendered = 0
  /// The time the renderer took.
  package var spent = Duration.zero
  /// The time it took for the page that took least; a first page with a picture tells nothing of the next.
  package var least = Duration.zero

  /// Whether a copy cannot be had quickly.
  package var refusesHaste = false

  /// The longest making of a copy, in seconds, that is done before the first page is drawn.
  static let greatestHaste = 0.08
  /// A document of more bytes is drawn as it is.
  package static let greatestOriginal: UInt64 = 24 << 20
  /// The pages somebody looks at first.
  static let firstPages = 12

  /// The pages that a copy of them alone pays for: few, close together, and a small part of the document.
  package static func few(_ pages: [Int], of count: Int) -> Range<Int>? {
    guard let first = pages.min(), let last = pages.max(), first >= 0, last < count,
      last - first < 2 * firstPages, (last - first + 1) * 4 <= count
    else { return nil }
    return first..<last + 1
  }

  package init(bytes: UInt64, objects: Int) {
    self.bytes = bytes
    self.objects = objects
  }

  /// What making the copy takes in seconds: 3 µs an object and 25 ms a megabyte, as measured on ten documents.
  var cost: Double { Double(objects) * 3e-6 + Double(bytes) * 25e-9 }

  /// Whether a copy is to be made before a page is drawn: it takes less time than two pages, and there are many.
  ///
  /// What is then found to be scans has lost that much.
  package var isUrgent: Bool {
    drawn == 0 && !refusesHaste && expected >= 2 * Self.firstPages && cost <= Self.greatestHaste
  }

  /// Whether the time saved will be more than the time it takes.
  ///
  /// The first pages are those somebody waits for: before they are drawn the copy has to pay for them alone.
  package var isWorthwhile: Bool {
    guard bytes <= Self.greatestOriginal, rendered > 1 else { return false }
    let spent = spent / .seconds(1)
    // Without a word on what is to come, as much again as was drawn is likely.
    guard spent <= cost * 2 else { return true }
    let rest = max(0, Double(expected) - Double(drawn))
    let first = max(0, Double(Self.firstPages) - Double(drawn))
    if first > 0 { return least / .seconds(1) / 2 * min(first, rest) > cost }
    return spent / Double(rendered) / 2 * rest > cost
  }
}

/// How far the copy of a document is.
enum PreparationStage: Sendable {
  case open
  case underway(quickly: Bool)
  case ready(PreparedDocument)
  /// It cannot be made, or is not to be.
  case refused
}

extension DocumentFile {
  /// The state that lanes share.
  struct Sharing: Sendable {
    var stage = PreparationStage.open
    var judgement: PreparationJudgement
    /// The pages that somebody said are going to be asked for, where they are few and close together.
    var few: Range<Int>?

    /// Whether a copy that is to be made is to be made quickly; `nil` where none is.
    fileprivate var haste: Bool? {
      // Few pages come from copies that have no others.
      guard case .open = stage, few == nil else { return nil }
      return judgement.isUrgent ? true : judgement.isWorthwhile ? false : nil
    }
  }

  /// The copy, once it is there.
  var prepared: PreparedDocument? {
    sharing.withLock { if case .ready(let prepared) = $0.stage { prepared } else { nil } }
  }

  /// Whether a lane should stop and make the copy.
  var wantsPreparation: Bool { sharing.withLock { $0.haste != nil } }

  /// Whether a lane makes the copy, which takes no longer than a few pages.
  var isBeingPreparedQuickly: Bool {
    sharing.withLock { if case .underway(quickly: true) = $0.stage { true } else { false } }
  }

  /// Gives the making of the copy to the lane that asks first, if it is worth it.
  ///
  /// - Returns: Whether it is to be quick, or `nil` when nothing is to be made.
  func claimPreparation() -> Bool? {
    sharing.withLock { sharing in
      guard let haste = sharing.haste else { return nil }
      sharing.stage = .underway(quickly: haste)
      return haste
    }
  }

  /// Ends the making of the copy, with one or without.
  ///
  /// - Parameters:
  ///   - prepared: The copy.
  ///   - quickly: Whether it was to be quick; where that was in vain, one may be made later that takes longer.
  func finishPreparation(_ prepared: PreparedDocument?, quickly: Bool) {
    sharing.withLock { sharing in
      if let prepared {
        sharing.stage = .ready(prepared)
      } else if quickly {
        sharing.stage = .open
        sharing.judgement.refusesHaste = true
      } else {
        sharing.stage = .refused
      }
    }
  }

  /// Says which pages somebody is going to ask for, of so many.
  func expect(_ pages: [Int], of count: Int) {
    sharing.withLock { sharing in
      sharing.few =
        sharing.judgement.expected == 0 ? PreparationJudgement.few(pages, of: count) : nil
      sharing.judgement.expected += pages.count
    }
  }

  /// The few pages that are asked for, if a page is one of them.
  func few(with page: Int) -> Range<Int>? {
    sharing.withLock { sharing in
      if sharing.few?.contains(page) == false { sharing.few = nil }
      return sharing.few
    }
  }

  func note(objects: Int) { sharing.withLock { $0.judgement.objects = objects } }

  /// Notes what a page took.
  func note(drawn source: PictureSource, in time: Duration) {
    sharing.withLock { sharing in
      sharing.judgement.drawn += 1
      guard source == .render else { return }
      let least = sharing.judgement.rendered > 0 ? sharing.judgement.least : time
      sharing.judgement.least = min(least, time)
      sharing.judgement.rendered += 1
      sharing.judgement.spent += time
    }
  }
}

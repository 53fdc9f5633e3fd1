/// The directories of a plan, found by parent and name.
///
/// Twenty bytes a directory and eleven to 21 for finding it: an archive may hold a million of them. Names are those
/// bytes of the archive's directory, or of the plan, that the caller says they are.
struct DirectoryTable: Sendable {
  struct Directory {
    /// Where its name in its parent stands; whole paths of deep trees would take the square of their depth.
    var nameStart: UInt32
    var nameLength: UInt16
    /// Whether the name stands in the plan's own bytes rather than in the archive's directory.
    var isOwnText: Bool
    /// Its parent, -1 for the target itself.
    var parent: Int32
    /// The item that describes it, where the archive has one.
    var item: Int32 = -1
    /// The item that was the first to need it.
    var firstItem: Int32

    var nameRange: Range<Int> { Int(nameStart)..<(Int(nameStart) + Int(nameLength)) }
  }

  private struct Slot {
    var hash: UInt32 = 0
    /// -1 where none is.
    var number: Int32 = -1
  }

  private(set) var directories: [Directory] = []
  // A power of two, at most three quarters of it taken. Hashes are kept, as names may have to be read to be compared.
  private var slots: [Slot] = []

  /// Says of which item a directory is.
  mutating func describe(_ number: Int32, by item: Int32) { directories[Int(number)].item = item }

  /// The number of the directory of a parent with a hash for which `isSame` says that it has the name.
  func find(_ hash: UInt32, in parent: Int32, _ isSame: (Directory) -> Bool) -> Int32? {
    guard !slots.isEmpty else { return nil }
    var place = Int(hash) & (slots.count - 1)
    while slots[place].number >= 0 {
      let slot = slots[place]
      if slot.hash == hash {
        let directory = directories[Int(slot.number)]
        if directory.parent == parent, isSame(directory) { return slot.number }
      }
      place = (place + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds a directory that is not there yet.
  mutating func add(_ directory: Directory, _ hash: UInt32) -> Int32 {
    let number = Int32(truncatingIfNeeded: directories.count)
    directories.append(directory)
    if directories.count * 4 > slots.count * 3 {
      let old = slots
      slots = Array(repeating: Slot(), count: max(16, old.count * 2))
      for slot in old where slot.number >= 0 { put(slot) }
    }
    put(Slot(hash: hash, number: number))
    return number
  }

  private mutating func put(_ slot: Slot) {
    var place = Int(slot.hash) & (slots.count - 1)
    while slots[place].number >= 0 { place = (place + 1) & (slots.count - 1) }
    slots[place] = slot
  }

  /// The hash of a name in a parent; seeded, so that no archive can choose names that share one.
  static func hash(_ name: UnsafeRawBufferPointer, in parent: Int32) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(parent)
    unsafe hasher.combine(bytes: name)
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }
}

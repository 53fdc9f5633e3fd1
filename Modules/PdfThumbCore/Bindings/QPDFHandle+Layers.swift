internal import CQpdf

/// Which layers a document shows when it is opened (ISO 32000-1, 8.11.4).
struct LayerStates: Sendable, Equatable {
  /// By the number of a layer's object; `nil` in a document that has none.
  fileprivate var shown: [Int: Bool]?

  fileprivate static let greatestCount = 1 << 14

  /// Whether what belongs to a layer is shown, or `nil` for a rule about several and for an unknown layer.
  func shows(_ layer: QPDFObject) -> Bool? {
    guard let shown else { return true }
    return shown[layer.objectNumber]
  }
}

extension QPDFHandle {
  /// The layers and whether they are shown.
  mutating func layers() -> LayerStates {
    if let layerStates { return layerStates }
    defer { unsafe qpdf_oh_release_all(raw) }
    let root = unsafe QPDFObject(document: raw, handle: qpdf_get_root(raw))
    var states = LayerStates()
    if let properties = root["/OCProperties"] { states.shown = Self.layers(properties) }
    layerStates = states
    return states
  }

  private static func layers(_ properties: QPDFObject) -> [Int: Bool] {
    // Without a configuration nothing is known for sure.
    guard let standard = properties["/D"] else { return [:] }
    let limit = LayerStates.greatestCount
    func numbers(_ key: String, of object: QPDFObject) -> [Int] {
      (object[key]?.elements(limit: limit) ?? []).map(\.objectNumber)
    }
    let isShown = standard["/BaseState"]?.name != "/OFF"
    var shown: [Int: Bool] = [:]
    for number in numbers("/OCGs", of: properties) where number > 0 { shown[number] = isShown }
    for number in numbers("/ON", of: standard) { shown[number] = true }
    for number in numbers("/OFF", of: standard) { shown[number] = false }
    return shown
  }
}

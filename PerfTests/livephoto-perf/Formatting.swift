import Foundation

extension Double {
  /// With a fixed number of decimals.
  func formatted(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

extension String {
  func padded(_ width: Int) -> String { padding(toLength: max(width, count), withPad: " ", startingAt: 0) }
  func leftPadded(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

extension Collection<Double> {
  /// The geometric mean; nil of nothing.
  var geometricMean: Double? { isEmpty ? nil : exp(map(log).reduce(0, +) / Double(count)) }
  /// The arithmetic mean; nil of nothing.
  var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }
}

/// Prints at once, also into a pipe or a file.
func show(_ text: String) {
  print(text)
  fflush(nil)
}

extension Encodable {
  /// As JSON for people and programs: sorted keys, indented.
  func prettyJSON() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}

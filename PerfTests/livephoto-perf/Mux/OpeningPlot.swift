import Foundation

/// The time of opening a movie over the number of its samples, both logarithmic, as SVG.
struct OpeningPlot {
  private let openings: [Opening]
  private let machine: Machine

  private let left = 70.0, right = 700.0, top = 40.0, bottom = 360.0
  /// Powers of ten.
  private let counts = (low: 3.0, high: 6.0)
  /// Powers of ten of milliseconds.
  private let times = (low: 0.0, high: 3.0)

  init(_ report: MuxReport) { (openings, machine) = (report.openings, report.machine) }

  var svg: String {
    var lines = [
      ##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 420" font-family="sans-serif" font-size="13" fill="#222">"##,
      "<title>Time of opening a movie, over the number of its samples</title>",
      ##"<rect width="720" height="420" fill="#fff"/>"##,
    ]
    for power in 0...3 {
      let y = place(Double(power), times, bottom, top)
      lines.append(##"<path d="M\##(left) \##(y)H\##(right)" stroke="#ddd"/>"##)
      lines.append(#"<text x="62" y="\#(y + 4)" text-anchor="end">\#(Int(pow(10, Double(power)))) ms</text>"#)
    }
    for power in 3...6 {
      let x = place(Double(power), counts, left, right)
      lines.append(##"<path d="M\##(x) \##(top)V\##(bottom)" stroke="#ddd"/>"##)
      lines.append(#"<text x="\#(x)" y="378" text-anchor="middle">10\#(["³", "⁴", "⁵", "⁶"][power - 3])</text>"#)
    }
    lines.append(
      #"<text x="385" y="406" text-anchor="middle">samples of the movie, all reordered (both scales logarithmic)</text>"#
    )
    lines.append(#"<text x="70" y="22">wall time of a whole process, \#(machine.cpu.escaped)</text>"#)
    lines += curve("ffprobe -show_format", "#b22", openings.map { ($0.samples, $0.peer) })
    lines += curve("livephoto inspect", "#25a", openings.map { ($0.samples, $0.ours) })
    return (lines + ["</svg>", ""]).joined(separator: "\n")
  }

  private func curve(_ name: String, _ color: String, _ points: [(samples: Int, cost: ProcessCost?)]) -> [String] {
    let places = points.compactMap { samples, cost in
      cost.map {
        (
          x: place(log10(Double(samples)), counts, left, right),
          y: place(log10($0.time.wall * 1000), times, bottom, top)
        )
      }
    }
    guard let first = places.first else { return [] }
    let line = places.map { "\($0.x),\($0.y)" }.joined(separator: " ")
    return [#"<polyline points="\#(line)" fill="none" stroke="\#(color)" stroke-width="2"/>"#]
      + places.map { #"<circle cx="\#($0.x)" cy="\#($0.y)" r="3" fill="\#(color)"/>"# }
      + [#"<text x="\#(first.x + 8)" y="\#(first.y - 8)" fill="\#(color)">\#(name)</text>"#]
  }

  /// Where a value is drawn, to a tenth.
  private func place(_ value: Double, _ range: (low: Double, high: Double), _ start: Double, _ end: Double) -> Double {
    ((start + (value - range.low) / (range.high - range.low) * (end - start)) * 10).rounded() / 10
  }
}

extension String {
  /// As text of XML.
  fileprivate var escaped: String {
    replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
  }
}

import LivePhotoCore

/// One component while it is decoded: its samples, and in a progressive picture its coefficients.
struct DecodedComponent {
  let geometry: DecodedFrame.Component
  /// The divisors in force at the component's first scan, row by row; empty before it.
  private(set) var quantizer: [Int32] = []
  /// The same as 16 bits; empty where one of them has more than 15.
  private var quantizerWords: [Int16] = []
  /// Samples in whole blocks; 128 where there is nothing, as a block of zeros gives.
  var samples: [UInt8]
  /// Coefficients block by block, each row by row; empty in a sequential picture.
  var coefficients: [Int16]
  /// For each coefficient in zigzag order, how many bits are still missing; -1 where none has been read.
  private(set) var missingBits = [Int](repeating: -1, count: 64)
  /// The same as it was before the last scan.
  private(set) var formerMissingBits = [Int](repeating: -1, count: 64)

  init(_ geometry: DecodedFrame.Component, isProgressive: Bool) {
    self.geometry = geometry
    let count = geometry.paddedAcross * geometry.paddedDown * 64
    samples = [UInt8](repeating: 128, count: count)
    coefficients = [Int16](repeating: 0, count: isProgressive ? count : 0)
  }

  /// Samples from one row to the next.
  var stride: Int { geometry.paddedAcross * 8 }

  /// Keeps the divisors that the component's first scan finds.
  mutating func latchQuantizer(_ tables: DecodingTables, _ place: Place) throws(ParseError) {
    guard quantizer.isEmpty else { return }
    guard let divisors = tables.quantizers[geometry.table] else {
      throw .missing("quantisation table \(geometry.table) (DQT)", at: place)
    }
    quantizer = divisors
    if let most = divisors.max(), most <= Int16.max { quantizerWords = divisors.map { Int16($0) } }
  }

  /// Notes which bits a progressive scan brings, and whether they are the next ones.
  mutating func notePrecision(of scan: ScanHeader, isFirstScan: Bool, _ log: inout DamageLog) throws(ParseError) {
    for index in min(scan.first, 1)...max(scan.last, 9) {
      formerMissingBits[index] = isFirstScan ? 0 : missingBits[index]
    }
    let isOrdered =
      (scan.first == 0 || missingBits[0] >= 0)
      && (scan.first...scan.last).allSatisfy { max(missingBits[$0], 0) == scan.high }
    for index in scan.first...scan.last { missingBits[index] = scan.low }
    guard isOrdered else {
      try log.note(
        .invalid(
          "progressive scan", found: "coefficients \(scan.first) to \(scan.last), bits \(scan.high) to \(scan.low)",
          expected: "the bits that follow those of the scans before", at: scan.place))
      return
    }
  }

  /// Turns a decoded block into samples.
  mutating func store(_ block: borrowing CoefficientBlock, isFlat: Bool, across: Int, down: Int) {
    let start = down * 8 * stride + across * 8, stride = stride
    let quantizer = quantizer, divisors = quantizer.span, quantizerWords = quantizerWords
    var target = samples.mutableSpan
    if isFlat {
      InverseTransform.flat(block[0], divisors[0], &target, start, stride)
    } else {
      InverseTransform.block(block, divisors, words: quantizerWords.span, &target, start, stride)
    }
  }

  /// Turns all coefficients into samples and lets go of them.
  mutating func transform(_ smoothing: BlockSmoothing?) {
    guard !quantizer.isEmpty else { return }
    let estimates = smoothing?.estimates(for: self)
    for down in 0..<geometry.blocksDown {
      for across in 0..<geometry.blocksAcross {
        var block = CoefficientBlock(repeating: 0)
        let start = (down * geometry.paddedAcross + across) * 64
        for index in 0..<64 { block[index] = coefficients[start + index] }
        estimates?.fill(&block, from: self, across: across, down: down)
        store(block, isFlat: false, across: across, down: down)
      }
    }
    coefficients = []
  }

  /// The component as the picture shows it.
  var result: JPEGPicture.Component {
    JPEGPicture.Component(
      horizontal: geometry.horizontal, vertical: geometry.vertical,
      plane: Plane(width: geometry.width, height: geometry.height, stride: stride, samples: .bytes(samples)))
  }
}

/// The 64 coefficients of a block, row by row.
typealias CoefficientBlock = InlineArray<64, Int16>

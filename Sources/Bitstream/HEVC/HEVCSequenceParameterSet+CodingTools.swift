import LivePhotoCore

/// The middle of a sequence parameter set, which only a decoder needs: it is stepped over to reach the video usability
/// information behind it.
extension HEVCSequenceParameterSet {
  /// Steps over all from `log2_max_pic_order_cnt_lsb_minus4` to `strong_intra_smoothing_enabled_flag`.
  ///
  /// The sizes of blocks are checked on the way: decoders do not all survive wrong ones, or print lines about them.
  static func skipCodingTools(
    _ reader: inout BitReader, maxSubLayers: Int, width: Int, height: Int
  ) throws(ParseError) {
    let orderCountBits = try reader.readUE("log2_max_pic_order_cnt_lsb_minus4", in: 0...12) + 4
    let orderings = try reader.readFlag() ? maxSubLayers : 1
    try skipCodes(3 * orderings, &reader)  // buffering, reordering and latency, a sub-layer
    try checkBlockSizes(&reader, width: width, height: height)
    if try reader.readFlag(), try reader.readFlag() { try skipScalingLists(&reader) }
    try reader.skipBits(2)  // amp_enabled_flag, sample_adaptive_offset_enabled_flag
    if try reader.readFlag() {
      try reader.skipBits(8)  // bit depths of PCM samples
      try skipCodes(2, &reader)
      try reader.skipBits(1)
    }
    try skipReferencePictureSets(&reader)
    if try reader.readFlag() {
      let count = try reader.readUE("num_long_term_ref_pics_sps", in: 0...32)
      try reader.skipBits(count * (orderCountBits + 1))
    }
    try reader.skipBits(2)  // sps_temporal_mvp_enabled_flag, strong_intra_smoothing_enabled_flag
  }

  /// Reads the sizes and depths of coding and transform blocks (ITU-T H.265, 7.4.3.2.1).
  private static func checkBlockSizes(_ reader: inout BitReader, width: Int, height: Int) throws(ParseError) {
    let place = reader.place
    let smallest = try reader.readUE("log2_min_luma_coding_block_size_minus3", in: 0...3) + 3
    let tree = try reader.readUE("log2_diff_max_min_luma_coding_block_size", in: 0...6 - smallest) + smallest
    let unit = 1 << smallest
    guard width % unit == 0, height % unit == 0 else {
      throw .invalid(
        "coded picture size", found: "\(width)x\(height)", expected: "multiples of \(unit), the smallest block",
        at: place)
    }
    let transform = try reader.readUE("log2_min_luma_transform_block_size_minus2", in: 0...smallest - 3) + 2
    let largest = min(tree, 5)
    _ = try reader.readUE("log2_diff_max_min_luma_transform_block_size", in: 0...largest - transform)
    _ = try reader.readUE("max_transform_hierarchy_depth_inter", in: 0...tree - transform)
    _ = try reader.readUE("max_transform_hierarchy_depth_intra", in: 0...tree - transform)
  }

  private static func skipCodes(_ count: Int, _ reader: inout BitReader) throws(ParseError) {
    for _ in 0..<count { _ = try reader.readUE() }
  }

  /// Steps over `scaling_list_data()` (ITU-T H.265, 7.3.4).
  private static func skipScalingLists(_ reader: inout BitReader) throws(ParseError) {
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        guard try reader.readFlag() else {
          _ = try reader.readUE()  // scaling_list_pred_matrix_id_delta
          continue
        }
        let coefficients = min(64, 1 << (4 + 2 * size))
        try skipCodes(coefficients + (size > 1 ? 1 : 0), &reader)
      }
    }
  }

  /// Steps over the short-term reference picture sets, the length of each of which may depend on the one before.
  private static func skipReferencePictureSets(_ reader: inout BitReader) throws(ParseError) {
    let count = try reader.readUE("num_short_term_ref_pic_sets", in: 0...64)
    var previous: [Int] = []
    for index in 0..<count {
      if index > 0, try reader.readFlag() {
        previous = try readPredictedSet(from: previous, &reader)
      } else {
        previous = try readExplicitSet(&reader)
      }
    }
  }

  /// The most pictures of a set: the decoded picture buffer holds 16.
  private static let maxReferences = 16

  /// Reads a set that stands for itself: its picture order count differences (ITU-T H.265, 7.4.8).
  private static func readExplicitSet(_ reader: inout BitReader) throws(ParseError) -> [Int] {
    let negative = try reader.readUE("num_negative_pics", in: 0...maxReferences)
    let positive = try reader.readUE("num_positive_pics", in: 0...maxReferences - negative)
    var set: [Int] = []
    for (count, sign) in [(negative, -1), (positive, 1)] {
      var delta = 0
      for _ in 0..<count {
        delta += sign * (try reader.readUE("delta_poc_minus1", in: 0...32767) + 1)
        try reader.skipBits(1)  // used_by_curr_pic
        set.append(delta)
      }
    }
    return set
  }

  /// Reads a set that is predicted from the one before it.
  private static func readPredictedSet(
    from reference: [Int], _ reader: inout BitReader
  ) throws(ParseError) -> [Int] {
    let isNegative = try reader.readFlag()
    let magnitude = try reader.readUE("abs_delta_rps_minus1", in: 0...32767) + 1
    let shift = isNegative ? -magnitude : magnitude
    var set: [Int] = []
    for delta in reference + [0] {
      let isUsed = try reader.readFlag()
      let isKept = isUsed ? true : try reader.readFlag()
      // A difference of 0 would be the picture itself, which no set holds.
      if isKept, delta + shift != 0 { set.append(delta + shift) }
    }
    guard set.count <= maxReferences else {
      throw .beyondLimit("pictures of a reference set", found: set.count, limit: maxReferences, at: reader.place)
    }
    // The order in which equations 7-61 and 7-62 list them: what precedes, then what follows, each from the nearest on.
    return set.filter { $0 < 0 }.sorted(by: >) + set.filter { $0 > 0 }.sorted()
  }
}

import LivePhotoBitstream
import LivePhotoCore
import Testing

/// Checks that a sequence parameter set says what FFmpeg's trace says.
func expectSame(_ set: H264SequenceParameterSet, _ trace: SyntaxTrace, _ comment: Comment) {
  #expect(trace.kind == "Sequence Parameter Set", comment)
  #expect(Int(set.profile) == trace["profile_idc"], comment)
  for index in 0..<6 {
    #expect((set.constraintFlags >> UInt8(7 - index) & 1 == 1) == trace.flag("constraint_set\(index)_flag"), comment)
  }
  #expect(Int(set.level) == trace["level_idc"], comment)
  #expect(set.id == trace["seq_parameter_set_id"], comment)
  #expect(set.hasSeparateColourPlanes == trace.flag("separate_colour_plane_flag"), comment)
  #expect(set.hasLosslessBypass == trace.flag("qpprime_y_zero_transform_bypass_flag"), comment)
  #expect((set.scalingMatrix != nil) == trace.flag("seq_scaling_matrix_present_flag"), comment)
  #expect(set.frameNumberBits - 4 == trace["log2_max_frame_num_minus4"], comment)
  switch set.pictureOrder {
  case .lowBits(let width):
    #expect(trace["pic_order_cnt_type"] == 0, comment)
    #expect(width - 4 == trace["log2_max_pic_order_cnt_lsb_minus4"], comment)
  case .offsets(let alwaysZero, let nonReference, let topToBottom, let cycle):
    #expect(trace["pic_order_cnt_type"] == 1, comment)
    #expect(alwaysZero == trace.flag("delta_pic_order_always_zero_flag"), comment)
    #expect(Int(nonReference) == trace["offset_for_non_ref_pic"], comment)
    #expect(Int(topToBottom) == trace["offset_for_top_to_bottom_field"], comment)
    #expect(cycle.map { Int($0) } == cycle.indices.map { trace["offset_for_ref_frame[\($0)]"] }, comment)
    #expect(cycle.count == trace["num_ref_frames_in_pic_order_cnt_cycle"], comment)
  case .decodingOrder:
    #expect(trace["pic_order_cnt_type"] == 2, comment)
  }
  #expect(set.maxReferenceFrames == trace["max_num_ref_frames"], comment)
  #expect(set.allowsFrameNumberGaps == trace.flag("gaps_in_frame_num_allowed_flag"), comment)
  #expect(set.isFrameOnly == trace.flag("frame_mbs_only_flag"), comment)
  #expect(set.isAdaptiveFrameField == trace.flag("mb_adaptive_frame_field_flag"), comment)
  #expect(set.isDirect8x8 == trace.flag("direct_8x8_inference_flag"), comment)
  #expect(set.maxReorderedFrames == trace["max_num_reorder_frames"], comment)
  #expect(set.maxBufferedFrames == trace["max_dec_frame_buffering"], comment)
  expectSameFormat(set, trace, comment)
}

private func expectSameFormat(_ set: H264SequenceParameterSet, _ trace: SyntaxTrace, _ comment: Comment) {
  let format = set.format
  let chroma = trace.value("chroma_format_idc", or: 1)
  #expect(Int(format.chroma.rawValue) == chroma, comment)
  #expect(format.lumaBitDepth - 8 == trace.value("bit_depth_luma_minus8"), comment)
  #expect(format.chromaBitDepth - 8 == trace.value("bit_depth_chroma_minus8"), comment)
  let fields = trace.flag("frame_mbs_only_flag") ? 1 : 2
  let width = (trace.value("pic_width_in_mbs_minus1") + 1) * 16
  let height = (trace.value("pic_height_in_map_units_minus1") + 1) * 16 * fields
  #expect((format.codedWidth, format.codedHeight) == (width, height), comment)
  let unitX = chroma == 1 || chroma == 2 ? 2 : 1, unitY = (chroma == 1 ? 2 : 1) * fields
  func offset(_ side: String, _ unit: Int) -> Int { trace.value("frame_crop_\(side)_offset") * unit }
  let expected = PictureArea(
    x: offset("left", unitX), y: offset("top", unitY), width: width - offset("left", unitX) - offset("right", unitX),
    height: height - offset("top", unitY) - offset("bottom", unitY))
  #expect(format.area == expected, comment)
  expectSameUsability(format, trace, ticks: 2, comment)
}

/// Checks that a picture parameter set says what FFmpeg's trace says.
func expectSame(_ set: H264PictureParameterSet, _ trace: SyntaxTrace, _ comment: Comment) {
  #expect(trace.kind == "Picture Parameter Set", comment)
  #expect(set.id == trace["pic_parameter_set_id"], comment)
  #expect(set.spsID == trace["seq_parameter_set_id"], comment)
  #expect(set.usesCABAC == trace.flag("entropy_coding_mode_flag"), comment)
  #expect(set.hasFieldOrder == trace.flag("bottom_field_pic_order_in_frame_present_flag"), comment)
  #expect(set.sliceGroups - 1 == trace["num_slice_groups_minus1"], comment)
  let references = [0, 1].map { trace.value("num_ref_idx_l\($0)_default_active_minus1", or: -1) + 1 }
  #expect(set.defaultReferences == references, comment)
  #expect(set.hasWeightedPrediction == trace.flag("weighted_pred_flag"), comment)
  #expect(set.biprediction == trace["weighted_bipred_idc"], comment)
  #expect(set.initialQP - 26 == trace["pic_init_qp_minus26"], comment)
  #expect(set.initialQS - 26 == trace["pic_init_qs_minus26"], comment)
  let offset = trace.value("chroma_qp_index_offset", or: .min)
  #expect(set.chromaQPOffsets == [offset, trace.value("second_chroma_qp_index_offset", or: offset)], comment)
  #expect(set.hasDeblockingControl == trace.flag("deblocking_filter_control_present_flag"), comment)
  #expect(set.isConstrainedIntra == trace.flag("constrained_intra_pred_flag"), comment)
  #expect(set.hasRedundantPictures == trace.flag("redundant_pic_cnt_present_flag"), comment)
  #expect(set.usesTransform8x8 == trace.flag("transform_8x8_mode_flag"), comment)
  #expect((set.scalingMatrix != nil) == trace.flag("pic_scaling_matrix_present_flag"), comment)
}

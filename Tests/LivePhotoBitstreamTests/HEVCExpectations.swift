import LivePhotoBitstream
import LivePhotoCore
import Testing

/// Checks that a parameter set says what FFmpeg's trace says.
func expectSame(_ unit: [UInt8], _ trace: SyntaxTrace, _ comment: Comment) throws {
  switch try HEVCNALUnitHeader(parsing: unit.span).type {
  case .vps: try expectSameVPS(unit, trace, comment)
  case .sps: try expectSameSPS(unit, trace, comment)
  default: try expectSamePPS(unit, trace, comment)
  }
}

private func expectSameVPS(_ unit: [UInt8], _ trace: SyntaxTrace, _ comment: Comment) throws {
  #expect(trace.kind == "Video Parameter Set", comment)
  let set = try HEVCVideoParameterSet(parsing: unit.span)
  #expect(set.id == trace["vps_video_parameter_set_id"], comment)
  #expect(set.maxLayers - 1 == trace["vps_max_layers_minus1"], comment)
  #expect(set.maxSubLayers - 1 == trace["vps_max_sub_layers_minus1"], comment)
  #expect(set.isTemporalIDNested == trace.flag("vps_temporal_id_nesting_flag"), comment)
  expectSame(set.profileTierLevel, trace, comment)
}

private func expectSamePPS(_ unit: [UInt8], _ trace: SyntaxTrace, _ comment: Comment) throws {
  #expect(trace.kind == "Picture Parameter Set", comment)
  let set = try HEVCPictureParameterSet(parsing: unit.span)
  #expect(set.id == trace["pps_pic_parameter_set_id"], comment)
  #expect(set.spsID == trace["pps_seq_parameter_set_id"], comment)
  #expect(set.extraSliceHeaderBits == trace["num_extra_slice_header_bits"], comment)
}

private func expectSame(_ level: HEVCProfileTierLevel, _ trace: SyntaxTrace, _ comment: Comment) {
  #expect(Int(level.profileSpace) == trace["general_profile_space"], comment)
  #expect(level.isHighTier == trace.flag("general_tier_flag"), comment)
  #expect(Int(level.profile) == trace["general_profile_idc"], comment)
  #expect(level.compatibilityFlags == trace.bits("general_profile_compatibility_flag", count: 32), comment)
  #expect(level.isProgressive == trace.flag("general_progressive_source_flag"), comment)
  #expect(level.isInterlaced == trace.flag("general_interlaced_source_flag"), comment)
  #expect(level.isNonPacked == trace.flag("general_non_packed_constraint_flag"), comment)
  #expect(level.isFrameOnly == trace.flag("general_frame_only_constraint_flag"), comment)
  // The range extensions name nine of the following bits.
  let named = ["max_12bit", "max_10bit", "max_8bit", "max_422chroma", "max_420chroma", "max_monochrome", "intra"]
  for (index, name) in named.enumerated() where trace["general_\(name)_constraint_flag"] != nil {
    let bit = level.constraintFlags >> UInt64(43 - index) & 1 == 1
    #expect(bit == trace.flag("general_\(name)_constraint_flag"), comment)
  }
  #expect(Int(level.level) == trace["general_level_idc"], comment)
}

private func expectSameSPS(_ unit: [UInt8], _ trace: SyntaxTrace, _ comment: Comment) throws {
  #expect(trace.kind == "Sequence Parameter Set", comment)
  let set = try HEVCSequenceParameterSet(parsing: unit.span)
  #expect(set.id == trace["sps_seq_parameter_set_id"], comment)
  #expect(set.vpsID == trace["sps_video_parameter_set_id"], comment)
  #expect(set.maxSubLayers - 1 == trace["sps_max_sub_layers_minus1"], comment)
  #expect(set.isTemporalIDNested == trace.flag("sps_temporal_id_nesting_flag"), comment)
  expectSame(set.profileTierLevel, trace, comment)
  #expect(set.hasSeparateColourPlanes == trace.flag("separate_colour_plane_flag"), comment)
  #expect(set.isFieldSequence == trace.flag("field_seq_flag"), comment)
  let format = set.format
  #expect(Int(format.chroma.rawValue) == trace["chroma_format_idc"], comment)
  #expect(format.codedWidth == trace["pic_width_in_luma_samples"], comment)
  #expect(format.codedHeight == trace["pic_height_in_luma_samples"], comment)
  #expect(format.lumaBitDepth - 8 == trace["bit_depth_luma_minus8"], comment)
  #expect(format.chromaBitDepth - 8 == trace["bit_depth_chroma_minus8"], comment)
  let unitX = [1, 2, 2, 1][Int(format.chroma.rawValue)], unitY = [1, 2, 1, 1][Int(format.chroma.rawValue)]
  expectSame(
    format.area, trace, names: ("conf_win_left_offset", "conf_win_right_offset"),
    ("conf_win_top_offset", "conf_win_bottom_offset"), unit: (unitX, unitY),
    picture: (0, 0, format.codedWidth, format.codedHeight), comment)
  if trace.flag("default_display_window_flag"), let window = set.defaultDisplayWindow {
    expectSame(
      window, trace, names: ("def_disp_win_left_offset", "def_disp_win_right_offset"),
      ("def_disp_win_top_offset", "def_disp_win_bottom_offset"), unit: (unitX, unitY),
      picture: (format.area.x, format.area.y, format.width, format.height), comment)
  } else {
    #expect(set.defaultDisplayWindow == nil, comment)
  }
  expectSameUsability(format, trace, ticks: set.isFieldSequence ? 2 : 1, comment)
}

private func expectSame(
  _ area: PictureArea, _ trace: SyntaxTrace, names horizontal: (String, String), _ vertical: (String, String),
  unit: (x: Int, y: Int), picture: (x: Int, y: Int, width: Int, height: Int), _ comment: Comment
) {
  let left = trace.value(horizontal.0) * unit.x, right = trace.value(horizontal.1) * unit.x
  let top = trace.value(vertical.0) * unit.y, bottom = trace.value(vertical.1) * unit.y
  let expected = PictureArea(
    x: picture.x + left, y: picture.y + top, width: picture.width - left - right, height: picture.height - top - bottom)
  #expect(area == expected, comment)
}

/// The part of the usability information that H.264 and HEVC share.
func expectSameUsability(_ format: VideoFormat, _ trace: SyntaxTrace, ticks: Int, _ comment: Comment) {
  #expect(Int(format.color.primaries) == trace.value("colour_primaries", or: 2), comment)
  #expect(Int(format.color.transfer) == trace.value("transfer_characteristics", or: 2), comment)
  #expect(Int(format.color.matrix) == trace.value("matrix_coefficients", or: 2), comment)
  #expect(format.color.isFullRange == trace.flag("video_full_range_flag"), comment)
  #expect(format.chromaLocation == trace["chroma_sample_loc_type_top_field"], comment)
  switch trace.value("aspect_ratio_idc") {
  case 0: #expect(format.pixelAspect == nil, comment)
  case 255:
    let width = trace.value("sar_width"), height = trace.value("sar_height")
    let isKnown = width > 0 && height > 0
    #expect(format.pixelAspect.map { Int($0.horizontalSpacing) } == (isKnown ? width : nil), comment)
    #expect(format.pixelAspect.map { Int($0.verticalSpacing) } == (isKnown ? height : nil), comment)
  case 1: #expect(format.pixelAspect?.isSquare == true, comment)
  case 2...16: #expect(format.pixelAspect != nil, comment)
  default: #expect(format.pixelAspect == nil, comment)
  }
  let names = ["vui_num_units_in_tick", "num_units_in_tick"], scales = ["vui_time_scale", "time_scale"]
  let units = names.compactMap { trace[$0] }.first ?? 0, scale = scales.compactMap { trace[$0] }.first ?? 0
  let expected = units > 0 && scale > 0 ? RationalTime(Int64(units * ticks), Int64(scale)) : nil
  #expect(format.frameDuration == expected, comment)
}

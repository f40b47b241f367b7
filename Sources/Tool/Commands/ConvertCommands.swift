internal import LivePhotoCore
internal import LivePhotoEngine

/// `encode` and `decode`: one picture in, one picture out.
extension Tool {
  func encode(_ arguments: EncodeArguments) throws -> ExitCode {
    var encoder = PictureEncoder(
      threads: Threads(arguments.threads), tiles: TileChoice(arguments.tile))
    encoder.preset = StillPreset(arguments.preset)
    encoder.isLossless = arguments.isLossless
    encoder.subsampling = arguments.subsampling.flatMap(ChromaSampling.init)
    encoder.optimizesHuffmanTables = arguments.optimizes
    encoder.strips = arguments.strips
    let report = try encoder.encode(
      arguments.input, as: StillFormat(arguments.format == .jpeg ? .jpeg : .heic, quality: arguments.quality),
      to: arguments.output.path, overwrite: arguments.output.force)
    if !arguments.report.quiet { report.warnings.forEach(console.warning) }
    if arguments.report.json {
      try console.json(report)
    } else {
      console.line("\(report.file)  \(report.width)x\(report.height), \(report.bytes) bytes")
    }
    return .done
  }

  func decode(_ arguments: DecodeArguments) throws -> ExitCode {
    var decoder = PictureDecoder(
      threads: Threads(arguments.threads), isUpright: arguments.isUpright)
    decoder.progress = progress(arguments.report)
    let report = try decoder.decode(
      arguments.input, item: PictureItem(arguments.item), as: DecodedFormat(arguments.format),
      to: arguments.output.path, overwrite: arguments.output.force)
    if !arguments.report.quiet { report.warnings.forEach(console.warning) }
    if arguments.report.json {
      try console.json(report)
    } else {
      let frames = report.frames == 1 ? "" : ", \(report.frames) frames"
      console.line("\(report.file)  \(report.width)x\(report.height)\(frames)")
    }
    return .done
  }
}

extension PictureItem {
  fileprivate init(_ item: ItemArgument) {
    switch item {
    case .primary: self = .primary
    case .thumbnail: self = .thumbnail
    case .alpha: self = .alpha
    case .depth: self = .depth
    case .gainMap: self = .gainMap
    case .number(let number): self = .id(number)
    }
  }
}

extension DecodedFormat {
  fileprivate init(_ format: OutputFormat) {
    switch format {
    case .pam: self = .pam
    case .png: self = .png
    case .y4m: self = .y4m
    default: self = .ppm
    }
  }
}

internal import LivePhotoCore

/// Every command with its operands and options.
package enum CommandTable {
  /// The commands in the order of the help page.
  package static let commands = [
    make, pair, remux, verify, inspect, encode, decode, demo, bench, completions, man, help,
  ]

  /// The command of a name.
  package static func command(_ name: CommandName) -> CommandSpec? { commands.first { $0.name == name } }

  /// Options of the tool itself, before any command.
  package static let toolOptions = [
    OptionSpec(.help, short: "h", "show this help"),
    OptionSpec(.version, "show the version"),
  ]

  // MARK: Options that several commands share

  private static let folder = OptionSpec(
    .output, short: "o", taking: ValueSpec("DIR", .folder),
    "the folder for both files, created if missing (default: the current one)")
  private static let name = OptionSpec(
    .name, taking: ValueSpec("STEM", .stem), "the files' name without extension (default: that of the first operand)")
  private static let force = OptionSpec(.force, short: "f", "replace files that exist")
  private static let durable = OptionSpec(.durable, "return only when the files are safe on the disk")
  private static let json = OptionSpec(.json, "print the result as JSON")
  private static let quiet = OptionSpec(
    .quiet, short: "q",
    "no progress and no warnings; errors, and the result on standard output, are printed all the same")
  private static let quality = OptionSpec(
    .quality, taking: ValueSpec("1-100", .number(1...100)), "the still's quality (default: 80 for HEIC, 90 for JPEG)")
  private static let preset = OptionSpec(
    .preset,
    taking: ValueSpec("ultrafast|veryfast|medium|slow", .choice(StillEffort.allCases.map(\.rawValue))),
    "how much work goes into a HEIC: less is faster, more is smaller (default: veryfast)")
  private static let tile = OptionSpec(
    .tile, taking: ValueSpec("N|none", .tile), "the side of a HEIC's tiles in pixels (default: 512)")
  private static let threads = OptionSpec(
    .threads, taking: ValueSpec("N", .number(1...1024)), "the number of threads (default: all cores)")
  private static let strip = OptionSpec(
    .strip, taking: ValueSpec("location|all", .choice(MetadataStripping.allCases.map(\.rawValue))),
    "leave out where it was, or all metadata that is not needed")
  private static let start = OptionSpec(
    .start, taking: ValueSpec("TIME", .time(words: [])), "keep the movie from this time on")
  private static let trim = OptionSpec(
    .trim, taking: ValueSpec("frame|keyframe", .choice(["frame", "keyframe"])),
    "cut at any frame, hiding those that are needed to decode it, or at key frames, hiding none (default: frame)")
  private static let placing = [force, durable]
  private static let reporting = [json, quiet]

  // MARK: The commands

  private static let make = CommandSpec(
    .make, "make a Live Photo from a clip",
    details: [
      "Writes STEM.HEIC (or STEM.JPG) and STEM.MOV, tied together by one identifier. Video and sound are copied as "
        + "they are; the still is a frame of the clip, or the picture given with --photo.",
      "The moment is the one given with --at; else the one that the clip itself marks; else the middle.",
      "With --still copy the still is a key frame of HEVC video as it is coded, the one at that moment or next to it within "
        + "--tolerance: nothing is decoded and nothing lost. How far it is from the moment is printed.",
      "Of a clip longer than 5 seconds the movie keeps the 3 seconds around that moment; --start and --duration choose "
        + "another part, --duration full keeps all. What was cut is printed, and how many hidden frames are left.",
      momentHelp,
    ],
    operands: [OperandSpec("VIDEO", "a QuickTime or MP4 clip")],
    options: [
      OptionSpec(
        .photo, taking: ValueSpec("IMAGE", .file), "use this JPEG, HEIC, PNG, PPM or PAM picture as the still"),
      OptionSpec(
        .at, taking: ValueSpec("TIME|N%|best", .moment(words: ["best"])),
        "the moment that the still shows; best: the best frame around the middle"),
      start,
      OptionSpec(
        .duration, taking: ValueSpec("TIME|full", .time(words: ["full"])),
        "how much of the clip the movie keeps (default: 3 seconds of a clip longer than 5)"),
      trim,
      OptionSpec(
        .format, taking: ValueSpec("heic|jpeg", .choice(["heic", "jpeg"])), "the still's format (default: heic)"),
      quality, preset,
      OptionSpec(
        .still, taking: ValueSpec("encode|copy", .choice(["encode", "copy"])),
        "encode the frame anew, or copy the bytes of a HEVC key frame into the HEIC (default: encode)"),
      OptionSpec(
        .tolerance, taking: ValueSpec("TIME", .time(words: [])),
        "how far from the moment the key frame of --still copy may be (default: 0)"),
      tile,
      strip,
      OptionSpec(.id, taking: ValueSpec("UUID", .identifier(words: [])), "use this identifier (default: a new one)"),
      folder, name, threads,
    ] + placing + reporting,
    examples: [
      .init(line: "livephoto make clip.mov", purpose: "clip.HEIC and clip.MOV in the current folder"),
      .init(line: "livephoto make clip.mp4 --at 1.5 --format jpeg -o out", purpose: "a JPEG still of second 1.5"),
    ])

  private static let pair = CommandSpec(
    .pair, "tie a photo and a movie together as a Live Photo",
    details: [
      "Writes copies of both that carry one identifier, and marks the still's moment in the movie. No pixel and no "
        + "sample is changed. The halves may be given in either order.",
      "With --in-place the files themselves become the pair: of the movie only the header is written, and it is the old movie "
        + "or the new one at every instant. Where there is no place for another header, this is said and nothing is written.",
      momentHelp,
    ],
    operands: [
      OperandSpec("PHOTO", "a JPEG or HEIC picture"), OperandSpec("VIDEO", "a QuickTime or MP4 movie"),
    ],
    options: [
      OptionSpec(
        .at, taking: ValueSpec("TIME|N%|match", .moment(words: ["match"])),
        "the moment that the photo shows (default: the one the movie marks, else the middle); match: the one it marks, else "
          + "that of the frame most like the photo, else the middle"),
      OptionSpec(
        .id, taking: ValueSpec("UUID|keep", .identifier(words: ["keep"])),
        "use this identifier, or keep the photo's or the movie's (default: a new one)"),
      OptionSpec(.keepMakerNote, "refuse to replace another maker's MakerNote in the photo"),
      OptionSpec(.inPlace, "change the two files themselves, in a moment for any length of movie"),
      strip,
      folder, name,
    ] + placing + reporting,
    examples: [.init(line: "livephoto pair IMG_1.jpg IMG_1.mp4 -o out", purpose: "out/IMG_1.JPG and out/IMG_1.MOV")])

  private static let remux = CommandSpec(
    .remux, "write a movie as QuickTime or MP4, whole or a part",
    details: [
      "No sample is coded again. Tracks, metadata and boxes are kept with their order, unknown ones too; fragmented "
        + "movies become ordinary ones.",
      timeHelp,
    ],
    operands: [OperandSpec("MOVIE", "a QuickTime or MP4 movie")],
    options: [
      OptionSpec(
        .output, short: "o", taking: ValueSpec("OUT.mov|OUT.mp4", .output([.mov, .mp4])), "the file to write",
        isRequired: true),
      start,
      OptionSpec(
        .duration, taking: ValueSpec("TIME|full", .time(words: ["full"])),
        "how much of the movie to keep (default: all)"),
      trim,
      OptionSpec(
        .header, taking: ValueSpec("first|last", .choice(["first", "last"])),
        "put the movie's header before or behind the media (default: where it was)"),
      OptionSpec(
        .interleave, taking: ValueSpec("TIME", .time(words: [])),
        "let tracks take turns by chunks of this length (default: as they were)"),
    ] + [force] + reporting,
    examples: [
      .init(line: "livephoto remux IMG_1.MOV -o IMG_1.mp4 --header first", purpose: "a MP4 that plays while it loads"),
      .init(
        line: "livephoto remux clip.mov -o part.mov --start 2 --duration 1.5", purpose: "second 2 to 3.5, to the frame"),
    ])

  private static let verify = CommandSpec(
    .verify, "check that a photo and a movie make a Live Photo",
    details: [
      "Prints findings, each with its rule, severity, reason and remedy. The exit code is 1 when there are errors "
        + "(with --strict also warnings), else 0. The halves may be given in either order."
    ],
    operands: [OperandSpec("PHOTO", "the still"), OperandSpec("VIDEO", "the movie")],
    options: [OptionSpec(.strict, "treat warnings as errors")] + reporting,
    examples: [.init(line: "livephoto verify IMG_1.HEIC IMG_1.MOV", purpose: "what is right and wrong with the pair")])

  private static let inspect = CommandSpec(
    .inspect, "show what is in pictures and movies",
    operands: [OperandSpec("FILE", "a JPEG, HEIC, PNG, QuickTime or MP4 file", count: .oneOrMore)],
    options: [OptionSpec(.boxes, "show the tree of boxes")] + reporting,
    examples: [.init(line: "livephoto inspect --boxes IMG_1.MOV", purpose: "the movie's structure")])

  private static let encode = CommandSpec(
    .encode, "encode a picture as HEIC or JPEG",
    details: [
      "Exif, XMP and the ICC profile go along; in a HEIC alpha too, and from HEIC to HEIC depth and gain maps, other "
        + "auxiliary pictures and thumbnails, as they are coded. What is left out is named in a warning."
    ],
    operands: [OperandSpec("IMAGE", "a PNG, PPM, PGM, PAM, Y4M, JPEG or HEIC picture")],
    options: [
      OptionSpec(
        .output, short: "o", taking: ValueSpec("OUT.heic|OUT.jpg", .output([.heic, .jpeg])), "the file to write",
        isRequired: true),
      quality,
      OptionSpec(.lossless, "keep every sample of the picture in a HEIC; RGB stays RGB"),
      preset, tile,
      OptionSpec(
        .subsampling, taking: ValueSpec("444|422|420|411|gray", .choice(["444", "422", "420", "411", "gray"])),
        "a JPEG's chroma (default: that of the picture, 420 for RGB)"),
      OptionSpec(.optimize, "make the shortest Huffman tables for a JPEG: a smaller file, in twice the time"),
      strip, threads,
    ] + [force] + reporting,
    examples: [.init(line: "livephoto encode picture.ppm -o picture.heic --quality 85", purpose: "a HEIC picture")])

  private static let decode = CommandSpec(
    .decode, "decode a picture, or the video of a movie or stream",
    details: [
      "A Y4M holds the samples as they were coded, of a movie or stream every frame in display order. A PNG, PPM or PAM holds RGB or grey; a PPM "
        + "of a grey picture is a PGM. PNG keeps alpha and the ICC profile, PAM alpha."
    ],
    operands: [
      OperandSpec(
        "INPUT",
        "a HEIC, JPEG, PNG or Netpbm picture, a HEVC or H.264 movie, a HEVC image sequence, or a bare HEVC or H.264 stream"
      )
    ],
    options: [
      OptionSpec(
        .output, short: "o",
        taking: ValueSpec("OUT.png|OUT.ppm|OUT.pam|OUT.y4m", .output([.png, .ppm, .pam, .y4m])),
        "the file to write", isRequired: true),
      OptionSpec(
        .item, taking: ValueSpec("ITEM", .item),
        "which picture of a HEIC: primary, thumbnail, alpha, depth, gainmap or an item's number (default: primary)"),
      OptionSpec(.asCoded, "leave the picture as it is stored, not turned and not cropped (default for Y4M)"),
      OptionSpec(.upright, "turn and crop the picture as it is to be shown (default but for Y4M)"),
      threads,
    ] + [force] + reporting,
    examples: [.init(line: "livephoto decode IMG_1.HEIC -o picture.png", purpose: "the picture, upright")])

  private static let demo = CommandSpec(
    .demo, "make a clip, turn it into a Live Photo and verify it",
    operands: [],
    options: [
      OptionSpec(
        .output, short: "o", taking: ValueSpec("DIR", .folder), "the folder for the files (default: livephoto-demo)")
    ] + [force] + reporting)

  private static let bench = CommandSpec(
    .bench, "measure the encoders",
    operands: [OperandSpec("WHAT", "jpeg, heic, hevc, mux or make", count: .optional)],
    options: [
      OptionSpec(.json, taking: ValueSpec("FILE", .file), "write the figures as JSON"),
      OptionSpec(.svg, taking: ValueSpec("FILE", .file), "draw a chart"),
    ], isLater: true)

  private static let completions = CommandSpec(
    .completions, "print completions for a shell",
    details: [
      "bash: put the output into ~/.local/share/bash-completion/completions/livephoto. zsh: put it into a file _livephoto "
        + "in a folder of $fpath. fish: put it into ~/.config/fish/completions/livephoto.fish."
    ],
    operands: [OperandSpec("SHELL", "bash, zsh or fish", .choice(Shell.allCases.map(\.rawValue)))],
    examples: [.init(line: "source <(livephoto completions bash)", purpose: "completions in this shell")])

  private static let man = CommandSpec(
    .man, "print the manual page",
    examples: [.init(line: "livephoto man > livephoto.1", purpose: "to be read with man ./livephoto.1")])

  private static let help = CommandSpec(
    .help, "show the help of a command",
    operands: [
      OperandSpec(
        "COMMAND", "the command; all of them without it", .choice(CommandName.allCases.map(\.rawValue)),
        count: .optional)
    ])

  private static let timeHelp =
    "TIME is in seconds (1.5 or .5), minutes and seconds (0:01.5), or a fraction of seconds (780/600)."
  private static let momentHelp = timeHelp + " N% is a part of the movie's length."
}

/// The shells that completions are made for.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

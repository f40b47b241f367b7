import LivePhotoCore
import Testing
import livephoto

/// A line split at its spaces, read as the words behind the tool's name.
func read(_ line: String) throws(UsageError) -> Invocation {
  try Invocation(line.split(separator: " ").map(String.init))
}

/// The error that a line leads to; nil when it is understood.
func usageError(_ line: String) -> UsageError? {
  do { _ = try read(line) } catch { return error }
  return nil
}

@Suite struct InvocationTests {
  let uuid = "6b3c9f0e-6a0f-4d55-9c44-0f1e2d3c4b5a"

  func make(_ line: String) throws -> MakeArguments {
    guard case .make(let arguments) = try read("make " + line) else { throw Unexpected() }
    return arguments
  }

  func pair(_ line: String) throws -> PairArguments {
    guard case .pair(let arguments) = try read("pair " + line) else { throw Unexpected() }
    return arguments
  }

  @Test func makeHasDefaults() throws {
    let make = try make("clip.mov")
    #expect(make.video == "clip.mov")
    #expect((make.photo, make.moment, make.quality, make.identifier) == (nil, nil, nil, nil))
    #expect((make.tile, make.threads, make.output.stem) == (nil, nil, nil))
    #expect((make.format, make.preset, make.output.path) == (.heic, nil, "."))
    #expect(
      [make.output.force, make.output.durable, make.report.json, make.report.quiet] == [false, false, false, false])
  }

  @Test func makeTakesAllItsOptions() throws {
    let make = try make(
      "--photo p.jpg --at=780/600 clip.mov --format heic --quality 90 --tile 256 --still encode --id \(uuid) "
        + "-oout --name IMG --force --durable --json -q --threads 3")
    #expect((make.video, make.photo) == ("clip.mov", "p.jpg"))
    #expect(make.moment == .time(RationalTime(780, 600)))
    #expect((make.format, make.quality, make.tile, make.threads) == (.heic, 90, .side(256), 3))
    #expect(make.codingOptions == ["--format", "--quality", "--tile", "--still"])
    #expect(make.identifier?.text == uuid.uppercased())
    #expect((make.output.path, make.output.stem) == ("out", "IMG"))
    #expect([make.output.force, make.output.durable, make.report.json, make.report.quiet] == [true, true, true, true])
  }

  @Test func whatIsKeptIsRead() throws {
    #expect(try make("x").cut == CutArguments())
    let part = try make("x --start 0:02 --duration 3/2 --trim keyframe").cut
    #expect(part == CutArguments(start: RationalTime(2, 1), duration: .time(RationalTime(3, 2)), isAtKeyFrames: true))
    #expect(try make("x --duration full --trim frame").cut == CutArguments(duration: .full))
    for line in ["make x --start 50%", "make x --duration 0", "make x --duration none", "make x --trim here"] {
      guard case .invalidValue = usageError(line) else { throw Unexpected() }
    }
  }

  @Test func remuxTakesAllItsOptions() throws {
    let line = "remux a.mov -o b.MP4 --start 1.5 --duration 2 --header first --interleave 0.5 -f --json"
    guard case .remux(let remux) = try read(line) else { throw Unexpected() }
    #expect((remux.movie, remux.format, remux.output.path) == ("a.mov", .mp4, "b.MP4"))
    #expect(remux.cut == CutArguments(start: RationalTime(3, 2), duration: .time(RationalTime(2, 1))))
    #expect((remux.isHeaderFirst, remux.interleaving) == (true, RationalTime(1, 2)))
    #expect([remux.output.force, remux.report.json] == [true, true])
    guard case .remux(let plain) = try read("remux a.mp4 -o b.mov") else { throw Unexpected() }
    #expect((plain.format, plain.cut, plain.isHeaderFirst, plain.interleaving) == (.mov, CutArguments(), nil, nil))
    #expect(usageError("remux a.mov") == .missingOption("-o OUT.mov|OUT.mp4"))
    for line in ["remux a.mov -o b.mkv", "remux a.mov -o b.mov --interleave 0", "remux a.mov -o b.mov --header top"] {
      guard case .invalidValue = usageError(line) else { throw Unexpected() }
    }
  }

  @Test func pairReadsItsIdentifier() throws {
    #expect(try pair("a b").identifier == .new)
    #expect(try pair("a b --id keep").identifier == .keep)
    let pair = try pair("a --at 50% b --id \(uuid) --keep-makernote")
    #expect((pair.photo, pair.video, pair.keepsMakerNote) == ("a", "b", true))
    #expect(pair.moment == .fraction(RationalTime(1, 2)))
    #expect(try pair.identifier == .given(#require(ContentIdentifier(uuid: uuid))))
  }

  @Test func theOtherCommandsReadTheirs() throws {
    guard case .verify(let verify) = try read("verify a b --strict --json") else { throw Unexpected() }
    #expect((verify.photo, verify.video, verify.isStrict, verify.report.json) == ("a", "b", true, true))
    guard case .inspect(let inspect) = try read("inspect a b c --boxes") else { throw Unexpected() }
    #expect((inspect.files, inspect.showsBoxes) == (["a", "b", "c"], true))
    guard case .encode(let encode) = try read("encode in.ppm -o dir.x/Out.HEIC --tile none") else { throw Unexpected() }
    #expect((encode.input, encode.format, encode.output.path) == ("in.ppm", .heic, "dir.x/Out.HEIC"))
    #expect((encode.tile, encode.isLossless) == (TileArgument.none, false))
    guard case .encode(let exact) = try read("encode in.ppm -o o.heic --lossless --preset slow") else {
      throw Unexpected()
    }
    #expect((exact.isLossless, exact.preset, exact.quality) == (true, .slow, nil))
    #expect(try self.make("a.mov --preset ultrafast").preset == .ultrafast)
    guard case .encode(let jpeg) = try read("encode in.ppm -o o.jpg --subsampling 411 --optimize --threads 2") else {
      throw Unexpected()
    }
    #expect((jpeg.subsampling, jpeg.optimizes, jpeg.threads) == ("411", true, 2))
    guard case .decode(let decode) = try read("decode in -o out.y4m --item 49 --as-coded") else { throw Unexpected() }
    #expect((decode.input, decode.format, decode.output.path) == ("in", .y4m, "out.y4m"))
    #expect((decode.item, decode.isUpright) == (.number(49), false))
    guard case .demo(let demo) = try read("demo"), case .demo(let there) = try read("demo -o x") else {
      throw Unexpected()
    }
    #expect((demo.output.path, there.output.path) == ("livephoto-demo", "x"))
    #expect(try read("completions fish") == .completions(.fish))
    #expect(try read("man") == .man)
    #expect(try read("--version") == .version)
  }

  @Test func helpIsGivenWhereverItIsAskedFor() throws {
    #expect(try read("--help") == .help(nil))
    #expect(try read("help") == .help(nil))
    #expect(try read("help pair") == .help(.pair))
    for name in CommandName.allCases {
      #expect(try read("\(name.rawValue) --nonsense --help") == .help(name))
      #expect(try read("\(name.rawValue) -h") == .help(name))
    }
    #expect(usageError("make clip -- --help") == .extraOperand("--help", usage: "livephoto make VIDEO [options]"))
  }

  @Test(arguments: [("inspect -- -a --json", ["-a", "--json"]), ("inspect -", ["-"]), ("inspect -- --", ["--"])])
  func wordsBehindTwoDashesAreOperands(line: String, files: [String]) throws {
    guard case .inspect(let inspect) = try read(line) else { throw Unexpected() }
    #expect(inspect.files == files)
  }

  @Test(arguments: [
    ("", UsageError.noCommand, "no command is given"),
    ("mkae x", .unknownCommand("mkae", suggestion: "make"), "there is no command 'mkae'; did you mean make?"),
    ("xyzzy", .unknownCommand("xyzzy", suggestion: nil), "there is no command 'xyzzy'"),
    ("--json make x", .optionBeforeCommand("--json"), "--json stands before the command; options go behind it"),
    (
      "--verson", .unknownOption("--verson", suggestion: "--version"),
      "there is no option --verson; did you mean --version?"
    ),
    (
      "make x --qualiyt 3", .unknownOption("--qualiyt", suggestion: "--quality"),
      "there is no option --qualiyt; did you mean --quality?"
    ),
    (
      "make x --Quality 3", .unknownOption("--Quality", suggestion: "--quality"),
      "there is no option --Quality; did you mean --quality?"
    ),
    ("make x -z", .unknownOption("-z", suggestion: nil), "there is no option -z"),
    ("make x --zzzzzz=1", .unknownOption("--zzzzzz", suggestion: nil), "there is no option --zzzzzz"),
    (
      "make x --quality", .missingValue(option: "--quality", found: nil, expected: "a whole number from 1 to 100"),
      "--quality needs a value: a whole number from 1 to 100"
    ),
    (
      "make x --quality --json",
      .missingValue(option: "--quality", found: "--json", expected: "a whole number from 1 to 100"),
      "--quality needs a value, found the option --json, expected a whole number from 1 to 100"
    ),
    (
      "make x --quality abc",
      .invalidValue(option: "--quality", found: "abc", expected: "a whole number from 1 to 100"),
      "--quality: found 'abc', expected a whole number from 1 to 100"
    ),
    ("make x --json=yes", .unexpectedValue(option: "--json", found: "yes"), "--json takes no value, found 'yes'"),
    ("make x --force -f", .repeatedOption("--force"), "--force is given twice"),
    ("make x --at 1 --at 2", .repeatedOption("--at"), "--at is given twice"),
    ("make", .missingOperand("VIDEO", meaning: "a QuickTime or MP4 clip"), "VIDEO is missing: a QuickTime or MP4 clip"),
    (
      "pair a", .missingOperand("VIDEO", meaning: "a QuickTime or MP4 movie"),
      "VIDEO is missing: a QuickTime or MP4 movie"
    ),
    (
      "inspect", .missingOperand("FILE", meaning: "a JPEG, HEIC, PNG, QuickTime or MP4 file"),
      "FILE is missing: a JPEG, HEIC, PNG, QuickTime or MP4 file"
    ),
    (
      "make a b", .extraOperand("b", usage: "livephoto make VIDEO [options]"),
      "'b' is one operand too many, expected livephoto make VIDEO [options]"
    ),
    ("encode a", .missingOption("-o OUT.heic|OUT.jpg"), "-o OUT.heic|OUT.jpg is missing"),
    (
      "encode a -o b.webp",
      .invalidValue(
        option: "--output", found: "b.webp", expected: "a file name that ends in .heic, .heif, .jpg or .jpeg"),
      "--output: found 'b.webp', expected a file name that ends in .heic, .heif, .jpg or .jpeg"
    ),
    (
      "encode a -o b.heic --lossless --quality 90", .conflict("--lossless", "--quality"),
      "--lossless and --quality exclude each other"
    ),
    (
      "encode a -o b.jpg --lossless", .conflict("--lossless", "a JPEG file"),
      "--lossless and a JPEG file exclude each other"
    ),
    (
      "make a --format jpeg --preset slow", .conflict("--preset", "--format jpeg"),
      "--preset and --format jpeg exclude each other"
    ),
    (
      "make a --format jpeg --tile 512", .conflict("--tile", "--format jpeg"),
      "--tile and --format jpeg exclude each other"
    ),
    (
      "encode a -o b.heic --preset placebo",
      .invalidValue(option: "--preset", found: "placebo", expected: "ultrafast, veryfast, medium or slow"),
      "--preset: found 'placebo', expected ultrafast, veryfast, medium or slow"
    ),
    ("encode a -o b.jpg --tile 512", .conflict("--tile", "a JPEG file"), "--tile and a JPEG file exclude each other"),
    (
      "encode a -o b.heic --optimize", .conflict("--optimize", "a HEIC file"),
      "--optimize and a HEIC file exclude each other"
    ),
    (
      "decode a -o b.ppm --as-coded --upright", .conflict("--as-coded", "--upright"),
      "--as-coded and --upright exclude each other"
    ),
    (
      "completions csh", .invalidValue(option: "SHELL", found: "csh", expected: "bash, zsh or fish"),
      "SHELL: found 'csh', expected bash, zsh or fish"
    ),
  ])
  func errorsNameWhatIsWrong(line: String, error: UsageError, text: String) {
    #expect(usageError(line) == error)
    #expect(error.description == text)
  }

  @Test func metadataIsLeftOutWhereAsked() {
    for what in MetadataStripping.allCases {
      for line in ["make x", "pair x y", "encode x -o y.heic"] {
        let strips: MetadataStripping? =
          switch try? read("\(line) --strip \(what.rawValue)") {
          case .make(let arguments): arguments.strips
          case .pair(let arguments): arguments.strips
          case .encode(let arguments): arguments.strips
          default: nil
          }
        #expect(strips == what, "\(line)")
      }
    }
    #expect(usageError("pair x y --strip all --keep-makernote") == .conflict("--keep-makernote", "--strip"))
  }

  @Test func framesAreLookedIntoOnRequest() throws {
    #expect(try make("x --at best").moment == .best)
    guard case .pair(let pair) = try read("pair x y --at=match") else { throw Unexpected() }
    #expect(pair.moment == .match)
    #expect(throws: UsageError.self) { try read("make x --at match") }
    #expect(throws: UsageError.self) { try read("pair x y --at best") }
  }

  @Test func aStillIsCopiedOnRequest() throws {
    #expect(try make("x").copyTolerance == nil)
    #expect(try make("x --still encode").copyTolerance == nil)
    #expect(try make("x --still copy").copyTolerance == .zero)
    #expect(try make("x --still copy --tolerance 0.25").copyTolerance == RationalTime(1, 4))
    #expect(usageError("make x --tolerance 1") == .without("--tolerance", "--still copy"))
    #expect(usageError("make x --still copy --quality 80") == .conflict("--quality", "--still copy"))
    #expect(usageError("make x --still copy --format jpeg") == .conflict("--format jpeg", "--still copy"))
  }

  @Test(arguments: [
    ("bench", "the command bench"), ("bench jpeg --json x", "the command bench"),
  ])
  func whatComesLaterIsSaidToBeMissing(line: String, feature: String) {
    #expect(usageError(line) == .notInThisVersion(feature))
    #expect(UsageError.notInThisVersion(feature).description == "\(feature) is not in this version")
  }

  @Test(arguments: ["", "6B3C9F0E", "6B3C9F0E-6A0F-4D55-9C44-0F1E2D3C4B5G", "6B3C9F0E6A0F4D559C440F1E2D3C4B5A", "keep"])
  func aMalformedIdentifierIsWrongUsage(text: String) {
    #expect(throws: UsageError.self) { try Invocation(["make", "x", "--id", text]) }
    if text != "keep" { #expect(throws: UsageError.self) { try Invocation(["pair", "x", "y", "--id=\(text)"]) } }
  }

  @Test(arguments: ["a/b", "", ".", "..", "/", "-x", "a\nb", "a\u{0}b"])
  func aStemIsNoPath(text: String) {
    #expect(throws: UsageError.self) { try Invocation(["make", "x", "--name=\(text)"]) }
  }

  @Test func noLineOfOddWordsCrashes() {
    let words = [
      "make", "pair", "inspect", "--", "-", "--at", "--id=", "-o", "-o=", "=", "--=", "---", "\u{0}", "é", "--quality",
      "99999999999999999999", "%", "1/0", "--help=1", "-hx", "👩‍👩‍👧", "",
    ]
    for a in words {
      for b in words {
        _ = try? Invocation([a, b])
        _ = try? Invocation(["make", a, b])
        _ = try? Invocation(["decode", a, "x", b])
      }
    }
  }
}

/// A line was understood as something else.
struct Unexpected: Error {}

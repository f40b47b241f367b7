import LivePhotoEngine

/// Makes a pair from a clip that the engine makes, and another from that clip, in the folder that is given.
let folder = CommandLine.arguments[1]
let clip = try Demonstration().run(in: folder).clip
let pair = try LivePhotoMaker().make(
  from: clip, still: .at(.fraction(0.25)), format: .jpeg(quality: 85),
  into: PairDestination(folder: folder, stem: "again"))
let report = try PairVerifier().verify(photo: pair.photo, movie: pair.movie)
guard report.errors.isEmpty, pair.photo.hasSuffix("again.JPG") else { fatalError("\(report)") }
print("it works")

internal import LivePhotoEngine

/// `inspect`: what is in each of some files.
extension Tool {
  func inspect(_ arguments: InspectArguments) throws -> ExitCode {
    var reports: [FileReport] = []
    var code = ExitCode.done
    for file in arguments.files {
      do {
        let report = try FileInspector().inspect(file, boxes: arguments.showsBoxes)
        if !arguments.report.quiet { for warning in report.warnings { console.warning("\(file): \(warning)") } }
        if !arguments.report.json {
          if arguments.files.count > 1, file != arguments.files.first { console.line("") }
          for line in report.lines { console.line(line) }
        }
        reports.append(report)
      } catch {
        console.error("\(error)")
        code = .failed
      }
    }
    if arguments.report.json { try console.json(InspectResult(files: reports)) }
    return code
  }
}

/// The JSON of `inspect`.
struct InspectResult: Encodable {
  let version = 1
  let files: [FileReport]
}

extension FileReport {
  /// The report as text.
  fileprivate var lines: [String] {
    var lines = ["\(file): \(kind.phrase), \(bytes) bytes"]
    if let photo { lines += photo.lines }
    if let movie { lines += movie.lines }
    lines.append(field("identifier", identifier ?? "none"))
    if let boxes { lines += ["  boxes"] + boxes.flatMap { $0.lines(indent: 2) } }
    return lines
  }
}

extension PhotoReport {
  fileprivate var lines: [String] {
    var lines = [field("coding", coding)]
    if let codedSize { lines.append(field("stored size", codedSize.text)) }
    if let displaySize { lines.append(field("shown size", displaySize.text)) }
    lines.append(field("orientation", turn(orientation)))
    if let brands { lines.append(field("brands", brands.joined(separator: " "))) }
    if let items { lines.append(field("items", "\(items)")) }
    lines += (pictures ?? []).map { field("item \($0.item)", $0.text) }
    lines += (groups ?? []).map { field("group \($0.type)", $0.text) }
    lines += (metadata ?? []).map { field("item \($0.item)", $0.text) }
    if let attachments, !attachments.isEmpty { lines.append(field("also holds", attachments.joined(separator: ", "))) }
    if let video {
      lines.append(field("video", "\(video.bytes) bytes at \(video.offset)"))
      lines += (video.movie?.lines ?? []).map { "  " + $0 }
    }
    lines += png?.lines ?? []
    lines.append(field("XMP", hasXMP ? "yes" : "none"))
    return lines + (exif.map(\.lines) ?? [field("Exif", "none")])
  }
}

extension ExifReport {
  fileprivate var lines: [String] {
    let camera = [make, model].compactMap(\.self).joined(separator: " ")
    let taken = [dateTimeOriginal, offsetTimeOriginal].compactMap(\.self).joined(separator: " ")
    return [
      camera.isEmpty ? nil : field("camera", camera), taken.isEmpty ? nil : field("taken", taken),
      makerNote.map { field("MakerNote", $0) }, field("position", hasPosition ? "yes" : "none"),
    ].compactMap(\.self)
  }
}

extension BoxNode {
  /// A line for this box and each inside it.
  fileprivate func lines(indent: Int) -> [String] {
    let line = String(repeating: "  ", count: indent) + "\(type)  \(size) bytes at \(offset)"
    return [line] + (children ?? []).flatMap { $0.lines(indent: indent + 1) }
  }
}

extension DisplaySize {
  var text: String { "\(width)x\(height)" }
}

/// A name and its value, in two columns.
func field(_ name: String, _ value: String) -> String {
  "  " + name + String(repeating: " ", count: max(1, 13 - name.count)) + value
}

/// Why bytes from outside could not be read: what was found, what was expected, and where.
///
/// One error serves every reader of structure (boxes, TIFF, JPEG segments, parameter sets): they
/// differ in their place, not in the kind of thing that goes wrong.
public enum ParseError: Error, Equatable, Sendable {
  /// Fewer bytes were left than the structure needs.
  case truncated(needed: Int, available: Int, at: Place)
  /// A field holds a value that the format does not allow here.
  case invalid(_ field: String, found: String, expected: String, at: Place)
  /// A count or size is beyond what ``Limits`` allows.
  case beyondLimit(_ quantity: String, found: Int, limit: Int, at: Place)
  /// The structure is valid but of a kind that this engine does not read.
  case unsupported(_ feature: String, at: Place)
  /// A structure that has to be there is not.
  case missing(_ structure: String, at: Place)
  /// The bytes themselves could not be read.
  case source(SourceError)
}

/// A place in a file: a byte offset and the path of the boxes (or segments, or directories) around it.
public struct Place: Equatable, Sendable {
  /// The offset in bytes from the start of the file, or of the blob that was handed to the reader.
  public var offset: Int
  /// The names of the enclosing structures, outermost first, such as `["moov", "trak", "tkhd"]`.
  public var path: [String]

  /// Names a place.
  public init(offset: Int, path: [String] = []) {
    self.offset = offset
    self.path = path
  }
}

extension Place: CustomStringConvertible {
  /// The place as text: `moov/trak/tkhd at byte 1234`.
  public var description: String {
    path.isEmpty ? "byte \(offset)" : "\(path.joined(separator: "/")) at byte \(offset)"
  }
}

extension ParseError: CustomStringConvertible {
  /// The place and the cause in one line.
  public var description: String {
    switch self {
    case .truncated(let needed, let available, let place):
      "\(place): needs \(needed) bytes, \(available) are left"
    case .invalid(let field, let found, let expected, let place):
      "\(place): \(field) is \(found), expected \(expected)"
    case .beyondLimit(let quantity, let found, let limit, let place):
      "\(place): \(quantity) is \(found), beyond the limit of \(limit)"
    case .unsupported(let feature, let place):
      "\(place): \(feature) is not supported"
    case .missing(let structure, let place):
      "\(place): \(structure) is missing"
    case .source(let error):
      error.description
    }
  }

  /// The same error inside one more enclosing structure.
  public func inside(_ name: String) -> ParseError {
    func wrap(_ place: Place) -> Place { Place(offset: place.offset, path: [name] + place.path) }
    return switch self {
    case .truncated(let needed, let available, let place):
      .truncated(needed: needed, available: available, at: wrap(place))
    case .invalid(let field, let found, let expected, let place):
      .invalid(field, found: found, expected: expected, at: wrap(place))
    case .beyondLimit(let quantity, let found, let limit, let place):
      .beyondLimit(quantity, found: found, limit: limit, at: wrap(place))
    case .unsupported(let feature, let place): .unsupported(feature, at: wrap(place))
    case .missing(let structure, let place): .missing(structure, at: wrap(place))
    case .source: self
    }
  }
}

import LivePhotoCore
import LivePhotoHEIF
import Testing

/// What accompanies a picture of a damaged file, and must not damage the next one.
@Suite struct CompanionTests {
  private var builder = HEIFBuilder()
  private let primary: HEIFItem.ID

  init() {
    primary = builder.addHEVCImage([1, 2, 3], configuration: [1], width: 64, height: 64)
    builder.primaryItem = primary
  }

  private func file() throws -> HEIFFile { try HEIFFile(parsing: MemorySource(builder.plan().materialized())) }

  private mutating func addImage(_ bytes: [UInt8] = [4, 5], configuration: [UInt8]? = [1], size: UInt32? = 64)
    -> HEIFItem.ID
  {
    let id = builder.addItem("hvc1", isHidden: true, content: .bytes(bytes))
    if let configuration { builder.addProperty(.hevcConfiguration(configuration), to: id) }
    if let size { builder.addProperty(.spatialExtents(width: size, height: size), to: id) }
    return id
  }

  private mutating func addDerived(_ type: FourCC, from sources: [HEIFItem.ID]) -> HEIFItem.ID {
    let content: ItemContent = .inline(type == "grid" ? [0, 0, 0, UInt8(sources.count - 1), 0, 64, 0, 64] : [])
    let id = builder.addItem(type, isHidden: true, content: content)
    builder.addProperty(.spatialExtents(width: 64, height: 64), to: id)
    builder.addReference("dimg", from: id, to: sources)
    return id
  }

  @Test("An item is whole with its bytes, its size and its configuration, and with all that it is made of")
  mutating func isWhole() throws {
    let image = addImage()
    let damaged = [addImage([]), addImage(configuration: nil), addImage(size: nil)]
    let grid = addDerived("grid", from: [image, image]), ofPicture = addDerived("iden", from: [primary])
    let ofDamaged = damaged.map { addDerived("grid", from: [image, $0]) }
    let ofNothing = addDerived("iden", from: [])
    let all = [primary, image, grid, ofPicture, ofNothing, 9999] + damaged + ofDamaged
    #expect(try PictureCompanions(of: primary, in: file()).whole(among: all) == [image, grid, ofPicture])
  }

  @Test("What is made of itself, or too deep to be taken apart, is not whole") mutating func circles() throws {
    let first = addDerived("iden", from: [2]), second = addDerived("iden", from: [first])
    builder.addReference("dimg", from: first, to: [second])
    var chain = [addImage()]
    for _ in 0..<2 * Limits.standard.derivationDepth { chain.append(addDerived("iden", from: chain.suffix(1))) }
    // Each of these is made of all before it: looked at again for each, they would take for ever.
    for _ in 0..<200 { chain.append(addDerived("iden", from: chain)) }
    let whole = try PictureCompanions(of: primary, in: file()).whole(among: [first, second] + chain.reversed())
    #expect(whole == Set(chain.prefix(Limits.standard.derivationDepth + 1)))
  }

  @Test("Metadata goes along with what it describes, but for what describes metadata") mutating func metadata() throws {
    let image = addImage()
    builder.addProperty(.auxiliaryType("urn:x", subtype: []), to: image)
    builder.addReference("auxl", from: image, to: [primary])
    let xmp = builder.addXMP([1], describing: image), inner = builder.addXMP([2], describing: xmp)
    builder.addReference("cdsc", from: xmp, to: [inner])
    let companions = try PictureCompanions(of: primary, in: file())
    var copy = HEIFBuilder()
    copy.primaryItem = copy.addHEVCImage([1], configuration: [1], width: 64, height: 64)
    try copy.add(companions, to: try #require(copy.primaryItem))
    #expect(copy.items.map(\.type) == ["hvc1", "hvc1", "mime"])
    #expect(copy.references.map(\.type) == ["cdsc", "auxl"])
  }
}

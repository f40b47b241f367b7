import LivePhotoBitstream
import LivePhotoCore
import LivePhotoH264Kernels

/// Decodes pictures of one size of samples, slice by slice (ITU-T H.264, 8).
final class PictureDecoder<Sample: KernelSample> {
  /// What is known of a picture while its slices come.
  private struct Current {
    var frame: Frame<Sample>
    var header: SliceHeader
    var sps: H264SequenceParameterSet
    var filters: [SliceFilter] = []
    var damage: String?
    var refersToBroken = false
    var isAdaptive: Bool
  }

  private let kernels: KernelSet<Sample>
  private let tables = DecoderTables()
  private let work = WorkingMemory<Sample>()
  private var store: MacroblockStore?
  private var scales: (sps: H264SequenceParameterSet, pps: H264PictureParameterSet, tables: ScaleTables)?
  private var buffer = DecodedPictureBuffer<Sample>()
  private var order = PictureOrder()
  private var current: Current?
  /// A frame of which the first field is decoded.
  private var pending: (frame: Frame<Sample>, header: SliceHeader)?
  private var sequence: H264SequenceParameterSet?
  /// `frame_num` of the last reference picture; nil before the first picture.
  private var previousNumber: Int?
  /// Where pictures are right again after decoding began without what they refer to (D.2.8).
  private var recovery = Recovery()
  private var payload = Table<UInt8>(count: 0, fill: 0)

  init(kernels: KernelSet<Sample>) { self.kernels = kernels }

  deinit {
    tables.free()
    work.free()
    store?.free()
    scales?.tables.free()
    payload.free()
  }

  /// Decodes a slice; `rbsp` is its payload without emulation prevention.
  func decode(
    _ header: SliceHeader, _ pps: H264PictureParameterSet, _ sps: H264SequenceParameterSet, rbsp: [UInt8], tag: Int64
  ) throws(H264Error) {
    guard header.redundantCount == 0 else { return }
    if let current, !header.continues(current.header, sps) { finishPicture() }
    if current == nil { begin(header, sps, tag: tag) }
    decodeSlice(header, pps, sps, rbsp)
  }

  /// Says that a picture follows which may be the first of those that are right again.
  func expectRecovery(after count: Int) { recovery.expect(after: count) }

  /// Says that no slice follows for the current picture.
  func finishPicture() {
    guard let current else { return }
    self.current = nil
    filter(current)
    complete(current)
  }

  /// Says that no picture follows.
  func finish() {
    finishPicture()
    completePending()
    buffer.flush()
  }

  /// The next picture in output order.
  func nextPicture() -> (image: PlanarImage, tag: Int64, damage: String?)? {
    guard let frame = buffer.nextOutput() else { return nil }
    let result = frame.sequence.map { (frame.image($0.format), frame.tag, frame.damage) }
    buffer.recycle(frame)
    return result
  }
}

// MARK: Pictures

extension PictureDecoder {
  private func begin(_ header: SliceHeader, _ sps: H264SequenceParameterSet, tag: Int64) {
    let second = pending.flatMap { header.isSecondField(of: $0.header) ? $0.frame : nil }
    if second == nil {
      completePending()
      activate(sps)
      if header.isIDR {
        buffer.forgetAll()
        buffer.flush()
      } else {
        fillGap(before: header, sps)
      }
    }
    let frame = second ?? buffer.makeFrame(Geometry(sps))
    if second == nil {
      frame.tag = tag
      frame.number = header.frameNumber
      frame.isCodedAsFields = header.structure.isField
      frame.sequence = sps
      store?.slices.fill(with: -1)
    }
    let orders = order.orders(header, sps)
    switch header.structure {
    case .frame: frame.orders = orders
    case .topField: frame.orders[0] = orders[0]
    case .bottomField: frame.orders[1] = orders[1]
    }
    if second == nil, header.structure.isField {
      frame.orders[1 - header.structure.parity] = orders[header.structure.parity]
    }
    current = Current(frame: frame, header: header, sps: sps, isAdaptive: header.isAdaptive(sps))
    recovery.begin(header, sps)
  }

  private func activate(_ sps: H264SequenceParameterSet) {
    guard sps != sequence else { return }
    if sequence.map(Geometry.init) != Geometry(sps) || store == nil {
      buffer.forgetAll()
      buffer.flush()
      store?.free()
      store = MacroblockStore(Geometry(sps))
      previousNumber = nil
    }
    buffer.configure(sps)
    sequence = sps
  }

  /// Puts frames in for numbers that are missing (8.2.5.2).
  private func fillGap(before header: SliceHeader, _ sps: H264SequenceParameterSet) {
    guard let previous = previousNumber, header.frameNumber != previous else { return }
    let range = 1 << sps.frameNumberBits
    let missing = (header.frameNumber - previous - 1 + range) % range
    // Only as many as are referred to leave a trace.
    for step in stride(from: min(missing, max(sps.maxReferenceFrames, 1)), to: 0, by: -1) {
      let frame = buffer.makeFrame(Geometry(sps))
      frame.number = (header.frameNumber - step + range) % range
      frame.isMissing = true
      frame.isComplete = true
      frame.fields = 3
      var gap = header
      gap.frameNumber = frame.number
      buffer.number(for: gap, sps)
      buffer.slideWindow(sps, besides: frame)
      frame.shortTerm = 3
      frame.wrappedNumber = frame.number
      buffer.insert(frame)
      buffer.shrink()
    }
    if missing > 0 { previousNumber = (header.frameNumber - 1 + range) % range }
  }

  private func completePending() {
    guard let pending else { return }
    self.pending = nil
    pending.frame.isComplete = true
    buffer.shrink()
  }

  /// Marks references and lets frames out (8.2.5 and C.4.4).
  private func complete(_ current: Current) {
    let frame = current.frame, header = current.header
    let isSecond = frame.fields != 0
    frame.fields |= header.structure.fields
    if let damage = current.damage { frame.damage = frame.damage ?? damage }
    if current.refersToBroken, !recovery.isReached {
      frame.damage = frame.damage ?? "a picture that it refers to is missing or damaged"
    }
    var forgotAll = false
    if header.referenceIDC > 0 {
      forgotAll = buffer.mark(frame, header, current.sps)
      previousNumber = header.frameNumber
    } else if previousNumber == nil {
      previousNumber = header.frameNumber
    }
    if forgotAll { forget(before: frame, header) }
    if !isSecond { frame.isWaiting = true }
    buffer.insert(frame)
    if header.structure.isField, !isSecond {
      pending = (frame, header)
      return
    }
    pending = nil
    frame.isComplete = true
    buffer.shrink()
  }

  /// Begins to count anew after a picture that ends all references (8.2.1).
  private func forget(before frame: Frame<Sample>, _ header: SliceHeader) {
    let isWaiting = frame.isWaiting
    frame.isWaiting = false
    buffer.flush()
    frame.isWaiting = isWaiting
    previousNumber = 0
    frame.number = 0
    switch header.structure {
    case .frame:
      let least = min(frame.orders[0], frame.orders[1])
      frame.orders = [frame.orders[0] - least, frame.orders[1] - least]
    case .topField: frame.orders[0] = 0
    case .bottomField: frame.orders[1] = 0
    }
    order.forgetAll(structure: header.structure, top: frame.orders[0])
  }
}

// MARK: Slices

extension PictureDecoder {
  private func decodeSlice(
    _ header: SliceHeader, _ pps: H264PictureParameterSet, _ sps: H264SequenceParameterSet, _ rbsp: [UInt8]
  ) {
    guard var picture = current, let store else { return }
    let number = picture.filters.count
    picture.filters.append(
      SliceFilter(
        mode: header.deblocking, alphaOffset: header.deblockingOffsets[0], betaOffset: header.deblockingOffsets[1],
        chromaOffsets: (pps.chromaQPOffsets[0], pps.chromaQPOffsets[1])))
    let lists = ReferenceLists(header, sps, buffer: buffer, current: picture.frame)
    let references = SliceReferences(
      lists, header, picture.frame, isAdaptive: picture.isAdaptive,
      isImplicit: header.type == .b && pps.biprediction == 2, work: work)
    let parts = SliceParts(
      header: header, sps: sps, pps: pps, kernels: kernels, tables: tables, scales: scaleTables(sps, pps), store: store,
      work: work, frame: picture.frame, references: references)
    hold(rbsp)
    var slice = SliceDecoder(
      parts, bits: SliceBits(payload, count: rbsp.count, position: header.dataPosition), number: Int32(number))
    do { _ = try slice.decode() } catch {
      if case .damaged(let reason) = error { picture.damage = picture.damage ?? reason }
      work.coefficients.fill(with: 0)
    }
    if slice.refersToBroken { picture.refersToBroken = true }
    current = picture
  }

  private func scaleTables(_ sps: H264SequenceParameterSet, _ pps: H264PictureParameterSet) -> ScaleTables {
    if let scales, scales.sps == sps, scales.pps == pps { return scales.tables }
    scales?.tables.free()
    let made = ScaleTables(sps, pps)
    scales = (sps, pps, made)
    return made
  }

  /// Copies a payload to where it is read from.
  private func hold(_ rbsp: [UInt8]) {
    let needed = rbsp.count + SliceBits.padding
    if payload.count < needed {
      payload.free()
      payload = Table(count: needed * 2, fill: 0)
    }
    payload.update(from: rbsp)
    payload.fill(rbsp.count..<needed, with: 0)
  }

  /// Filters the picture once all slices are there, and finds what is missing.
  private func filter(_ picture: Current) {
    guard let store else { return }
    let isField = picture.header.structure.isField, width = picture.frame.geometry.width
    let missing = (0..<picture.frame.geometry.macroblocks).count { index in
      store.slices[index] < 0 && (!isField || index / width & 1 == picture.header.structure.parity)
    }
    if missing > 0 {
      picture.frame.damage = picture.frame.damage ?? picture.damage ?? "\(missing) macroblocks are missing"
    }
    guard picture.filters.contains(where: { $0.mode != 1 }) else { return }
    let memory = FrameMemory(picture.frame)
    DeblockingFilter(
      geometry: picture.frame.geometry, store: store, frame: memory, kernels: kernels, filters: picture.filters,
      structure: picture.header.structure, isAdaptive: picture.isAdaptive,
      strengths: BoundaryStrength(store: store, frame: memory, isAdaptive: picture.isAdaptive), clipping: work.clipping
    ).run()
  }
}

/// When pictures are right again after decoding began in the middle of a stream.
struct Recovery {
  private var expected: Int?
  private var number: Int?
  /// Whether it is so.
  private(set) var isReached = false

  /// Says that the next picture begins a recovery that takes so many frames.
  mutating func expect(after count: Int) { expected = count }

  /// Looks at a picture that begins.
  mutating func begin(_ header: SliceHeader, _ sps: H264SequenceParameterSet) {
    if header.isIDR { (number, isReached) = (nil, false) }
    if let expected {
      // Pictures behind refer to none before.
      number = (header.frameNumber + expected) % (1 << sps.frameNumberBits)
      if expected > 0 { isReached = false }
      self.expected = nil
    }
    if let number, number == header.frameNumber, header.type == .i || header.referenceIDC > 0 {
      isReached = true
    }
  }
}

#if HEVC
  internal import CLivePhotoHEVC
  internal import LivePhotoBitstream
  internal import LivePhotoCore
  internal import LivePhotoHEVC

  /// Writes coded pictures as items of a HEIF file, through libheif.
  @safe struct CodedItemWriter: ~Copyable {
    private let handle: OpaquePointer

    init() throws(HEVCError) {
      var opened: OpaquePointer?
      // SAFETY: the pointers are used during the call only.
      try unsafe bridged { error in unsafe lp_heif_writer_open(&opened, error) }
      guard let opened = unsafe opened else { throw .unsupported("no HEIF writer") }
      unsafe handle = opened
    }

    // SAFETY: nothing else holds the handle, and it is closed once.
    deinit { unsafe lp_heif_writer_close(handle) }

    /// Adds a coded picture as the next item.
    mutating func add(_ still: HEVCStill) throws(HEVCError) {
      let sets: [UInt8]
      do { sets = try NALFraming.lengthPrefixed(.four).joined(still.parameterSets) } catch { throw .parse(error) }
      let unit = sets + still.accessUnit
      var item = lp_heif_item(
        width: Int32(clamping: still.width), height: Int32(clamping: still.height),
        bit_depth: Int32(still.format.bitDepth), chroma: lp_chroma(still.format.chroma), color: lp_color(still.color))
      // SAFETY: libheif copies the bytes during the call.
      try unsafe bridged { error in
        unsafe unit.withUnsafeBufferPointer { bytes in
          unsafe lp_heif_writer_add(handle, &item, bytes.baseAddress, bytes.count, error)
        }
      }
    }

    /// The file.
    mutating func finish() throws(HEVCError) -> [UInt8] {
      var bytes: UnsafePointer<UInt8>?
      var size = 0
      // SAFETY: the bytes last until the next call on the handle, and are copied before it.
      try unsafe bridged { error in unsafe lp_heif_writer_finish(handle, &bytes, &size, error) }
      return unsafe Array(UnsafeBufferPointer(start: bytes, count: size))
    }
  }
#endif

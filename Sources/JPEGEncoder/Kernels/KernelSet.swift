/// The inner loops of the encoder, as one choice of implementation.
///
/// Every set gives the same bytes: ``reference`` is plain scalar code, the others are held equal to it by tests.
/// Kernels speak in pointers and integers only, so that the same sources can be built for other instruction sets.
@safe package struct KernelSet: Sendable {
  package var convert444: ConvertRow
  package var convert422: ConvertRow
  package var convert420: ConvertRow
  package var convert411: ConvertRow
  package var convertGray: ConvertRow
  package var transformFast: TransformFast
  package var transformAccurate: TransformAccurate
  package var encodeMCUs: EncodeMCUs
  package var stuff: Stuff
}

/// Converts `groups` × 16 pixels to YCbCr; chroma is the mean of the pixels that share a sample.
///
/// `pixels` are the two rows that 4:2:0 makes one chroma row of; elsewhere only `first` is read. `layout` is a
/// ``PixelLayout`` of three or four bytes. Up to `groups * 16` pixels and one byte more are read.
package typealias ConvertRow =
  @Sendable (
    _ pixels: (first: UnsafePointer<UInt8>, second: UnsafePointer<UInt8>), _ layout: Int, _ groups: Int,
    _ luma: (first: UnsafeMutablePointer<UInt8>, second: UnsafeMutablePointer<UInt8>),
    _ chroma: (blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>)
  ) -> Void

/// Transforms and quantises `pairs` pairs of neighbouring blocks with 16-bit arithmetic.
///
/// `table` is a ``FastQuantizer``'s. Coefficients and bitmaps are stored as ``Zigzag`` says.
package typealias TransformFast =
  @Sendable (
    _ samples: UnsafePointer<UInt8>, _ stride: Int, _ pairs: Int, _ table: UnsafePointer<Int16>,
    _ zigzag: UnsafePointer<UInt64>, _ coefficients: UnsafeMutablePointer<Int16>,
    _ bitmaps: UnsafeMutablePointer<UInt64>
  ) -> Void

/// The same with 32-bit arithmetic; `table` holds 64 divisors in stored order, eight times the quantisers.
package typealias TransformAccurate =
  @Sendable (
    _ samples: UnsafePointer<UInt8>, _ stride: Int, _ pairs: Int, _ table: UnsafePointer<Int32>,
    _ zigzag: UnsafePointer<UInt64>, _ coefficients: UnsafeMutablePointer<Int16>,
    _ bitmaps: UnsafeMutablePointer<UInt64>
  ) -> Void

/// One block of an MCU: where the first MCU's lies, how many blocks on the next MCU's is, which prediction
/// (component) and which tables (0 luma, 1 chroma) it uses.
package typealias MCUBlock = (
  coefficients: UnsafePointer<Int16>, bitmaps: UnsafePointer<UInt64>, step: Int, component: Int, table: Int
)

/// The tables that symbols are looked up in; each holds luma's, then chroma's.
///
/// - `symbols`: 16 × 128 entries `code << 5 | length` of Huffman code and value bits together, for a run of 0 to 15
///   zeros before a value of -64 to 63.
/// - `differences`: 4096 such entries for a DC difference, by its low 12 bits.
/// - `codes`: the 256 Huffman codes of the AC table alone, `code << 5 | length`.
/// - `order`: ``Zigzag/stored``.
package typealias EntropyTables = (
  symbols: UnsafePointer<UInt32>, differences: UnsafePointer<UInt32>, codes: UnsafePointer<UInt32>,
  order: UnsafePointer<UInt8>
)

/// Where a string of bits goes on: whole bytes before `out`, then the top `count` bits (0 to 7) of `bits`.
package typealias BitPosition = (out: UnsafeMutablePointer<UInt8>, bits: UInt64, count: Int)

/// Codes `count` MCUs as raw bits, without stuffing; up to ``maximumBlockBytes`` a block and 16 more are written.
package typealias EncodeMCUs =
  @Sendable (
    _ count: Int, _ blocks: UnsafeBufferPointer<MCUBlock>, _ predictions: UnsafeMutablePointer<Int>,
    _ tables: EntropyTables, _ position: BitPosition
  ) -> BitPosition

/// The most bytes that a block takes: 63 symbols of 16 + 10 bits and a difference of 16 + 11.
package let maximumBlockBytes = 216

/// Copies `count` bytes and puts a zero byte behind each 0xFF (ITU-T T.81, B.1.1.5); returns the end of the output,
/// which needs room for twice as many and 8.
package typealias Stuff =
  @Sendable (
    _ bytes: UnsafePointer<UInt8>, _ count: Int, _ output: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8>

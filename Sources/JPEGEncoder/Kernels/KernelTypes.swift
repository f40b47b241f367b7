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

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

// Everything under one name: `import LivePhoto`.
@_exported public import LivePhotoBitstream
@_exported public import LivePhotoCore
@_exported public import LivePhotoEngine
@_exported public import LivePhotoFiles
@_exported public import LivePhotoH264
@_exported public import LivePhotoHEIC
@_exported public import LivePhotoHEIF
@_exported public import LivePhotoHEVC
@_exported public import LivePhotoJPEG
@_exported public import LivePhotoMuxer
@_exported public import LivePhotoPNG

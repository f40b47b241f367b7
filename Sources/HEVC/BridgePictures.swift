#if HEVC
  package import CLivePhotoHEVC
  package import LivePhotoCore

  extension PlanarImage {
    /// Calls `body` with the picture as the bridge wants it; the pointers last as long as the call.
    func withBridgePicture(tag: Int64, _ body: (UnsafePointer<lp_picture>) -> lp_status) -> lp_status {
      var picture = lp_picture()
      picture.bit_depth = Int32(format.bitDepth)
      picture.chroma_bit_depth = Int32(format.bitDepth)
      picture.chroma = lp_chroma(format.chroma)
      picture.color = lp_color(color)
      picture.tag = tag
      return unsafe fill(&picture, from: 0, body)
    }

    private func fill(
      _ picture: inout lp_picture, from index: Int, _ body: (UnsafePointer<lp_picture>) -> lp_status
    ) -> lp_status {
      // SAFETY: the picture lives on the caller's stack.
      guard index < planes.count else { return unsafe withUnsafePointer(to: &picture) { unsafe body($0) } }
      // SAFETY: the samples are borrowed for the nested call, and the bridge only reads them.
      return unsafe planes[index].withBridgePlane { plane in
        switch index {
        case 0: unsafe picture.planes.0 = unsafe plane
        case 1: unsafe picture.planes.1 = unsafe plane
        default: unsafe picture.planes.2 = unsafe plane
        }
        return unsafe fill(&picture, from: index + 1, body)
      }
    }

    /// A copy of a picture that the bridge handed out.
    ///
    /// - Throws: as ``LivePhotoCore/PlanarPointers/init(_:color:)``.
    package init(_ picture: lp_picture) throws(HEVCError) {
      // SAFETY: the bridge promises that the samples live until its next call.
      unsafe self.init(copying: try PlanarPointers(picture))
    }
  }

  extension PlanarPointers {
    /// The samples of a picture that the bridge handed out, alive until its next call; `color` where given rules over
    /// what the library says.
    ///
    /// - Throws: ``HEVCError/unsupported(_:)`` when luma and chroma have different depths, or the planes do not fit
    ///   together.
    package init(_ picture: lp_picture, color: ColorDescription? = nil) throws(HEVCError) {
      guard let chroma = ChromaFormat(rawValue: UInt8(truncatingIfNeeded: picture.chroma.rawValue)) else {
        throw .unsupported("the decoder gave an unknown chroma format")
      }
      let depth = Int(picture.bit_depth)
      guard (8...16).contains(depth), picture.chroma_bit_depth == picture.bit_depth else {
        let depths = "\(depth) and \(picture.chroma_bit_depth)"
        throw .unsupported("luma and chroma of \(depths) bits cannot be in one picture here")
      }
      let format = PixelFormat(chroma, bitDepth: depth)
      let parts = unsafe [picture.planes.0, picture.planes.1, picture.planes.2]
      let width = unsafe Int(parts[0].width), height = unsafe Int(parts[0].height)
      var planes: [Rows] = unsafe []
      for index in 0..<chroma.planeCount {
        let size = chroma.planeSize(index, width: width, height: height)
        let part = unsafe parts[index]
        guard width > 0, height > 0, unsafe size == (Int(part.width), Int(part.height)),
          let samples = unsafe part.samples, unsafe Int(part.stride) >= size.width * format.sampleSize
        else { throw .unsupported("the decoder gave planes that do not fit together") }
        unsafe planes.append(Rows(samples, stride: Int(part.stride)))
      }
      unsafe self.init(
        width: width, height: height, format: format, color: color ?? ColorDescription(picture.color), planes: planes)
    }
  }

  extension Plane {
    /// Calls `body` with the plane as the bridge wants it.
    fileprivate func withBridgePlane(_ body: (lp_plane) -> lp_status) -> lp_status {
      func bridge(_ samples: UnsafeRawPointer?, sampleSize: Int) -> lp_plane {
        unsafe lp_plane(
          samples: samples, stride: Int32(stride * sampleSize), width: Int32(width), height: Int32(height))
      }
      // SAFETY: the pointers are used inside the closures only.
      return switch samples {
      case .bytes(let bytes):
        unsafe bytes.withUnsafeBufferPointer {
          unsafe body(bridge(UnsafeRawPointer($0.baseAddress), sampleSize: 1))
        }
      case .words(let words):
        unsafe words.withUnsafeBufferPointer {
          unsafe body(bridge(UnsafeRawPointer($0.baseAddress), sampleSize: 2))
        }
      }
    }
  }

  extension lp_chroma {
    /// The same chroma format.
    package init(_ chroma: ChromaFormat) { self.init(rawValue: UInt32(chroma.rawValue)) }
  }

  extension lp_color {
    /// The same colours.
    package init(_ color: ColorDescription) {
      self.init(
        primaries: color.primaries, transfer: color.transfer, matrix: color.matrix,
        full_range: color.isFullRange ? 1 : 0)
    }
  }

  extension ColorDescription {
    fileprivate init(_ color: lp_color) {
      self.init(
        primaries: color.primaries, transfer: color.transfer, matrix: color.matrix,
        isFullRange: color.full_range != 0)
    }
  }
#endif

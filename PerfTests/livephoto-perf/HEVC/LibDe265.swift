#if HEVC
  internal import CDe265

  /// libde265 through its own C interface, with nothing in between: what the bridge's decoder is measured against.
  enum LibDe265 {
    static var version: String { unsafe String(cString: de265_get_version()) }

    /// Decodes NAL units and gives the number of pictures; nothing is copied out of them.
    static func decode(_ units: [[UInt8]], threads: Int) throws -> Int {
      guard let decoder = unsafe de265_new_decoder() else { throw UsageError("no memory for libde265") }
      // SAFETY: the decoder is freed once, behind its last use.
      defer { _ = unsafe de265_free_decoder(decoder) }
      if threads > 1 { try unsafe check(de265_start_worker_threads(decoder, CInt(threads))) }
      var count = 0
      for unit in units {
        // SAFETY: libde265 copies the bytes during the call.
        try unsafe unit.withUnsafeBytes { bytes in
          try unsafe check(de265_push_NAL(decoder, bytes.baseAddress, CInt(bytes.count), 0, nil))
        }
        count += try unsafe pictures(of: decoder)
      }
      try unsafe check(de265_flush_data(decoder))
      return try unsafe count + pictures(of: decoder)
    }

    private static func pictures(of decoder: UnsafeMutableRawPointer) throws -> Int {
      var count = 0
      while true {
        while unsafe de265_get_next_picture(decoder) != nil { count += 1 }
        var more: CInt = 0
        let code = unsafe de265_decode(decoder, &more)
        if code == DE265_ERROR_WAITING_FOR_INPUT_DATA { return count }
        try check(code)
        if more == 0, unsafe de265_peek_next_picture(decoder) == nil { return count }
      }
    }

    private static func check(_ code: de265_error) throws {
      if de265_isOK(code) != 0 { return }
      throw UsageError("libde265: \(unsafe String(cString: de265_get_error_text(code)))")
    }
  }
#endif

import LivePhotoCore
import TestSupport
import Testing

@Suite struct ContentIdentifierTests {
  @Test func wellFormedIsAsCamerasWriteIt() {
    #expect(ContentIdentifier(asRead: "CEEE58DF-0123-4567-89AB-CDEF01234567").isWellFormed)
    for text in [
      "", "ceee58df-0123-4567-89ab-cdef01234567", "CEEE58DF-0123-4567-89AB-CDEF0123456",
      "CEEE58DF0123456789ABCDEF01234567",
      "CEEE58DG-0123-4567-89AB-CDEF01234567", "CEEE58DF-0123-4567-89AB_CDEF01234567",
      "CEEE58DF-0123-4567-89AB-CDEF01234567 ",
    ] {
      #expect(!ContentIdentifier(asRead: text).isWellFormed)
      #expect(ContentIdentifier(asRead: text).description == text)
    }
  }

  @Test func givenOnesAreWrittenInUpperCase() {
    #expect(
      ContentIdentifier(uuid: "ceee58df-0123-4567-89ab-cdef01234567")?.text == "CEEE58DF-0123-4567-89AB-CDEF01234567")
    #expect(ContentIdentifier(uuid: "not an identifier") == nil)
    // The ligature becomes two letters in upper case.
    #expect(ContentIdentifier(uuid: "\u{FB00}EE58DF-0123-4567-89AB-CDEF01234567") == nil)
    #expect(ContentIdentifier(asRead: "a") != ContentIdentifier(asRead: "A"))
  }

  @Test func randomOnesAreOfVersion4() {
    var generator = SplitMix64(seed: 1)
    var seen: Set<ContentIdentifier> = []
    for _ in 0..<2000 {
      let identifier = ContentIdentifier.random(using: &generator)
      #expect(identifier.isWellFormed)
      let digits = Array(identifier.text)
      #expect(digits[14] == "4" && "89AB".contains(digits[19]))
      seen.insert(identifier)
    }
    #expect(seen.count == 2000)
    #expect(ContentIdentifier.random() != ContentIdentifier.random())
  }
}

import Foundation
import SondeFormats
import Testing

@Suite struct Base64Tests {
    @Test func bytesOfEveryLengthAreWrittenAsTheRFCHasThemAndComeBack() {
        for count in 0...260 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            let text = Base64.encode(bytes)
            #expect(String(decoding: text, as: UTF8.self) == Data(bytes).base64EncodedString())
            #expect(Base64.decode(text) == bytes)
        }
    }

    @Test(arguments: ["A", "AA", "AAA", "A===", "====", "AA=A", "AB==", "AAB=", "AAA\n", "AA-_", "AAAA=AAA"])
    func anythingElseIsRefused(_ text: String) {
        #expect(Base64.decode(Array(text.utf8)) == nil)
    }
}

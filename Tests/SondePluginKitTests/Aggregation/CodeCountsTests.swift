import Testing

@testable import SondePluginKit

@Suite struct CodeCountsTests {
    @Test func everyCodeIsCountedByItself() {
        var counts = CodeCounts()
        for code in stride(from: 0, through: 65_535, by: 257) { counts.add(UInt16(code)) }
        counts.add(65_535)
        let all = counts.all
        #expect(all.count == 256)
        #expect(all.last?.code == 65_535)
        #expect(all.last?.count == 2)
        #expect(counts[1] == 0)
    }
}

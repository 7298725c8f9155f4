import SondeDomain
import Testing

@testable import SondePluginKit

@Suite struct SharedBySeriesTests {
    private let shared = SharedBySeries<String>()

    private func value(_ id: Int, _ made: String, where describes: (String) -> Bool = { _ in true }) -> String {
        shared.value(of: SeriesID(rawValue: UInt64(id)), where: describes) { made }
    }

    @Test func whatOneHasMadeIsAnothers() {
        #expect(value(1, "first") == "first")
        #expect(value(1, "second") == "first")
        #expect(value(2, "third") == "third")
    }

    @Test func whatDescribesAnotherSeriesIsMadeAnewAndIsTheNextOnes() {
        _ = value(1, "first")
        #expect(value(1, "second") { $0 == "second" } == "second")
        #expect(value(1, "third") == "second")
    }

    @Test func manyThatAreNewAtOnceAreShared() {
        let most = SharedBySeries<String>.mostNew
        for id in 0..<most { _ = value(id, "first") }
        #expect((0..<most).allSatisfy { value($0, "again") == "first" })
    }

    @Test func howManyAreKeptIsBounded() {
        let most = SharedBySeries<String>.mostNew
        for id in 0..<3 * most { _ = value(id, "first") }
        #expect((2 * most..<3 * most).allSatisfy { value($0, "again") == "first" })
        #expect((0..<most).allSatisfy { value($0, "again") == "again" })
    }

    @Test func whatNobodyAsksForLeavesWithTheBatches() {
        let patience = SharedBySeries<String>.patience
        _ = value(1, "first")
        for _ in 0..<patience { shared.beginBatch() }
        #expect(value(1, "again") == "first")
        for _ in 0..<2 * patience { shared.beginBatch() }
        #expect(value(1, "again") == "again")
    }
}

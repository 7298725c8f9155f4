import SondeDomain
import Testing

@testable import SondePluginKit

@Suite struct SharedBySeriesTests {
    private let shared = SharedBySeries<String>()

    private func value(_ id: Int, _ made: String, where isRight: (String) -> Bool = { _ in true }) -> String {
        shared.value(of: SeriesID(rawValue: UInt64(id)), where: isRight) { made }
    }

    @Test func whatOneHasMadeIsAnothers() {
        #expect(value(1, "first") == "first")
        #expect(value(1, "second") == "first")
        #expect(value(2, "third") == "third")
    }

    @Test func whatIsNotRightIsMadeAnewAndIsTheNextOnes() {
        _ = value(1, "first")
        #expect(value(1, "second") { $0 == "second" } == "second")
        #expect(value(1, "third") == "second")
    }

    @Test func onlyTheLastAreKept() {
        let bound = SharedBySeries<String>.bound
        for id in 0..<3 * bound { _ = value(id, "first") }
        #expect((2 * bound..<3 * bound).allSatisfy { value($0, "again") == "first" })
        #expect((0..<bound).allSatisfy { value($0, "again") == "again" })
    }
}

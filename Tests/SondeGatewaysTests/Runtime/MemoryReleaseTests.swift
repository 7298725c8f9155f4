import SondeDomain
import Testing

@testable import SondeGateways

struct MemoryReleaseTests {
    private let growth = MemoryRelease.growth

    @Test func theFirstCheckReleasesEverythingAndSoDoesOneInTenMinutes() {
        var release = MemoryRelease()
        let extents = (0..<21).map { _ in
            defer { release.note(10 * growth) }
            return release.check(10 * growth)
        }
        #expect(extents.indices.filter { extents[$0] == .everything } == [0, 10, 20])
        #expect(!extents.contains(.heap))
        #expect(MemoryRelease.period * 10 == Nanoseconds.seconds(600))
    }

    @Test func theHeapIsReleasedOnceItHasGrown() {
        var release = MemoryRelease()
        #expect(release.check(2 * growth) == .everything)
        release.note(growth)
        #expect(release.check(2 * growth - 1) == .nothing)
        #expect(release.check(2 * growth) == .heap)
    }

    @Test func whatIsInUseIsNotTriedAgain() {
        var release = MemoryRelease()
        _ = release.check(growth)
        release.note(growth)
        #expect(release.check(5 * growth) == .heap)
        release.note(5 * growth)
        #expect(release.check(5 * growth) == .nothing)
        #expect(release.check(6 * growth) == .heap)
    }

    @Test func lessThanBeforeIsNoGrowth() {
        var release = MemoryRelease()
        _ = release.check(9 * growth)
        release.note(9 * growth)
        #expect(release.check(0) == .nothing)
    }

    @Test func whatHasBeenUsedAndIsFreeAgainIsReleased() {
        var release = MemoryRelease()
        _ = release.check(9 * growth)
        release.note(9 * growth)
        #expect(release.check(7 * growth) == .nothing)
        #expect(release.check(8 * growth) == .heap)
    }

    @Test func whatIsNotKnownReleasesNothing() {
        var release = MemoryRelease()
        #expect(release.check(nil) == .everything)
        release.note(nil)
        #expect(release.check(growth) == .nothing)
        release.note(growth)
        #expect(release.check(nil) == .nothing)
    }
}

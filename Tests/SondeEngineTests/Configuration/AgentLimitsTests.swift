import SondeDomain
import SondeEngine
import Testing

@Suite struct AgentLimitsTests {
    @Test func processorTimeAndMemoryAreKeptByCollectingLess() {
        var limits = AgentLimits()
        limits.processors = 0.02
        limits.memory = 64 << 20
        #expect(limits.resources == ResourceLimits(processors: 0.02, memory: 64 << 20))
    }

    @Test func aLimitOnTheDiskIsNotKeptByCollectingLess() {
        var limits = AgentLimits()
        limits.disk = 256 << 20
        #expect(limits.resources == ResourceLimits())
    }
}

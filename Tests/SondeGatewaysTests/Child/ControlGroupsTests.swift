import SondeEngine
import Testing

@testable import SondeGateways

/// What is written to control groups and read of them; that the kernel keeps it is seen in packaging/test-groups.sh.
@Suite struct ControlGroupsTests {
    private func settings(_ change: (inout ProcessLimits) -> Void) -> [String] {
        var limits = ProcessLimits()
        change(&limits)
        return ControlGroup.settings(limits).map { "\($0.file) \($0.text)" }
    }

    @Test func memoryIsBoundedWithoutSwapAndKilledWhole() {
        let written = settings { $0.memory = 32 << 20 }
        #expect(written == ["memory.max 33554432", "memory.swap.max 0", "memory.oom.group 1"])
    }

    /// Of each tenth of a second, and not less than the kernel takes.
    @Test(arguments: [(0.01, "1000"), (0.5, "50000"), (2.0, "200000"), (0.001, "1000")])
    func aShareOfTheProcessorIsAQuota(_ share: Double, _ quota: String) {
        #expect(settings { $0.cpuShare = share } == ["cpu.max \(quota) 100000"])
    }

    /// It counts threads.
    @Test func processesHaveRoomForTheirThreads() {
        #expect(settings { $0.processes = 4 } == ["pids.max 48"])
    }

    @Test func filesAreNoMatterOfGroups() {
        #expect(settings { $0.files = 100 } == [])
    }

    @Test(arguments: [
        ("0::/system.slice/sonde.service\n", "/sys/fs/cgroup/system.slice/sonde.service"),
        ("3:cpu,cpuacct:/a\n1:name=systemd:/b\n0::/c d\n", "/sys/fs/cgroup/c d"), ("1:name=systemd:/b\n", nil),
        ("", nil),
    ])
    func theGroupIsThatOfVersionTwo(_ text: String, _ path: String?) {
        #expect(ControlGroups.path(inProcessFile: text) == path)
    }

    @Test(arguments: [
        ("low 0\nhigh 0\nmax 7\noom 1\noom_kill 2\noom_group_kill 1\n", 3), ("max 7\noom 1\noom_kill 0\n", 0), ("", 0),
        ("oom_kill\noom_kill x\n", 0),
    ])
    func killsForMemoryAreCounted(_ text: String, _ count: Int) {
        #expect(ControlGroup.kills(inEvents: text) == count)
    }

    /// Root may write to groups that nobody gave it.
    @Test func whatIsNotDelegatedIsNotTakenOver() {
        let before = ControlGroups.read("/proc/self/cgroup")
        ControlGroups.takeOver()
        #expect(ControlGroups.read("/proc/self/cgroup") == before)
        #expect(ControlGroups.inForce == nil)
    }
}

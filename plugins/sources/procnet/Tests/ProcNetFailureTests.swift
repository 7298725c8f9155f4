import Foundation
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import ProcNetPlugin

@Suite struct ProcNetFailureTests {
    @Test func withoutProcTheStartSaysWhichOptionIsAtFault() throws {
        let harness = try PluginHarness(sonde_plugin_procnet(), options: ["proc": .string("/nowhere/proc")])
        let error = #expect(throws: PluginError.self) { try harness.start() }
        #expect(error?.code == "SND-PRC001")
        #expect(error?.failureClass == .configuration)
        #expect(error?.optionPath == "proc")
        #expect(error?.message.contains("/nowhere/proc/net") == true)
    }

    @Test func startWorksOnceTheTreeIsThere() throws {
        let tree = try ProcTree(copying: "container")
        let hidden = tree.root + "-hidden"
        try FileManager.default.moveItem(atPath: tree.root, toPath: hidden)
        let harness = try PluginHarness(sonde_plugin_procnet(), options: ["proc": .string(tree.root)])
        #expect(throws: PluginError.self) { try harness.start() }
        try FileManager.default.moveItem(atPath: hidden, toPath: tree.root)
        try harness.start()
        #expect(try harness.collect() == .completed)
    }

    @Test(arguments: ["", "proc", "./proc"])
    func aPathThatIsNotAbsoluteIsRefused(path: String) throws {
        let error = #expect(throws: PluginError.self) {
            try PluginHarness(sonde_plugin_procnet(), options: ["proc": .string(path)])
        }
        #expect(error?.code == "SND-PRC006")
        #expect(error?.optionPath == "proc")
    }

    @Test func anUnknownTableIsRefusedWithItsPlace() throws {
        let error = #expect(throws: PluginError.self) {
            try PluginHarness(sonde_plugin_procnet(), options: ["tables": .list(["dev", "snpm"])])
        }
        #expect(error?.code == "SND-PRC006")
        #expect(error?.optionPath == "tables[1]")
        #expect(error?.message.contains("snpm") == true)
    }

    private static func isOfSockstat(_ name: String) -> Bool {
        let named = [
            "sonde.socket.current", "sonde.tcp.socket.orphan", "sonde.tcp.memory.usage", "sonde.udp.memory.usage",
        ]
        return name.hasPrefix("sonde.kernel.sockstat.") || named.contains(name)
    }

    @Test func onlyTheChosenTablesAreRead() throws {
        let harness = try ProcTree.started(ProcTree.fixture("linux-6.18"), tables: [.sockstat, .sockstat])
        try harness.collect()
        #expect(harness.host.lastCommit.count == 12)
        #expect(harness.host.lastCommit.keys.allSatisfy(Self.isOfSockstat))
    }

    @Test func aMissingTableIsNotedOnceAndNeverZero() throws {
        let harness = try ProcTree.started(ProcTree.fixture("container"))
        try harness.collect()
        try harness.collect()
        #expect(harness.host.log.count == 3)
        #expect(harness.host.log.allSatisfy { $0.hasPrefix("info: SND-PRC001") })
        #expect(!harness.host.lastCommit.keys.contains { $0.contains("tcp_ext") || $0.contains("ipv6") })
    }

    @Test func aTableThatComesBackIsReadAgain() throws {
        let tree = try ProcTree(copying: "container")
        let harness = try tree.started(tables: [.snmp, .sockstat])
        let text = try tree.read(.snmp)
        try harness.collect()
        let all = harness.host.lastCommit
        try tree.remove(.snmp)
        try harness.collect()
        #expect(harness.host.lastCommit.keys.allSatisfy(Self.isOfSockstat))
        try tree.write(.snmp, text)
        try harness.collect()
        #expect(harness.host.lastCommit == all)
        #expect(harness.host.log.count == 2)
        #expect(harness.host.series.allSatisfy { $0.isOpen })
    }

    @Test func nothingAtAllIsAFailure() throws {
        let tree = try ProcTree(copying: "container")
        let harness = try tree.started()
        for table in [ProcTable.dev, .snmp, .sockstat] { try tree.remove(table) }
        let error = #expect(throws: PluginError.self) { try harness.collect() }
        #expect(error?.code == "SND-PRC001")
        #expect(harness.host.commits.isEmpty)
    }

    @Test func anEmptyTableIsUnrecognized() throws {
        let tree = try ProcTree()
        try tree.write(.netstat, "")
        let harness = try tree.started(tables: [.netstat])
        let error = #expect(throws: PluginError.self) { try harness.collect() }
        #expect(error?.code == "SND-PRC005")
        #expect(error?.failureClass == .corruptInput)
    }

    @Test func aTableThatIsTooLargeIsLeftOut() throws {
        let tree = try ProcTree(copying: "container")
        try tree.write(.netstat, "")
        let file = try #require(FileHandle(forWritingAtPath: tree.path(.netstat)))
        try file.truncate(atOffset: 8 << 20 + 1)
        let harness = try tree.started()
        try harness.collect()
        #expect(harness.host.log.contains { $0.hasPrefix("warning: SND-PRC003") })
        #expect(harness.host.lastCommit["sonde.kernel.tcp.curr_estab"] == .unsigned(5))
    }

    @Test func aDirectoryInPlaceOfATableIsLeftOut() throws {
        let tree = try ProcTree(copying: "container")
        try FileManager.default.createDirectory(atPath: tree.path(.netstat), withIntermediateDirectories: false)
        let harness = try tree.started()
        try harness.collect()
        #expect(harness.host.log.contains { $0.hasPrefix("warning: SND-PRC004") })
    }

    @Test func everyCodeStandsInTheDescriptor() {
        let failures: [ReadFailure] = [.absent, .forbidden, .tooLarge, .system(5), .unrecognized]
        let codes = Set(ProcNetSource.descriptor.errors.map(\.code))
        let others = (6...12).map { $0 < 10 ? "SND-PRC00\($0)" : "SND-PRC0\($0)" }
        #expect(codes == Set(failures.map(\.code) + others))
    }

    @Test func aBusyHostIsAskedAgain() throws {
        let harness = try ProcTree.started(ProcTree.fixture("container"))
        harness.host.commitAnswers = [.busy, .taken]
        #expect(try harness.collect() == .completed)
        #expect(harness.host.commits.count == 1)
    }

    @Test func aBusyHostEndsTheCallAtItsDeadline() throws {
        let harness = try ProcTree.started(ProcTree.fixture("container"))
        harness.host.monotonicTime = .distantFuture
        harness.host.commitAnswers = [.busy]
        let error = #expect(throws: PluginError.self) { try harness.collect() }
        #expect(error?.code == "SND-PRC007")
        #expect(error?.failureClass == .transient)
    }

    @Test func aCancelledCallStopsWaitingForABusyHost() throws {
        let harness = try ProcTree.started(ProcTree.fixture("container"))
        harness.cancel()
        harness.host.commitAnswers = [.busy]
        #expect(try harness.collect() == .cancelled)
    }

    @Test func aStoppingHostEndsTheCall() throws {
        let harness = try ProcTree.started(ProcTree.fixture("container"))
        harness.host.commitAnswers = [.stopping]
        #expect(try harness.collect() == .cancelled)
    }
}

import Glibc
import SondeDomain
import Testing

@testable import SondeGateways

/// What an agent and its children use.
@Suite struct ProcessFamilyTests {
    private static func process(_ parent: pid_t, _ ticks: UInt64 = 0) throws -> ProcessFamily.Process {
        try #require(ProcessFamily.Process(stat: "1 (x) S \(parent) 1 1 0 -1 0 0 0 0 0 \(ticks) 0 0 0 20 0"))
    }

    @Test func aNameWithSpacesAndParenthesesIsNoField() throws {
        let process = try #require(
            ProcessFamily.Process(stat: "42 (a) b (c)) R 7 42 42 0 -1 4194304 1 2 3 4 10 20 300 4000 20 0 1 0 5"))
        #expect(process.parent == 7)
        #expect(process.ticks == 4_330)
    }

    @Test(arguments: ["", "1 (x", "1 (x) S", "1 (x) S a b c d e f g h i j k l m n"])
    func anotherFormIsNoProcess(text: String) {
        #expect(ProcessFamily.Process(stat: text) == nil)
    }

    @Test func theFamilyHasChildrenAndTheirsAndNobodyElse() throws {
        let known: [pid_t: ProcessFamily.Process] = [
            2: try Self.process(1), 3: try Self.process(2), 4: try Self.process(3), 5: try Self.process(9),
            9: try Self.process(0), 1: try Self.process(0),
            // A loop, which only numbers given again can make.
            7: try Self.process(8), 8: try Self.process(7),
        ]
        #expect(Set(ProcessFamily.family(of: 1, in: known).keys) == [2, 3, 4])
    }

    @Test func aBusyChildCountsWhileItRunsAndWhenItHasEnded() throws {
        let family = ProcessFamily()
        let before = try #require(family.usage.processorSeconds)
        var child = pid_t()
        let words = ["/bin/sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; sleep 600"]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        try #require(posix_spawn(&child, words[0], nil, nil, &arguments, environ) == 0)
        defer {
            kill(child, SIGKILL)
            waitpid(child, nil, 0)
        }
        // It works for a while and then waits.
        var running = before
        while running - before < 0.1 { running = try #require(family.usage.processorSeconds) }
        #expect(family.usage.memory != nil)
    }

    @Test func memoryAndTimeOfThisProcessAreKnown() throws {
        let usage = ProcessFamily().usage
        #expect(try #require(usage.memory) > 1 << 20)
        #expect(try #require(usage.processorSeconds) > 0)
    }
}

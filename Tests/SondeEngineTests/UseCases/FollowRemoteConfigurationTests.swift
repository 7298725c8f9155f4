import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

@Suite struct FollowRemoteConfigurationTests {
    private let bench = RemoteBench()

    /// A bench with a good layer 1, which a test may take from it.
    private func startWithGood(probation: Nanoseconds = .seconds(30))
        -> (RemoteConfiguration, FollowRemoteConfiguration)
    {
        var state = RemoteState()
        state.begin(RemoteBench.layer(1), failing: [])
        state.succeed()
        bench.keep(state)
        bench.set([.sink("central")])
        bench.answerReloads(.carriedOut(.changing(sinks: "central")))
        return bench.start(interval: .seconds(10), probation: probation)
    }

    private func codes(_ follow: FollowRemoteConfiguration) -> [String] { follow.failures.map(\.error.code.text) }

    @Test func aFileIsInForceAtOnceAndGoodAfterItsProbation() {
        bench.serve(1)
        bench.set([.sink("central")])
        let (configuration, follow) = bench.start()
        bench.run(follow, .seconds(31))
        #expect(bench.reloaded == [1])
        #expect(follow.status.state == .probation)
        #expect(configuration.state.good == nil)
        bench.run(follow, .seconds(31))
        #expect(follow.status.state == .good)
        #expect(bench.stored.good?.serial == 1)
        #expect(bench.reloaded == [1])
        #expect(follow.failures.isEmpty)
    }

    @Test func theFirstRequestComesWithinHalfAMinuteAndTheRestOncePerInterval() {
        let (_, follow) = bench.start(interval: .seconds(600))
        bench.run(follow, .seconds(30))
        #expect(bench.etags.count == 1)
        bench.run(follow, .seconds(3_600))
        #expect((6...7).contains(bench.etags.count))
    }

    @Test func theKnownVersionIsNamedInRequests() {
        let (_, follow) = startWithGood()
        bench.serve(1)
        bench.run(follow, .seconds(60))
        #expect(Set(bench.etags) == ["\"1\""])
        #expect(bench.reloaded == [])
        #expect(follow.status.requests.unchanged >= 4)
    }

    @Test func aFailureThatTheChangeBroughtTakesItBack() {
        let (configuration, follow) = startWithGood()
        bench.serve(2)
        bench.run(follow, .seconds(12))
        #expect(configuration.state.inForce?.serial == 2)
        let since = bench.clock.monotonicTime
        bench.set([InstanceStatus.sink("central").failing(.accessRefused, since: since)])
        bench.run(follow, .seconds(4))
        #expect(configuration.state.inForce?.serial == 2)
        bench.run(follow, .seconds(3))
        #expect(configuration.state.inForce?.serial == 1)
        #expect(bench.reloaded == [2, 1])
        #expect(bench.stored == configuration.state)
        #expect(codes(follow) == ["SND-RMT009"])
        bench.set([.sink("central")])
        // The server still has it: it stays out, and is not loaded again.
        bench.run(follow, .seconds(120))
        #expect(bench.reloaded == [2, 1])
        #expect(bench.etags.last == "\"2\"")
        #expect(follow.status.state == .rolledBack)
    }

    @Test func aFailureThatEndsByItselfIsNone() {
        let (configuration, follow) = startWithGood()
        bench.serve(2)
        bench.run(follow, .seconds(12))
        let since = bench.clock.monotonicTime
        bench.set([InstanceStatus.sink("central").failing(.accessRefused, since: since)])
        bench.run(follow, .seconds(4))
        bench.set([.sink("central")])
        bench.run(follow, .seconds(60))
        #expect(configuration.state.good?.serial == 2)
    }

    @Test func aCentreThatIsDownProlongsTheProbation() {
        let (configuration, follow) = startWithGood()
        bench.serve(2)
        bench.run(follow, .seconds(12))
        bench.set([InstanceStatus.sink("central").failing(.transient, since: bench.clock.monotonicTime)])
        bench.run(follow, .seconds(3_600))
        #expect(configuration.state.probation?.layer.serial == 2)
        #expect(follow.status.waitsFor == ["central"])
        // It is back, and refuses: that is what the change brought.
        bench.set([InstanceStatus.sink("central").failing(.configuration, since: bench.clock.monotonicTime)])
        bench.run(follow, .seconds(7))
        #expect(configuration.state.inForce?.serial == 1)
    }

    @Test func whatFailsSinceALevelRestartedItTakesNothingBack() {
        let (configuration, follow) = startWithGood()
        bench.serve(2)
        bench.run(follow, .seconds(12))
        follow.excuse(["central"])
        bench.set([InstanceStatus.sink("central").failing(.accessRefused, since: bench.clock.monotonicTime)])
        bench.run(follow, .seconds(10))
        #expect(configuration.state.inForce?.serial == 2)
        #expect(bench.reloaded == [2])
        // The next one changes it anew, and is judged by it.
        bench.set([.sink("central")])
        bench.answerReloads(.carriedOut(.changing(sinks: "central")), .carriedOut(.changing(sinks: "central")))
        bench.serve(3)
        bench.run(follow, .seconds(12))
        #expect(configuration.state.inForce?.serial == 3)
        bench.set([InstanceStatus.sink("central").failing(.accessRefused, since: bench.clock.monotonicTime)])
        bench.run(follow, .seconds(8))
        #expect(configuration.state.failed?.serial == 3)
    }

    @Test func aLevelDoesNotExcuseWhatFailedAlready() {
        let (configuration, follow) = startWithGood()
        bench.serve(2)
        bench.run(follow, .seconds(12))
        bench.set([InstanceStatus.sink("central").failing(.accessRefused, since: bench.clock.monotonicTime)])
        follow.excuse(["central"])
        bench.run(follow, .seconds(8))
        #expect(configuration.state.inForce?.serial == 1)
        #expect(bench.reloaded == [2, 1])
    }

    @Test func aSuspendedMachineProvesNothing() {
        let (configuration, follow) = startWithGood()
        bench.serve(2)
        bench.run(follow, .seconds(12))
        bench.clock.advance(by: .seconds(86_400))
        bench.run(follow, .seconds(2))
        #expect(configuration.state.probation != nil)
    }

    @Test func theKnownTextUnderAnotherTagIsNotLoadedAndTheNextRequestNamesItsTag() {
        let (configuration, follow) = startWithGood()
        var layer = RemoteBench.layer(1)
        layer.etag = "\"other\""
        bench.serve(.file(layer))
        bench.run(follow, .seconds(30))
        #expect(bench.reloaded == [])
        #expect(bench.etags.last == "\"other\"")
        #expect(bench.stored.good == layer)
        #expect(follow.status.requests.unchanged >= 2)
        #expect(follow.status.requests.new == 0)
        #expect(configuration.state.probation == nil)
    }

    @Test func aTagThatChangesDuringTheProbationDoesNotBeginItAnew() {
        let (configuration, follow) = startWithGood()
        bench.serve(2)
        bench.run(follow, .seconds(12))
        var layer = RemoteBench.layer(2)
        layer.etag = "\"other\""
        bench.serve(.file(layer))
        bench.run(follow, .seconds(12))
        #expect(configuration.state.probation?.layer == layer)
        #expect(configuration.state.good == RemoteBench.layer(1))
        #expect(bench.reloaded == [2])
        bench.run(follow, .seconds(30))
        #expect(configuration.state.good == layer)
    }

    @Test func aServerThatTakesTheBadOneBackEndsTheFailure() {
        let (configuration, follow) = startWithGood()
        bench.serve(2)
        bench.run(follow, .seconds(12))
        bench.set([InstanceStatus.sink("central").failing(.accessRefused, since: bench.clock.monotonicTime)])
        bench.run(follow, .seconds(8))
        bench.set([.sink("central")])
        #expect(follow.status.state == .rolledBack)
        // Another file of the same number is the same failure.
        var again = RemoteBench.layer(2, "serial: 2\nother: text\n")
        again.etag = "\"again\""
        bench.serve(.file(again))
        let unchanged = follow.status.requests.unchanged
        bench.run(follow, .seconds(20))
        #expect(follow.status.requests.unchanged > unchanged)
        #expect(codes(follow) == ["SND-RMT009"])
        #expect(bench.reloaded == [2, 1])
        bench.serve(1)
        bench.run(follow, .seconds(20))
        #expect(configuration.state.failed == nil)
        #expect(follow.failures.isEmpty)
        #expect(follow.status.state == .good)
        #expect(bench.reloaded == [2, 1])
    }

    @Test func aStartThatCannotBeKeptIsAFailureAndUsesWhatIsKept() {
        var state = RemoteState()
        state.begin(RemoteBench.layer(1), failing: [])
        bench.keep(state)
        bench.failSaves(SondeError(remote: .remoteStateUnusable, "no room"))
        let (configuration, follow) = bench.start()
        #expect(configuration.state.inForce?.serial == 1)
        #expect(codes(follow) == ["SND-RMT010"])
        #expect(bench.log.lines(.error).count == 1)
    }

    @Test func whatIsOldIsRefused() {
        let (configuration, follow) = startWithGood(probation: .seconds(5))
        bench.serve(2)
        bench.run(follow, .seconds(40))
        #expect(configuration.state.good?.serial == 2)
        bench.serve(.file(RemoteBench.layer(1, "serial: 1\nother: text\n")))
        bench.run(follow, .seconds(20))
        #expect(codes(follow) == ["SND-RMT007"])
        var other = RemoteBench.layer(2, "serial: 2\nother: text\n")
        other.etag = "\"other\""
        bench.serve(.file(other))
        bench.run(follow, .seconds(20))
        #expect(codes(follow) == ["SND-RMT007"])
        #expect(configuration.state.inForce == RemoteBench.layer(2))
        #expect(bench.reloaded == [2])
        bench.serve(2)
        bench.run(follow, .seconds(20))
        #expect(follow.failures.isEmpty)
    }

    @Test func whatIsInvalidIsNeverInForceAndLoggedOnce() {
        let (configuration, follow) = startWithGood()
        bench.serve(2)
        bench.refuse(2)
        bench.run(follow, .seconds(120))
        #expect(configuration.state.inForce?.serial == 1)
        #expect(bench.stored.newest == 1)
        #expect(bench.reloaded == [])
        #expect(codes(follow) == ["SND-RMT008"])
        #expect(bench.log.lines(.error).count == 1)
    }

    @Test func errorsOfTheHostsOwnFilesAreNotItsFault() {
        let (configuration, follow) = startWithGood()
        bench.serve(2)
        bench.breakLocalFiles(true)
        bench.run(follow, .seconds(30))
        #expect(codes(follow) == ["SND-RMT013"])
        #expect(configuration.state.failed == nil)
        bench.breakLocalFiles(false)
        bench.run(follow, .seconds(20))
        #expect(configuration.state.inForce?.serial == 2)
        #expect(follow.failures.isEmpty)
    }

    @Test(arguments: [ErrorCode.remoteUnsigned, .remoteTooLarge])
    func aBadFileIsNoOutage(_ code: ErrorCode) {
        let (_, follow) = startWithGood()
        bench.serve(.failed(SondeError(remote: code, "bad")))
        bench.run(follow, .seconds(60))
        #expect(codes(follow) == [code.text])
        #expect(bench.reloaded == [])
        #expect((4...7).contains(bench.etags.count))
        bench.serve(.unchanged)
        bench.run(follow, .seconds(20))
    }

    @Test func anOutageIsRetriedAndForgotten() {
        let (configuration, follow) = startWithGood()
        bench.serve(.failed(SondeError(remote: .remoteUnreachable, "down")))
        bench.run(follow, .seconds(120))
        #expect(codes(follow) == ["SND-RMT001"])
        #expect(bench.etags.count >= 12)
        #expect(configuration.state.inForce?.serial == 1)
        bench.serve(.unchanged)
        bench.run(follow, .seconds(20))
        #expect(follow.failures.isEmpty)
        #expect(bench.log.lines(.warning).count == 1)
    }

    @Test func aReloadThatIsRefusedChangesNothing() {
        let (configuration, follow) = startWithGood()
        bench.answerReloads(.failed(.fake(.configuration, code: "SND-RUN007")))
        bench.serve(2)
        bench.run(follow, .seconds(60))
        #expect(configuration.state.inForce?.serial == 1)
        #expect(configuration.state.failed?.serial == 2)
        #expect(bench.reloaded == [2])
    }

    @Test func aReloadThatLacksMemoryComesAgain() {
        let (configuration, follow) = startWithGood()
        bench.answerReloads(.failed(.fake(.resource)), .carriedOut(.changing(sinks: "central")))
        bench.serve(2)
        bench.run(follow, .seconds(40))
        #expect(bench.reloaded == [2, 2])
        #expect(configuration.state.probation?.layer.serial == 2)
    }

    @Test func aDiskThatIsFullLetsNothingNewIn() {
        let (configuration, follow) = startWithGood()
        bench.failSaves(SondeError(remote: .remoteStateUnusable, "no room"))
        bench.serve(2)
        bench.run(follow, .seconds(30))
        #expect(configuration.state.inForce?.serial == 1)
        #expect(bench.reloaded == [])
        #expect(codes(follow) == ["SND-RMT010"])
        bench.failSaves(nil)
        bench.run(follow, .seconds(20))
        #expect(configuration.state.inForce?.serial == 2)
    }

    @Test func takingBackWorksOnADiskThatIsFull() {
        let (configuration, follow) = startWithGood()
        bench.serve(2)
        bench.run(follow, .seconds(12))
        bench.failSaves(SondeError(remote: .remoteStateUnusable, "no room"))
        bench.set([InstanceStatus.sink("central").failing(.programmer, since: bench.clock.monotonicTime)])
        bench.run(follow, .seconds(8))
        #expect(configuration.state.inForce?.serial == 1)
        #expect(bench.reloaded == [2, 1])
        #expect(codes(follow).contains("SND-RMT010"))
    }

    @Test func takingBackIsTriedAgainUntilTheReloadSucceeds() {
        let (_, follow) = startWithGood()
        bench.serve(2)
        bench.run(follow, .seconds(12))
        bench.answerReloads(.failed(.fake(.resource)), .carriedOut(.changing(sinks: "central")))
        bench.set([InstanceStatus.sink("central").failing(.configuration, since: bench.clock.monotonicTime)])
        bench.run(follow, .seconds(30))
        #expect(bench.reloaded == [2, 1, 1])
    }

    @Test func anAgentThatStopsLeavesTheTrialToTheNextStart() {
        let (configuration, follow) = startWithGood()
        bench.serve(2)
        bench.answerReloads(.failed(SondeError(reload: .reloadInterrupted, "the agent is stopping")))
        bench.run(follow, .seconds(12))
        configuration.stop()
        #expect(bench.stored.probation?.layer.serial == 2)
        #expect(bench.stored.probation?.starts == 0)
        let (next, _) = bench.start()
        #expect(next.state.inForce?.serial == 2)
        #expect(next.state.probation?.starts == 1)
        next.stop()
        #expect(bench.stored.probation?.starts == 0)
    }

    @Test func aCrashLoopStartsWithTheGoodOne() {
        let (_, follow) = startWithGood()
        bench.serve(2)
        bench.run(follow, .seconds(12))
        // Killed each time.
        for _ in 1..<RemoteState.crashLoop { #expect(bench.start().0.state.inForce?.serial == 2) }
        let (configuration, last) = bench.start()
        #expect(configuration.state.inForce?.serial == 1)
        #expect(codes(last) == ["SND-RMT009"])
        #expect(bench.stored.failed?.serial == 2)
    }

    @Test func theNameOfALayerHasNoSecrets() {
        let (configuration, follow) = startWithGood()
        #expect(configuration.layer(RemoteBench.agent())?.name == "https://h/fleet#1")
        #expect(follow.status.url == "https://h/fleet")
    }
}

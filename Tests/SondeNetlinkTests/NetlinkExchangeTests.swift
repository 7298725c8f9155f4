import Glibc
import SondeDomain
import SondeNetlink
import SondeTestKit
import Testing

@Suite struct NetlinkExchangeTests {
    private let kernel = FakeKernel([
        FakeLink(NetworkLink(index: 1, name: "lo", isLoopback: true), counters: [1, 2, 3]),
        FakeLink(NetworkLink(index: 2, name: "eth0"), counters: [4, 5, 6, 7]),
    ])

    private func names() throws -> (names: [String], isWhole: Bool) {
        let dump = try LinkReader(kernel).links(limit: 10)
        return (dump.value.links.map(\.link.name), dump.isWhole)
    }

    @Test func aDumpBringsEverything() throws {
        let found = try names()
        #expect(found.names == ["lo", "eth0"])
        #expect(found.isWhole)
    }

    @Test(arguments: [EBUSY, ENOBUFS, EINTR]) func aMomentaryFailureIsTriedAgain(number: Int32) throws {
        kernel.failures = [.answer(number), .receive(number), .send(number)]
        #expect(try names().names == ["lo", "eth0"])
        #expect(kernel.requests.count == 4)
    }

    @Test(arguments: [EBUSY, ENOBUFS]) func aFailureThatLastsIsReported(number: Int32) {
        kernel.failures = [.answer(number), .answer(number), .answer(number), .answer(number)]
        let error = #expect(throws: NetlinkError.self) { try names() }
        #expect(error == NetlinkError(.answer, number))
        #expect(error?.isRefusal == false)
    }

    @Test(arguments: [EPERM, EOPNOTSUPP, EAFNOSUPPORT]) func aRefusalIsNotTriedAgain(number: Int32) {
        kernel.failures = [.answer(number)]
        let error = #expect(throws: NetlinkError.self) { try names() }
        #expect(error?.isRefusal == true)
        #expect(kernel.requests.count == 1)
    }

    @Test func anInterruptedDumpBeginsAgainFromNothing() throws {
        kernel.failures = [.interrupted, .interrupted]
        let found = try names()
        #expect(found.names == ["lo", "eth0"], "nothing is there twice")
        #expect(found.isWhole)
    }

    @Test func aDumpThatIsInterruptedAllTheTimeIsTakenAsItIs() throws {
        kernel.failures = [.interrupted, .interrupted, .interrupted, .interrupted]
        let found = try names()
        #expect(found.names == ["lo"])
        #expect(!found.isWhole)
    }

    @Test func aLongDumpThatIsInterruptedIsTakenAsItIsAtOnce() throws {
        let kernel = FakeKernel((1...5_000).map { FakeLink(NetworkLink(index: $0, name: "veth\($0)"), counters: []) })
        kernel.failures = [.interrupted]
        let dump = try LinkReader(kernel).links(limit: 10)
        #expect(!dump.isWhole)
        #expect(dump.value.links.count + dump.value.overflow == 4_999)
        #expect(kernel.requests.count == 1)
    }

    @Test func whatIsLeftOfAnotherAnswerIsPassedOver() throws {
        var stale = NetlinkBuilder()
        stale.end(sequence: 77, error: EPERM)
        stale.end(sequence: 1)
        let script = NetlinkScript([stale.bytes])
        var request = NetlinkRequest(18, .dump, content: [])
        let dump = try NetlinkExchange(script).dump(&request, from: 0) { count, _ in count += 1 }
        #expect(dump.value == 0)
    }

    @Test func theCountsOfOneLinkAreAskedByItsIndex() throws {
        let reader = LinkReader(kernel)
        var second = LinkReader.counterRequest(of: 2)
        let bytes = try reader.bytes(&second)
        #expect(bytes?.received == 6)
        #expect(bytes?.sent == 7)
        var absent = LinkReader.counterRequest(of: 9)
        let error = #expect(throws: NetlinkError.self) { try reader.bytes(&absent) }
        #expect(error?.isAbsence == true)
    }

    @Test func linksBeyondTheLimitAreCountedAndHardwareIsKeptLonger() throws {
        kernel.links =
            (1...20).map { FakeLink(NetworkLink(index: $0, name: "v\($0)", kind: "veth")) }
            + [FakeLink(NetworkLink(index: 30, name: "eth0"))]
        let found = try LinkReader(kernel).links(limit: 5).value
        #expect(found.links.map(\.link.index) == [1, 2, 3, 4, 5, 30])
        #expect(found.overflow == 15)
    }

    @Test func noRouteIsNoFailure() throws {
        #expect(try LinkReader(kernel).defaultRoutes() == [])
        kernel.defaultRoute = 2
        #expect(try LinkReader(kernel).defaultRoutes() == [2, 2])
    }
}

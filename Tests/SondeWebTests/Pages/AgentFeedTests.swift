import Glibc
import SondeDomain
import SondeFormats
import SondeGateways
import Testing

@testable import SondePresentation
@testable import SondeWeb

@Suite struct AgentFeedTests {
    /// An agent that a test plays: it listens at a socket of a folder of its own.
    private final class Played {
        // MSG_NOSIGNAL, bits/socket.h.
        private static let withoutSignal = Int32(0x4000)

        let path: String
        private let listener: Int32
        private var connections: [Int32] = []

        init() throws {
            path = "/tmp/sonde-web-\(UInt64.random(in: .min ... .max)).sock"
            listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let code = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(code == 0 && listen(listener, 8) == 0)
        }

        deinit {
            for descriptor in connections + [listener] { close(descriptor) }
            unlink(path)
        }

        /// How many connections it has had.
        var connectionCount: Int {
            while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
                connections.append(descriptor)
            }
            return connections.count
        }

        /// Answers all requests that have come, and says their names.
        func answer() -> [String] {
            _ = connectionCount
            var names: [String] = []
            for descriptor in connections {
                var buffer = [UInt8](repeating: 0, count: 65_536)
                let count = recv(descriptor, &buffer, buffer.count, 0)
                for line in buffer.prefix(max(0, count)).split(separator: 0x0a) {
                    let name = (try? JSONReader.parse(Array(line)))?["request"]?.asString ?? ""
                    names.append(name)
                    let answer = Array("{\"ok\":true,\"\(name)\":{}}\n".utf8)
                    send(descriptor, answer, answer.count, Self.withoutSignal)
                }
            }
            return names
        }
    }

    private let start = MonotonicInstant(nanoseconds: 1_000_000_000)

    private func later(_ milliseconds: Int64) -> MonotonicInstant { start.advanced(by: .milliseconds(milliseconds)) }

    private func ids(_ deliveries: [AgentFeed.Delivery], of page: PageID) -> [Int] {
        deliveries.filter { $0.page == page }.map { delivery in
            if case .answered(let id, _) = delivery.intent { id } else { -1 }
        }
    }

    @Test func whatSeveralPagesAskIsAskedOnce() throws {
        let agent = try Played()
        let feed = AgentFeed(paths: [agent.path], timing: DashboardTiming())
        let (one, other) = (PageID(), PageID())
        feed.ask(DashboardRequest(id: 7, question: .snapshot), for: one, at: start)
        feed.ask(DashboardRequest(id: 9, question: .snapshot), for: other, at: start)
        #expect(agent.answer() == ["snapshot"])
        let deliveries = feed.take(at: start)
        #expect(ids(deliveries, of: one) == [7])
        #expect(ids(deliveries, of: other) == [9])
        feed.ask(DashboardRequest(id: 10, question: .snapshot), for: other, at: later(700))
        #expect(feed.hasDeliveries, "it is known")
        #expect(ids(feed.take(at: later(700)), of: other) == [10])
        #expect(agent.answer() == [])
        feed.ask(DashboardRequest(id: 11, question: .snapshot), for: other, at: later(800))
        #expect(agent.answer() == ["snapshot"], "what was known is too old")
    }

    @Test func ordersAndFilesAreAskedForEach() throws {
        let agent = try Played()
        let feed = AgentFeed(paths: [agent.path], timing: DashboardTiming())
        let subject = DashboardSubject(.bandwidthReceive, .hour)
        for page in [PageID(), PageID()] {
            feed.ask(DashboardRequest(id: 1, question: .retry("central")), for: page, at: start)
            feed.ask(
                DashboardRequest(id: 2, question: .export(subject, format: "csv", after: nil)), for: page, at: start)
        }
        #expect(agent.answer().sorted() == ["export", "export", "retry", "retry"])
        #expect(agent.connectionCount == 2)
    }

    @Test func anAgentThatIsNotThereFailsWhatIsAsked() {
        let feed = AgentFeed(paths: ["/nonexistent/sonde.sock"], timing: DashboardTiming())
        let page = PageID()
        feed.ask(DashboardRequest(id: 3, question: .snapshot), for: page, at: start)
        let deliveries = feed.take(at: start)
        guard case .failed(3, let error) = deliveries.first?.intent else { return #expect(Bool(false)) }
        #expect(error.code == .controlNotAnswered)
        #expect(feed.descriptors.isEmpty)
    }

    @Test func withoutPagesThereIsNoConnection() throws {
        let agent = try Played()
        let feed = AgentFeed(paths: [agent.path], timing: DashboardTiming())
        feed.ask(DashboardRequest(id: 1, question: .snapshot), for: PageID(), at: start)
        #expect(feed.descriptors.count == 1)
        feed.rest()
        #expect(feed.descriptors.isEmpty)
        #expect(!feed.hasDeliveries)
    }
}

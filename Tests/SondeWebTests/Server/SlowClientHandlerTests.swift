import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import SondeWeb

@Suite struct SlowClientHandlerTests {
    private let channel: EmbeddedChannel
    private let head = HTTPRequestPart.head(HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/"))

    init() throws {
        let patience = SlowClientHandler.Patience(request: .seconds(10), answer: .seconds(30))
        channel = EmbeddedChannel(handler: SlowClientHandler(patience))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func isOpen(after seconds: Int64) -> Bool {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
        return channel.isActive
    }

    @Test func aClientThatNeverSendsAHeadIsClosed() {
        #expect(isOpen(after: 9))
        #expect(!isOpen(after: 1))
    }

    @Test func aHeadGainsNoTime() throws {
        #expect(isOpen(after: 9))
        try channel.writeInbound(head)
        #expect(!isOpen(after: 1))
    }

    @Test func aWholeRequestMayWaitForItsAnswerAndALaterOneHasItsOwnTime() throws {
        try channel.writeInbound(head)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        #expect(isOpen(after: 50))
        try channel.writeInbound(head)
        #expect(isOpen(after: 9))
        #expect(!isOpen(after: 1))
    }
}

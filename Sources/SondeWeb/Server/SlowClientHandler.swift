internal import NIOCore
internal import NIOHTTPTypes

/// Closes the connection of a client that takes too long to send a request, or to take an answer.
final class SlowClientHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How long each may take.
    struct Patience: Sendable {
        /// From the opening of the connection, or for a later request from the end of its head, to its end.
        var request = TimeAmount.seconds(10)
        /// Without taking anything.
        var answer = TimeAmount.seconds(30)
    }

    private let patience: Patience
    private var sending: Scheduled<Void>?
    private var taking: Scheduled<Void>?

    init(_ patience: Patience) {
        self.patience = patience
    }

    func channelActive(context: ChannelHandlerContext) {
        // A head that is never whole is not seen here.
        sending = close(context, after: patience.request)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: sending = sending ?? close(context, after: patience.request)
        case .body: break
        case .end:
            sending?.cancel()
            sending = nil
        }
        context.fireChannelRead(data)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        taking?.cancel()
        taking = context.channel.isWritable ? nil : close(context, after: patience.answer)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        sending?.cancel()
        taking?.cancel()
        context.fireChannelInactive()
    }

    private func close(_ context: ChannelHandlerContext, after time: TimeAmount) -> Scheduled<Void> {
        let channel = context.channel
        return context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}

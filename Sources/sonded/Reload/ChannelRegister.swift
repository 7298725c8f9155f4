internal import SondeEngine
internal import Synchronization

/// The channels of the sources by id, so that a source that was reconfigured goes on with its series.
final class ChannelRegister: Sendable {
    private let channels = Mutex<[String: SourceChannel]>([:])

    /// A channel is used from now on, in the place of one of the same id.
    func admit(_ channel: SourceChannel) {
        let predecessor = channels.withLock { $0.updateValue(channel, forKey: channel.id) }
        if let predecessor { channel.inherit(from: predecessor) }
    }

    /// A channel is used no longer.
    func dismiss(_ channel: SourceChannel) {
        channels.withLock { channels in
            if channels[channel.id] === channel { channels[channel.id] = nil }
        }
    }
}

internal import SondeEngine
internal import Synchronization

/// The channels of the sources by id, so that a source that was reconfigured goes on with its series.
final class ChannelRegister: Sendable {
    /// The points of all of them, for who watches.
    let updates = SeriesUpdates()
    private let channels = Mutex<[String: SourceChannel]>([:])

    /// A channel is used from now on, in the place of one of the same id.
    func admit(_ channel: SourceChannel) {
        let predecessor = channels.withLock { $0.updateValue(channel, forKey: channel.id) }
        guard let predecessor else { return }
        channel.inherit(from: predecessor)
        updates.restart(.reload)
    }

    /// A channel is used no longer.
    func dismiss(_ channel: SourceChannel) {
        channels.withLock { channels in
            if channels[channel.id] === channel { channels[channel.id] = nil }
        }
        updates.restart(.reload)
    }

    /// Those that are used.
    var all: [SourceChannel] { channels.withLock { Array($0.values) } }
}

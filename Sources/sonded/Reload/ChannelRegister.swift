internal import SondeEngine
internal import Synchronization

/// The channels of the sources by id, so that a source that was reconfigured keeps its series.
final class ChannelRegister: Sendable {
    /// The points of all of them, for the reader that watches.
    let updates = SeriesUpdates()
    private let channels = Mutex<[String: SourceChannel]>([:])

    /// Adds a channel, replacing one of the same id.
    func admit(_ channel: SourceChannel) {
        let predecessor = channels.withLock { $0.updateValue(channel, forKey: channel.id) }
        guard let predecessor else { return }
        channel.inherit(from: predecessor)
        updates.restart(.reload)
    }

    /// Removes a channel.
    func dismiss(_ channel: SourceChannel) {
        channels.withLock { channels in
            if channels[channel.id] === channel { channels[channel.id] = nil }
        }
        updates.restart(.reload)
    }

    /// The channels in use.
    var all: [SourceChannel] { channels.withLock { Array($0.values) } }
}

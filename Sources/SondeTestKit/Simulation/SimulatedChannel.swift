internal import SondeDomain
internal import SondeEngine

/// A source's channel, with the oracle as a witness of which series are open.
final class SimulatedChannel {
    private let channel: SourceChannel
    private let world: SimulationWorld

    init(_ channel: SourceChannel, _ world: SimulationWorld) {
        self.channel = channel
        self.world = world
    }

    /// Opens a gauge.
    func open(_ name: String) -> UInt64 {
        world.oracle.opened(.init(source: channel.id, name: name))
        return channel.openSeries(SeriesSpecification(name: name, kind: .gauge, unit: "1"))
    }

    /// Closes a series whose object is gone.
    func close(_ name: String, _ handle: UInt64) {
        world.oracle.closed(.init(source: channel.id, name: name))
        channel.closeSeries(handle)
    }

    func commit(_ samples: [Sample], checkpoint: [UInt8]? = nil) -> CommitResult {
        world.oracle.commitBegins(of: channel.id, at: world.now)
        defer { world.oracle.committing = nil }
        return channel.commit(samples, checkpoint: checkpoint, rejections: [])
    }

    func loadCheckpoint() -> [UInt8]? { channel.loadCheckpoint() }
}

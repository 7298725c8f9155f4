internal import SondeDomain
internal import SondePluginKit

/// The options for what is reported about interfaces.
struct LinkSettings {
    /// Non-uplink virtual devices that are reported one by one; further ones are summed up.
    static let virtualLimit = 32

    /// Which interfaces are reported, by name.
    var filter = GlobFilter(include: [], exclude: [])
    /// The uplinks as configured; empty: they are chosen.
    var uplinks: [String] = []
    /// Readings of the uplinks per second at most; 0: none between collections.
    var peakRate: Int64 = 10
    /// Bytes per second from which on an uplink of unknown speed is read at that rate: about a hundredth of
    /// 100 Mbit/s.
    var peakFloor: Int64 = 128 << 10
    /// What is kept of interfaces at most.
    var interfaces = TableLimits().interfaces

    /// What else is asked of the route socket.
    var extras: Set<LinkExtras.Part> = []
    /// What walks over tables of any length may take of one core, in percent.
    var budget = 1.0

    init() {}

    init(_ options: Options) {
        filter = GlobFilter(
            include: options.list("interfaces.include"),
            exclude: options.list("interfaces.exclude")
        )
        uplinks = options.list("uplinks")
        peakRate = options.integer("peak_rate") ?? peakRate
        peakFloor = options.size("peak_floor") ?? peakFloor
    }

    /// The time between two readings of the uplinks; zero: none.
    var peakPeriod: Nanoseconds {
        peakRate > 0 ? Nanoseconds(1_000_000_000 / min(peakRate, 50)) : .zero
    }
}

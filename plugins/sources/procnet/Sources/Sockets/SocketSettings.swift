internal import SondePluginKit

/// The options for what is reported about sockets.
struct SocketSettings {
    /// How closely sockets are looked at.
    enum Extent: String, CaseIterable {
        /// Not at all, but for the totals of sockstat.
        case off
        /// By state, family and port.
        case count
        /// Established connections one by one, too.
        case detail
    }

    /// How closely sockets are looked at.
    var extent = Extent.count
    /// What walks may take of one core, in percent.
    var budget = 1.0

    init() {}

    init(_ options: Options) {
        extent = options.string("sockets").flatMap(Extent.init(rawValue:)) ?? extent
        budget = options.double("cpu_budget") ?? budget
    }
}

internal import SondePluginKit

/// Whoever tells things that come and go, each by a key of its own.
protocol KeyedSeriesOwner {
    associatedtype Key: Hashable

    var series: KeyedSeries<Key> { get set }
}

extension KeyedSeriesOwner {
    /// Series that the host refused.
    var refused: UInt64 { series.refused }

    /// Closes everything.
    mutating func closeAll(_ host: PluginHost) {
        series.closeAll(host)
    }
}

internal import SondePluginKit

/// Reports things that come and go, each under its own key.
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

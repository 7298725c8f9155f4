public import SondeDomain
internal import Synchronization

/// The descriptions of the metrics of all sources, by name, for sinks whose receivers show them.
///
/// Bounded: names come from plugins. May be called from any thread.
public final class MetricMeanings: Sendable {
    private static let bound = 16_384

    private let meanings = Mutex<[String: String]>([:])

    /// No metric is known.
    public init() {}

    /// Adds a plugin's catalog.
    public func learn(_ metrics: [MetricDefinition]) {
        meanings.withLock { meanings in
            for metric in metrics where meanings.count < Self.bound { meanings[metric.name] = metric.meaning }
        }
    }

    /// Adds a source's description of a metric that is not in its catalog.
    func learn(_ metric: String, _ meaning: String) {
        meanings.withLock { meanings in
            guard meanings[metric] == nil, meanings.count < Self.bound else { return }
            meanings[metric] = meaning
        }
    }

    /// What a metric measures, in one sentence; empty when no source says.
    func meaning(of metric: String) -> String {
        meanings.withLock { $0[metric] ?? "" }
    }
}

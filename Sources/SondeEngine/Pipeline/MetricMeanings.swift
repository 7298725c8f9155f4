public import SondeDomain
internal import Synchronization

/// What the metrics of all sources tell, by name, for sinks whose receivers show it to people.
///
/// Bounded: names come from plugins. May be called from any thread.
public final class MetricMeanings: Sendable {
    private static let bound = 16_384

    private let meanings = Mutex<[String: String]>([:])

    /// No metric is known.
    public init() {}

    /// Takes a plugin's catalog.
    public func learn(_ metrics: [MetricDefinition]) {
        meanings.withLock { meanings in
            for metric in metrics where meanings.count < Self.bound { meanings[metric.name] = metric.meaning }
        }
    }

    /// Takes what a source says of a metric that is not in its catalog.
    func learn(_ metric: String, _ meaning: String) {
        meanings.withLock { meanings in
            guard meanings[metric] == nil, meanings.count < Self.bound else { return }
            meanings[metric] = meaning
        }
    }

    /// What a metric tells, in one sentence; empty when nobody says.
    func meaning(of metric: String) -> String {
        meanings.withLock { $0[metric] ?? "" }
    }
}

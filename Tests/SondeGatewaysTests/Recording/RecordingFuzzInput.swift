import SondeDomain
import SondeEngine
import SondeTestKit

@testable import SondeGateways

/// How the fuzzer's bytes become a recording: one that selects the options of its sources, then the parts.
///
/// The sources of Sonde's own plugins are played, as `sonde replay` plays them.
enum RecordingFuzzInput {
    /// What the first byte selects, for each plugin that has a tape.
    private static let options: [[String: [String: OptionValues.Value]]] = [
        [
            "procnet": ["sockets": .string("count")],
            "dnslog": ["format": .string("auto"), "path": .string("/log"), "top": .integer(3)],
            "pcap": ["flow_table": .size(65_536), "top": .integer(3)],
        ],
        [
            "procnet": ["sockets": .string("detail"), "counters": .list(["all"]), "peak_rate": .integer(0)],
            "dnslog": ["format": .string("dnsmasq"), "path": .string("/log"), "privacy": .string("hashed")],
            "pcap": ["flow_table": .size(65_536), "privacy": .string("hashed"), "snaplen": .size(64)],
        ],
    ]
    // Each has tables of its own.
    private static let mostSources = 3
    // A day between two calls is many windows and intervals.
    private static let mostFrames = 64

    private static let catalog = SharedCatalog()

    /// The invariants that reading and playing a recording break.
    static func brokenInvariants(_ input: UnsafeRawBufferPointer) -> [String] {
        guard let first = input.first else { return [] }
        let recording: Recording
        do throws(SondeError) {
            recording = try Recording(Recording.head + input.dropFirst())
        } catch {
            return error.code == .recordingDamaged ? [] : ["a recording is damaged, or it is read"]
        }
        let rules = rules(recording)
        return rules.filter { !$0.1 }.map(\.0) + play(recording, options[Int(first) % options.count])
    }

    private static func rules(_ recording: Recording) -> [(String, Bool)] {
        let (sources, frames) = (recording.sources, recording.frames)
        let places = frames.flatMap(\.answers).map(\.place)
        return [
            ("sources are limited", sources.count <= Recording.sourceLimit),
            ("sources have names of their own", Set(sources.map(\.id)).count == sources.count),
            ("a call has a source", frames.allSatisfy { sources.indices.contains($0.source) }),
            ("an answer is in the file", places.allSatisfy { $0.clamped(to: recording.bytes.indices) == $0 }),
            ("the clock does not go back", zip(frames, frames.dropFirst()).allSatisfy { $0.instant <= $1.instant }),
        ]
    }

    private static func play(_ recording: Recording, _ options: [String: [String: OptionValues.Value]]) -> [String] {
        guard let first = recording.frames.first, recording.frames.count <= mostFrames else { return [] }
        let clock = StandingClock(first.time, first.instant)
        let log = RecordingLog()
        let ledger = LossLedger(log: log)
        let spool = MemorySpool(epoch: "e", maxBytes: 1 << 20, overflow: .dropOldest)
        let pipeline = Pipeline(spool: spool, ledger: ledger, clock: clock)
        let run = ReplayRun(recording, clock: clock, log: log)
        for (number, source) in recording.sources.enumerated().prefix(mostSources) {
            guard let values = options[source.plugin], let plugin = catalog.plugin(source.plugin),
                let options = OptionValues(values).completed(by: plugin.descriptor.options),
                let made = recording.frames.first(where: { $0.source == number && $0.call == .create })
            else { continue }
            clock.set(made.time, max(made.instant, clock.monotonicTime))
            let entry = StatusEntry(id: source.id, plugin: source.plugin, kind: .source, at: clock.monotonicTime)
            let channel = SourceChannel(
                id: source.id, descriptor: plugin.descriptor, labels: [], host: "h", pipeline: pipeline, ledger: ledger,
                log: log, clock: clock, interval: source.interval, listeners: .init(status: entry))
            do throws(SondeError) {
                let tape = try ReplayedSource(recording, number: number)
                tape.load(made)
                let services = TapedServices(channel, clock: clock, tape: tape, commits: .passed)
                let instance = try plugin.makeSource(id: source.id, options: options, services: services)
                run.add(ReplayRun.Source(tape, instance, channel, entry), number: number)
            } catch {
                return ["\(source.plugin) cannot be made: \(error.message)"]
            }
        }
        return run.play() ? [] : ["without a sink everything is delivered"]
    }

    /// The plugins that are linked into this program.
    // Used by one thread at a time.
    private final class SharedCatalog: @unchecked Sendable {
        private let catalog = DirectoryPluginCatalog(
            PluginSearchPath([]), builtIn: BuiltInPlugin.all, log: RecordingLog())

        func plugin(_ name: String) -> (any LoadedPlugin)? {
            try? catalog.plugin(named: name, isolation: .inProcess)
        }
    }
}

internal import SondeDomain
internal import SondePluginKit

/// Reads what wireless devices report about their link; most hosts have none.
final class WirelessStage {
    private struct Key: Hashable {
        let interface: String
        let metric: String
        var reason = ""
    }

    private static let interface = ["network.interface.name"]
    private static let reasons = ["nwid", "crypt", "fragment", "retry", "other"]

    static let quality = gauge("link.quality", "", "How good the link is, in the driver's own measure.")
    static let signal = gauge("signal", "dBm", "The level of the signal; absent where the driver has another measure.")
    static let noise = gauge("noise", "dBm", "The level of the noise; absent where the driver does not know it.")
    static let discarded = MetricDefinition(
        "sonde.wireless.packet.discarded",
        .counter,
        unit: "{packet}",
        attributes: interface + ["sonde.wireless.discard.reason"],
        meaning: "Packets discarded: of another network, not decrypted, not reassembled, too many retries, other."
    )
    static let beacons = MetricDefinition(
        "sonde.wireless.beacon.missed",
        .counter,
        unit: "{beacon}",
        attributes: interface,
        meaning: "Beacons of the access point that did not come."
    )

    static var all: [MetricDefinition] { [quality, signal, noise, discarded, beacons] }

    private let host: PluginHost
    private let filter: GlobFilter
    private var file: ProcFile
    private let buffer = ProcBuffer(capacity: 4_096)
    private var series = KeyedSeries<Key>()
    private var problemCounts = InputProblemCounts()
    /// How often the list of links was new when there was no such file; nil: it is there, or was not looked for.
    private var absentAt: UInt64?

    init(_ view: NamespaceView, _ filter: GlobFilter, limits: TableLimits, host: PluginHost) {
        self.host = host
        self.filter = filter
        file = ProcFile(path: "\(view.tables)/net/wireless", limit: limits.fileSize, tape: view.tape)
    }

    /// What was left out so far.
    func problems(_ problem: InputProblem) -> UInt64 {
        problem == .seriesLimit ? series.refused : problemCounts[problem]
    }

    /// Closes every series: wireless devices are not read any more.
    func close() {
        series.closeAll(host)
    }

    /// Appends what is there; `links` is how often the list of links was new so far, nil: unknown.
    ///
    /// A file that is not there is looked for again when a link came, went or changed: without a wireless device there
    /// is nothing in it.
    func read(_ times: ReadingTimes, links: UInt64?, into samples: inout SampleBuffer) {
        guard absentAt == nil || absentAt != links else { return }
        guard let count = try? file.read(into: buffer) else {
            absentAt = links
            series.begin()
            series.end(host)
            return
        }
        absentAt = nil
        let start = times.start(of: .snmp, lastReading: nil)
        series.begin()
        for row in WirelessTable.rows(buffer.prefix(count), &problemCounts) where filter.passes(row.name) {
            append(row, start, to: &samples)
        }
        series.end(host)
    }

    private func append(_ row: WirelessTable.Row, _ start: Timestamp?, to samples: inout SampleBuffer) {
        add(row.name, Self.quality, .unsigned(row.quality), nil, to: &samples)
        if let signal = row.signal { add(row.name, Self.signal, .signed(signal), nil, to: &samples) }
        if let noise = row.noise { add(row.name, Self.noise, .signed(noise), nil, to: &samples) }
        for (reason, count) in zip(Self.reasons, row.discarded) {
            add(row.name, Self.discarded, .unsigned(count), start, reason: reason, to: &samples)
        }
        add(row.name, Self.beacons, .unsigned(row.missedBeacons), start, to: &samples)
    }

    private func add(
        _ name: String,
        _ metric: MetricDefinition,
        _ value: SampleValue,
        _ start: Timestamp?,
        reason: String = "",
        to samples: inout SampleBuffer
    ) {
        let isCounter = metric.kind == .counter
        let handle = series.handle(Key(interface: name, metric: metric.name, reason: reason)) {
            let reasons = reason.isEmpty ? [] : [Attribute("sonde.wireless.discard.reason", reason)]
            return host.openSeries(
                metric,
                [Attribute("network.interface.name", name)] + reasons,
                start: start,
                // struct iw_discarded, linux/wireless.h: 32 bits.
                width: isCounter ? .bits32 : .unknown
            )
        }
        if let handle { samples.append(handle, value) }
    }

    private static func gauge(_ name: String, _ unit: String, _ meaning: String) -> MetricDefinition {
        MetricDefinition("sonde.wireless.\(name)", .gauge, unit: unit, attributes: interface, meaning: meaning)
    }
}

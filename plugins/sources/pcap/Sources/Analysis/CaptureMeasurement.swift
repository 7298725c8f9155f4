internal import Glibc

/// Takes a capture file through reader and analysis, so that a benchmark measures what the plugin runs.
package enum CaptureMeasurement {
    /// What is done with each packet.
    package enum Mode: String, CaseIterable, Sendable {
        /// Nothing: the file is only read.
        case read
        /// Flows with their time-outs and rankings, as in live capture.
        case flow
        /// Flows of which none ends by its time, as in a report of a file.
        case file
        /// Flows and DNS.
        case dns
        /// DNS alone.
        case odns
    }

    /// What was seen.
    package struct Result: Sendable {
        /// Packets in the file.
        package var packets: UInt64 = 0
        /// Flows that began, and how many of them had to make room.
        package var flows: UInt64 = 0
        package var evicted: UInt64 = 0
        /// What the flow table has used of its memory, in bytes.
        package var tableBytes = 0
    }

    /// Reads the file at `path`; `tableBytes` is the bound of the flow table.
    ///
    /// Nil when it cannot be read to its end.
    package static func run(_ path: String, _ mode: Mode, tableBytes: Int) -> Result? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let analysis = UnsafeMutablePointer<TrafficAnalysis>.allocate(capacity: 1)
        analysis.initialize(to: TrafficAnalysis(flows: flows(mode, tableBytes), dns: dns(mode)))
        defer {
            analysis.deinitialize(count: 1)
            analysis.deallocate()
        }
        guard let packets = read(CaptureInput(descriptor), mode, analysis) else { return nil }
        return result(packets, analysis)
    }

    private static func read(
        _ input: CaptureInput, _ mode: Mode, _ analysis: UnsafeMutablePointer<TrafficAnalysis>
    ) -> UInt64? {
        var packets: UInt64 = 0
        do throws(CaptureFileError) {
            var reader = try CaptureReader.open(input)
            var packet = CapturedPacket.empty
            while try reader.next(&packet) {
                packets &+= 1
                if mode != .read { analysis.pointee.process(packet) }
            }
        } catch {
            return nil
        }
        return packets
    }

    private static func flows(_ mode: Mode, _ bytes: Int) -> FlowSettings? {
        switch mode {
        case .read, .odns: return nil
        case .file: return .file(bytes: bytes)
        case .flow, .dns:
            var settings = FlowSettings()
            settings.bytes = bytes
            return settings
        }
    }

    private static func dns(_ mode: Mode) -> DNSSettings? {
        guard mode == .dns || mode == .odns else { return nil }
        return DNSSettings(seed: .random(in: .min ... .max))
    }

    private static func result(_ packets: UInt64, _ analysis: UnsafeMutablePointer<TrafficAnalysis>) -> Result {
        var result = Result()
        result.packets = packets
        result.flows = analysis.pointee.flows?.totals.started ?? 0
        result.evicted = analysis.pointee.flows?.totals.ended(.evicted) ?? 0
        result.tableBytes = analysis.pointee.flows?.table.byteCount ?? 0
        return result
    }
}

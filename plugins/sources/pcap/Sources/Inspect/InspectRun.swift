internal import SondePluginKit
internal import SondeWire

/// Reads a capture file to its end and counts what is in it.
package struct InspectRun: ~Copyable {
    /// What was counted so far.
    package private(set) var report = InspectReport()
    private var analysis: TrafficAnalysis
    private var peak = PeakSecond()
    private var earliest = Int64.max
    private var latest = Int64.min
    /// The link type of the last packet; beyond all of them before the first.
    private var lastLinkType = UInt64.max
    private var (packets, wireBytes, capturedBytes) = (0 as UInt64, 0 as UInt64, 0 as UInt64)
    /// The first link type that cannot be decoded.
    private var unknown: UInt32?

    /// A run that hands every packet to `analysis`.
    package init(_ analysis: consuming TrafficAnalysis = .file) {
        self.analysis = analysis
    }

    /// Reads `input`.
    ///
    /// Throws ``CaptureFileError/notCapture`` and the cancellation; what else goes wrong is in the report.
    package mutating func read(_ input: CaptureInput) throws(CaptureFileError) {
        do throws(CaptureFileError) {
            var reader = try CaptureReader.open(input)
            try read(&reader)
        } catch {
            guard error != .notCapture, error != .cancelled else { throw error }
            report.failure = error.description
        }
        finish()
    }

    private mutating func read(_ reader: inout CaptureReader) throws(CaptureFileError) {
        defer { report.linkTypes = reader.linkTypes.map { LinkType(rawValue: $0).description } }
        // A classic file has one link type, packets or not; an interface of pcapng may have had no packet.
        if let classic = reader.classic {
            check(classic.linkType)
            if classic.order.isSwapped {
                try readRecords(classic, ByteOrder(isSwapped: true), &reader)
            } else {
                try readRecords(classic, ByteOrder(isSwapped: false), &reader)
            }
        } else {
            try readBlocks(&reader)
        }
    }

    // A loop for each format and byte order: in one for all, none would keep its state in registers.

    @inline(__always)
    private mutating func readRecords(
        _ header: ClassicHeader, _ order: ByteOrder, _ reader: inout CaptureReader
    ) throws(CaptureFileError) {
        var packet = CapturedPacket.empty
        while try reader.nextRecord(header, order, &packet) { process(packet) }
    }

    @inline(never)
    private mutating func readBlocks(_ reader: inout CaptureReader) throws(CaptureFileError) {
        var packet = CapturedPacket.empty
        while try reader.nextBlock(&packet) { process(packet) }
    }

    @inline(__always)
    private mutating func process(_ packet: CapturedPacket) {
        if UInt64(packet.linkType) != lastLinkType { check(packet.linkType) }
        packets &+= 1
        wireBytes &+= UInt64(packet.wireLength)
        capturedBytes &+= UInt64(packet.bytes.count)
        if packet.time != CapturedPacket.unknownTime {
            if packet.time > latest { latest = packet.time }
            if packet.time < earliest { earliest = packet.time }
            peak.add(packet.wireLength, at: packet.time)
        }
        analysis.process(packet)
    }

    @inline(never)
    private mutating func check(_ linkType: UInt32) {
        lastLinkType = UInt64(linkType)
        if unknown == nil, LinkType(rawValue: linkType).framing == nil { unknown = linkType }
    }

    private mutating func finish() {
        analysis.finish()
        (report.packets, report.bytes, report.capturedBytes) = (packets, wireBytes, capturedBytes)
        report.take(analysis)
        if earliest <= latest {
            let (span, overflow) = latest.subtractingReportingOverflow(earliest)
            report.duration = overflow ? .max : span
        }
        report.peakBytesPerSecond = peak.bytes
        guard report.failure == nil, let unknown else { return }
        report.failure = (
            "SND-PCP023", "packets of link type \(LinkType(rawValue: unknown)) (\(unknown)) cannot be decoded"
        )
    }
}

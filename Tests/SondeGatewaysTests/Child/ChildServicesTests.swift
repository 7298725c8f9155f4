import CLinux
import Foundation
import SondeDomain
import SondeEngine
import SondeTestKit
import Synchronization
import Testing

@testable import SondeGateways

/// What becomes of the series of a process that was replaced: frames of a child, served for an engine that remembers.
@Suite struct ChildServicesTests {
    private let engine = RecordingServices()
    private let services: ChildServices
    private let agent: FrameChannel
    private let child: FrameChannel

    init() throws {
        services = ChildServices(.source(engine, tick: false), id: "any")
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        agent = FrameChannel(try OwnedDescriptor(ends[0], of: "socketpair"))
        child = FrameChannel(try OwnedDescriptor(ends[1], of: "socketpair"))
        services.beginProcess()
    }

    /// Serves one request, as if the child had sent it.
    private func request(_ kind: ChildFrame.Kind, _ body: (inout SondeGateways.ByteWriter) -> Void) throws {
        try child.send(kind, body)
        var failure: ChannelFlaw?
        try agent.receive { kind, reader throws(ChannelFlaw) in
            do throws(ChannelFlaw) { try services.serve(kind, &reader, agent) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func open(_ name: String, start: Int64? = nil) throws -> UInt64 {
        let specification = SeriesSpecification(
            name: name, kind: .counter, unit: "1", start: start.map(Timestamp.init(seconds:)))
        try request(.openSeries) { $0.append(specification) }
        return try child.receive { _, reader in reader.number(UInt64.self) }
    }

    private func commit() throws {
        try request(.commit) {
            $0.append(flag: false)
            $0.append([SampleRejection]())
            $0.append([Sample]())
        }
        try child.receive { _, _ in }
    }

    private var closed: [UInt64] { engine.state.withLock { $0.closed } }

    @Test func aStreamHasAMinuteToOpenAgainWhatItHad() throws {
        let kept = try open("kept")
        let gone = try open("gone")
        services.beginProcess()
        #expect(try open("kept") == kept)
        try commit()
        engine.time.advance(by: .seconds(59))
        try commit()
        #expect(closed == [])
        engine.time.advance(by: .seconds(1))
        try commit()
        #expect(closed == [gone])
        try commit()
        #expect(closed == [gone])
    }

    @Test func theEndOfACallClosesThemAtOnce() throws {
        let gone = try open("gone")
        services.beginProcess()
        services.closeFormerSeries()
        #expect(closed == [gone])
    }

    @Test func twoProcessesThatFailInARowLeaveNothing() throws {
        let first = try open("first")
        services.beginProcess()
        let second = try open("second")
        services.beginProcess()
        services.closeFormerSeries()
        #expect(closed == [first, second])
    }

    @Test func aCounterThatBeginsAnewIsAnotherSeries() throws {
        let before = try open("packets", start: 100)
        services.beginProcess()
        let after = try open("packets", start: 200)
        #expect(after != before)
        #expect(closed == [before])
        #expect(engine.series.last?.start == Timestamp(seconds: 200))
        // Within one process the first start holds.
        #expect(try open("packets", start: 300) == after)
        services.closeFormerSeries()
        #expect(closed == [before])
    }

    @Test(arguments: [nil, 4.5])
    func aHistogramMayBeTheLastSample(sum: Double?) throws {
        let value = try #require(HistogramValue(bounds: [1, 2], counts: [3, 4, 5], sum: sum))
        let sample = Sample(series: try open("latency"), time: nil, value: .histogram(value))
        try request(.commit) {
            $0.append(flag: false)
            $0.append([SampleRejection]())
            $0.append([sample])
        }
        #expect(engine.commits.last?.samples == [sample])
    }

    @Test(arguments: [nil, 4.5])
    func aHistogramMayBeTheLastPointOfABatch(sum: Double?) throws {
        let value = try #require(HistogramValue(bounds: [1, 2], counts: [3, 4, 5], sum: sum))
        let series = Series(id: SeriesID(rawValue: 1), source: "a", name: "b", kind: .histogram, unit: "s")
        let point = MetricPoint(series: series.id, time: Timestamp(seconds: 1), value: .histogram(value))
        let identity = BatchIdentity(agent: "a", epoch: "e", first: 1, last: 1)
        let batch = Batch(
            identity: identity, sink: "central", series: [series], entries: [.init(seriesIndex: 0, point: point)])
        var writer = SondeGateways.ByteWriter()
        writer.append(batch) { _ in "" }
        let read = Array(writer.bytes).withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            let read = reader.batch()
            return reader.isValid ? read : nil
        }
        #expect(read?.entries.map(\.point.value) == [point.value])
    }

    @Test func whatTheNewProcessClosesIsClosedOnce() throws {
        let series = try open("short")
        services.beginProcess()
        #expect(try open("short") == series)
        try request(.closeSeries) { $0.append(series) }
        services.closeFormerSeries()
        #expect(closed == [series])
    }
}

import CSondePlugin
import Glibc
import SondeDomain

@testable import PcapPlugin
@testable import SondePluginKit
@testable import SondeTestKit

/// A live capture that the test itself drives, turn by turn, in its own thread.
final class CaptureBench {
    struct TimedOut: Error {
        let packets: UInt64
        let log: [String]
    }

    let fake: FakeHost
    let host: PluginHost
    let pipeline: PacketPipeline
    let capture: LiveCapture

    init(
        _ options: [String: FakeHost.Option], _ analysis: AnalysisSettings = AnalysisSettings(),
        links: HostLinks? = nil
    ) throws {
        fake = FakeHost(options: options)
        host = PluginHost(fake.record)
        pipeline = PacketPipeline(analysis)
        let whole = analysis.dns?.ports ?? []
        capture = try LiveCapture(
            try CaptureSettings(host.options, wholeStreams: whole), pipeline, host, links: links ?? .here,
            mayOpen: { false })
    }

    /// Captures until `condition` holds; throws what ends the capture, or after 20 s.
    func turn(until condition: () -> Bool) throws {
        let call = PluginCall(Self.conditions)
        let deadline = host.monotonicTime.advanced(by: .seconds(20))
        while !condition() {
            guard host.monotonicTime < deadline else { throw TimedOut(packets: pipeline[0].packets, log: fake.log) }
            try capture.turn(call, until: host.monotonicTime.advanced(by: .milliseconds(50)))
        }
    }

    /// Captures until interface `slot` has `count` packets, then as long again as a packet may take: no more come.
    func expect(_ count: UInt64, slot: UInt16 = 0) throws {
        try turn { self.pipeline[slot].packets >= count }
        let end = host.monotonicTime.advanced(by: .milliseconds(250))
        try turn { self.host.monotonicTime >= end }
    }

    /// Captures for some time.
    func turn(for span: Nanoseconds) throws {
        let end = host.monotonicTime.advanced(by: span)
        try turn { self.host.monotonicTime >= end }
    }

    private static var conditions: sonde_call {
        var call = sonde_call()
        call.cancel_fd = -1
        call.deadline_ns = .max
        return call
    }
}

import Foundation
import SondePluginKit
import Testing

@testable import DropsPlugin

extension LiveTests {
    /// The kernel takes the programs, whichever kernel's records they are made for.
    @Suite struct VerifierTests {
        @Test(arguments: Fixture.kernels) func everyProgramIsTaken(_ kernel: String) throws {
            let place = TracingDirectory(path: "/sys/kernel/tracing")
            let events = Fixture.events(kernel)
            #expect(events.count == ["linux-5.10": 2, "linux-6.0": 3, "linux-6.18": 5][kernel])
            for event in events {
                let (_, number) = try #require(try place.read(type(of: event).tracepoint, Surroundings()))
                _ = try EventCounter(event, number, processors: 2)
            }
        }

        @Test func aProgramThatReadsOutsideOfTheRecordIsRefusedWithAReason() throws {
            struct Outside: KernelEvent {
                static let tracepoint = Handshakes.tracepoint
                let slots = 1
                init(_ format: TracepointFormat) throws(MissingField) {}
                func choose(_ program: inout ProgramBuilder, skip: ProgramBuilder.Label) {
                    program.load(.r6, .word, from: .r1, at: 16_000)
                }
                func report(_ counts: [UInt64], to sheet: SampleSheet) {}
            }
            let format = try #require(try Fixture.format("linux-6.18", Handshakes.tracepoint))
            let outside = try Outside(format)
            let refusal = #expect(throws: SystemRefusal.self) { try EventCounter(outside, 1, processors: 1) }
            #expect(refusal?.call == .loadProgram && refusal?.log.contains("invalid bpf_context access") == true)
            let error = refusal.map { PluginError.refused($0, Handshakes.tracepoint, Surroundings()) }
            #expect(error?.code == "SND-DRP007" && error?.message.contains("invalid bpf_context access") == true)
        }

        /// The kernel looks for a record that is too short once more, where it knows the tracepoint.
        @Test func aProgramForALongerRecordIsRefusedAtItsTracepoint() throws {
            let place = TracingDirectory(path: "/sys/kernel/tracing")
            let (_, number) = try #require(try place.read(PacketDrops.tracepoint, Surroundings()))
            let event = try SentResets(try #require(try Fixture.format("linux-6.18", SentResets.tracepoint)))
            let refusal = #expect(throws: SystemRefusal.self) { try EventCounter(event, number, processors: 1) }
            #expect(refusal?.call == .attach)
            let error = refusal.map { PluginError.refused($0, SentResets.tracepoint, Surroundings()) }
            #expect(error?.code == "SND-DRP007")
        }

        /// `Benchmarks/drops` does it a thousand times.
        @Test func nothingIsLeftOfWhatWasClosed() throws {
            let place = TracingDirectory(path: "/sys/kernel/tracing")
            let (format, number) = try #require(try place.read(ReceivedResets.tracepoint, Surroundings()))
            let event = try ReceivedResets(format)
            let before = (Tracing.openDescriptors, try Self.mappedCounters())
            for _ in 0..<50 { _ = try EventCounter(event, number, processors: 2) }
            #expect(Tracing.openDescriptors == before.0)
            #expect(try Self.mappedCounters() == before.1)
        }

        /// How many maps of programs this process has mapped.
        private static func mappedCounters() throws -> Int {
            try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n")
                .count { $0.contains("bpf-map") }
        }
    }
}

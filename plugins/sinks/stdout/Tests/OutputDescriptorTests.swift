import Foundation
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import StdoutPlugin

struct OutputDescriptorTests {
    /// Far more than a pipe holds.
    private let large = 5_000

    @Test func aBatchLargerThanThePipeIsWrittenWhole() async throws {
        let pipe = TestPipe()
        let reader = PipeReader(pipe.readEnd)
        try await onPluginThread { [large] in
            // Without it the reader would wait for ever when the delivery throws.
            defer { try? pipe.writeEnd.close() }
            let harness = try TestedSink.harness(to: pipe.writeEnd.fileDescriptor, ["format": .string("json")])
            try harness.deliver(.points(large))
        }
        #expect(reader.wait().utf8.count { $0 == 0x0a } == large)
    }

    @Test func aStoppedReaderIsATransientErrorAndTheRestFollows() throws {
        let pipe = TestPipe()
        let harness = try TestedSink.harness(to: pipe.writeEnd.fileDescriptor, ["format": .string("json")])
        var text = ""
        var failures = 0
        while true {
            do {
                try harness.deliver(.points(large), timeout: .milliseconds(20))
                break
            } catch let error as PluginError {
                #expect(error.code == "SND-OUT002" && error.failureClass == .transient)
                failures += 1
                text += try pipe.drain()
            }
        }
        text += try pipe.drain()
        #expect(failures > 1)
        let values = text.split(separator: "\n").compactMap { $0.firstMatch(of: /"value":(\d+)/)?.1 }
        #expect(values.compactMap { Int($0) } == Array(1...large))
    }

    @Test func aTornLineIsEndedBeforeAnotherBatch() throws {
        let pipe = TestPipe()
        let harness = try TestedSink.harness(to: pipe.writeEnd.fileDescriptor, ["format": .string("json")])
        #expect(throws: PluginError.self) { try harness.deliver(.points(large), timeout: .milliseconds(20)) }
        let torn = try pipe.drain()
        try #require(!torn.hasSuffix("\n"))
        try harness.deliver(.points(1, first: 9_000_000))
        let next = try pipe.drain()
        #expect(next.hasPrefix("\n{") && next.hasSuffix("}\n"))
    }

    @Test func cancellationEndsTheWait() throws {
        let pipe = TestPipe()
        let harness = try TestedSink.harness(to: pipe.writeEnd.fileDescriptor, ["format": .string("json")])
        harness.cancel()
        #expect(try harness.deliver(.points(large)) == .cancelled)
    }

    @Test func aClosedPipeHasItsOwnCode() async throws {
        let error = try await onPluginThread {
            let pipe = TestPipe()
            let harness = try TestedSink.harness(to: pipe.writeEnd.fileDescriptor, ["format": .string("json")])
            try pipe.readEnd.close()
            return #expect(throws: PluginError.self) { try harness.deliver(.points(1)) }
        }
        #expect(error?.code == "SND-OUT001")
        #expect(error?.failureClass == .configuration)
        #expect(error?.message == "standard output is closed")
    }

    @Test func noStandardOutputAtAllIsAClosedOne() throws {
        let harness = try TestedSink.harness(to: 1_000_000, ["format": .string("json")])
        let error = #expect(throws: PluginError.self) { try harness.deliver(.points(1)) }
        #expect(error?.code == "SND-OUT001")
    }

    @Test func aFullDiskIsAResourceError() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let harness = try TestedSink.harness(to: full.fileDescriptor, ["format": .string("json")])
        let error = #expect(throws: PluginError.self) { try harness.deliver(.points(1)) }
        #expect(error?.code == "SND-OUT003" && error?.failureClass == .resource)
    }

    @Test func aFileIsAppendedToWhereItStands() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "stdout-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data("first\n".utf8).write(to: url)
        let file = try FileHandle(forWritingTo: url)
        try file.seekToEnd()
        let harness = try TestedSink.harness(to: file.fileDescriptor, ["format": .string("influx")])
        try harness.deliver(.points(large))
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == large + 1 && lines.first == "first")
    }

    @Test func theSharedDescriptorStaysBlocking() throws {
        let pipe = TestPipe()
        let harness = try TestedSink.harness(to: pipe.writeEnd.fileDescriptor, ["format": .string("json")])
        try harness.deliver(.points(1))
        #expect(fcntl(pipe.writeEnd.fileDescriptor, F_GETFL) & O_NONBLOCK == 0)
    }

    @Test func aSocketIsWrittenToAsWell() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer {
            close(ends[0])
            close(ends[1])
        }
        let harness = try TestedSink.harness(to: ends[0], ["format": .string("json")])
        #expect(throws: PluginError.self) { try harness.deliver(.points(large), timeout: .milliseconds(20)) }
        var piece = [UInt8](repeating: 0, count: 64)
        #expect(read(ends[1], &piece, piece.count) == piece.count)
    }
}

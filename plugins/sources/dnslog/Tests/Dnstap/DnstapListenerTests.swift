import Glibc
import SondeDomain
import SondeTestKit
import SondeWire
import Testing

@testable import DNSLogPlugin

/// The socket, with real senders.
@Suite struct DnstapListenerTests {
    private static let payload = DnstapBuilder.clientQuery(DNSMessageBuilder().asking("a.example").bytes).payload

    private func read(_ listener: DnstapListener) -> Int {
        var frames = 0
        while listener.read({ _ in frames += 1 }) == .more {}
        return frames
    }

    @Test func aSenderIsGreetedReadAndSeenOff() throws {
        let folder = try LogFolder()
        let listener = try DnstapListener(folder.file("tap"), mode: 0o600)
        let sender = try DnstapSender(folder.file("tap"))
        sender.send(ControlFrame.bytes(.ready, content: .dnstap))
        #expect(read(listener) == 0)
        #expect(sender.received() == ControlFrame.bytes(.accept, content: .dnstap))
        sender.send(ControlFrame.bytes(.start, content: .dnstap) + DnstapBuilder.frame(Self.payload))
        #expect(read(listener) == 1)
        sender.send(DnstapBuilder.frame(Self.payload) + ControlFrame.bytes(.stop))
        #expect(read(listener) == 1)
        #expect(sender.received() == ControlFrame.bytes(.finish))
        #expect(listener.connectionCount == 0)
        #expect(listener.received == .init(connections: 1, refused: 0, broken: 0, frames: 2, tooLong: 0))
    }

    @Test func aSenderThatIsKilledInTheMiddleOfAFrameIsLetGo() throws {
        let folder = try LogFolder()
        let listener = try DnstapListener(folder.file("tap"), mode: 0o600)
        let sender = try DnstapSender(folder.file("tap"))
        sender.send(ControlFrame.bytes(.start, content: .dnstap) + DnstapBuilder.frame(Self.payload) + [0, 0, 1])
        #expect(read(listener) == 1)
        sender.hangUp()
        #expect(read(listener) == 0)
        #expect(listener.connectionCount == 0)
    }

    @Test func whatIsNoDnstapIsCutOff() throws {
        let folder = try LogFolder()
        let listener = try DnstapListener(folder.file("tap"), mode: 0o600)
        let sender = try DnstapSender(folder.file("tap"))
        sender.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
        #expect(read(listener) == 0)
        #expect(listener.received.broken == 1)
        #expect(listener.connectionCount == 0)
    }

    @Test func aLongFrameInManyPiecesIsWhole() throws {
        let folder = try LogFolder()
        let listener = try DnstapListener(folder.file("tap"), mode: 0o600)
        let sender = try DnstapSender(folder.file("tap"))
        sender.send(ControlFrame.bytes(.start, content: .dnstap))
        var sizes: [Int] = []
        let frame = DnstapBuilder.frame([UInt8](repeating: 7, count: FrameStream.longestFrame))
        for start in stride(from: 0, to: frame.count, by: 30_000) {
            sender.send(Array(frame[start..<min(start + 30_000, frame.count)]))
            while listener.read({ sizes.append($0.count) }) == .more {}
        }
        #expect(sizes == [FrameStream.longestFrame])
    }

    @Test func whoSaysNothingGivesWayAndWhoSendsStays() throws {
        let folder = try LogFolder()
        let listener = try DnstapListener(folder.file("tap"), mode: 0o600)
        let busy = try DnstapSender(folder.file("tap"))
        busy.send(ControlFrame.bytes(.start, content: .dnstap))
        #expect(read(listener) == 0)
        var silent: [DnstapSender] = []
        for _ in 0..<40 {
            silent.append(try DnstapSender(folder.file("tap")))
            #expect(read(listener) == 0)
        }
        #expect(listener.connectionCount == DnstapListener.connectionLimit)
        #expect(listener.received.refused == 41 - UInt64(DnstapListener.connectionLimit))
        busy.send(DnstapBuilder.frame(Self.payload))
        #expect(read(listener) == 1)
    }

    @Test func aWaitEndsWhenSomethingComesAndWhenItIsCancelled() throws {
        let folder = try LogFolder()
        let listener = try DnstapListener(folder.file("tap"), mode: 0o600)
        let start = MonotonicInstant(nanoseconds: 0)
        let sender = try DnstapSender(folder.file("tap"))
        #expect(listener.wait(-1, until: .distantFuture, at: start) == .ready)
        #expect(read(listener) == 0)
        sender.send([0])
        #expect(listener.wait(-1, until: .distantFuture, at: start) == .ready)
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        close(ends[1])
        defer { close(ends[0]) }
        #expect(listener.wait(ends[0], until: .distantFuture, at: start) == .cancelled)
    }

    @Test func theSocketHasTheModeThatWasAskedForAndGoesWithTheListener() throws {
        let folder = try LogFolder()
        var status = stat()
        do {
            let listener = try DnstapListener(folder.file("tap"), mode: 0o666)
            #expect(stat(folder.file("tap"), &status) == 0)
            #expect(status.st_mode & 0o777 == 0o666)
            #expect(read(listener) == 0)
        }
        #expect(stat(folder.file("tap"), &status) != 0)
    }

    @Test func aSocketThatWasLeftBehindIsReplaced() throws {
        let folder = try LogFolder()
        let left = try UnixSocket(folder.file("tap"))
        try left.bind(mode: 0o600)
        #expect(throws: DnstapListener.Failure.inUse) { try DnstapListener(folder.file("tap"), mode: 0o600) }
        #expect(shutdown(left.descriptor, Int32(2)) == 0)
        let listener = try DnstapListener(folder.file("tap"), mode: 0o600)
        _ = try DnstapSender(folder.file("tap"))
        #expect(read(listener) == 0)
    }

    @Test func whatIsNoSocketStays() throws {
        let folder = try LogFolder()
        try folder.append("precious", to: "tap")
        #expect(throws: DnstapListener.Failure.occupied) { try DnstapListener(folder.file("tap"), mode: 0o600) }
        #expect(throws: DnstapListener.Failure.pathTooLong) {
            try DnstapListener(folder.file(String(repeating: "x", count: 120)), mode: 0o600)
        }
        #expect(throws: DnstapListener.Failure.system(ENOENT)) {
            try DnstapListener(folder.file("none/tap"), mode: 0o600)
        }
    }
}

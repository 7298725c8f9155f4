import CLinux
import Glibc
import SondeDomain
import SondeEngine
import SondeTestKit

@testable import SondeGateways

/// How the fuzzer's bytes become one side of a conversation between agent and child: one that selects who reads, then what
/// the other side has sent.
enum ChildFuzzInput {
    private typealias Serving = (FrameChannel, ChildFrame.Kind, inout ByteReader) throws(ChannelFlaw) -> Void

    /// The invariants that reading breaks.
    static func brokenInvariants(_ input: UnsafeRawBufferPointer) -> [String] {
        guard let first = input.first else { return [] }
        let bytes = Array(input.dropFirst())
        return switch first % 4 {
        case 0: conversation(bytes, .source(sourceServices(), tick: true))
        case 1: conversation(bytes, .sink(sinkServices()))
        case 2: brokenRequests(bytes)
        default: brokenCuts(of: bytes)
        }
    }

    // MARK: Frames

    /// Where the bytes of frames are cut must not matter.
    private static func brokenCuts(of bytes: [UInt8]) -> [String] {
        let whole = frames([bytes[...]])
        for place in stride(from: 1, to: bytes.count, by: max(bytes.count / 4, 1)) {
            guard frames([bytes[..<place], bytes[place...]]) == whole else { return ["cut at \(place), others come"] }
        }
        return []
    }

    private static func frames(_ pieces: [ArraySlice<UInt8>]) -> [String] {
        var buffer = FrameBuffer()
        var found: [String] = []
        for piece in pieces where found.last != "malformed" {
            _ = buffer.fill { room in
                room.copyBytes(from: piece)
                return piece.count
            }
            do throws(ChannelFlaw) {
                while let frame = try buffer.next({ kind, reader in "\(kind) \(reader.remaining)" }) {
                    found.append(frame)
                }
            } catch {
                found.append("malformed")
            }
        }
        return found
    }

    // MARK: The agent

    private static func sourceServices() -> SourceChannel {
        let (log, clock) = (RecordingLog(), ManualClock())
        let ledger = LossLedger(log: log)
        let spool = MemorySpool(epoch: "e", maxBytes: 1 << 20, overflow: .dropOldest)
        return SourceChannel(
            id: "any", descriptor: PluginDescriptor(name: "any", kind: .source, version: "1", summary: ""), labels: [],
            host: "h", pipeline: Pipeline(spool: spool, ledger: ledger, clock: clock), ledger: ledger, log: log,
            clock: clock, seriesLimit: 8)
    }

    private static func sinkServices() -> SinkChannel {
        let log = RecordingLog()
        return SinkChannel(id: "any", clock: ManualClock(), log: log, ledger: LossLedger(log: log))
    }

    /// Serves what a child has sent during a call.
    private static func conversation(_ bytes: [UInt8], _ role: InstanceHost.Role) -> [String] {
        var broken: [String] = []
        let services = ChildServices(role, id: "any")
        services.beginProcess()
        let (flaw, answers) = converse(bytes) { (channel, kind, reader) throws(ChannelFlaw) in
            switch kind {
            case .done:
                readResults(reader)
                // Another process comes.
                services.beginProcess()
            case .failed:
                let error = reader.error(component: "any")
                try reader.check()
                if error.message.utf8.count > InstanceHost.messageLimit * 3 { broken.append("a long message") }
                if !returns({ $0.append(error) }, { $0.append($1.error(component: "any")) }) {
                    broken.append("an error is another one when it is sent on")
                }
                services.closeFormerSeries()
            case .commit:
                if !commitReturns(reader) { broken.append("a commit is another one when it is sent on") }
                try services.serve(kind, &reader, channel)
            default: try services.serve(kind, &reader, channel)
            }
        }
        switch flaw {
        case .ended, .malformed: break
        case .failed(let number): broken.append("errno \(number)")
        case .silent: broken.append("it waits")
        }
        if !answers.isEmpty, frames([answers[...]]).contains(where: { !$0.hasPrefix("answer") }) {
            broken.append("no answer is sent")
        }
        return broken
    }

    /// Reads the answer to each kind of request.
    private static func readResults(_ reader: ByteReader) {
        var load = reader
        let (_, description) = (load.text(), [UInt8](load.counted()))
        _ = (load.flag(), load.flag(), load.flag(), load.flag())
        if load.isValid { _ = try? PluginDescriptor(json: description) }
        var deliver = reader
        _ = (deliver.byte(), deliver.number(UInt64.self), deliver.text(atMost: Loss.reasonLimit))
    }

    private static func commitReturns(_ reader: ByteReader) -> Bool {
        var reader = reader
        let checkpoint = reader.optional { [UInt8]($0.counted()) }
        var rejections = reader.rejections()
        let samples = reader.samples(&rejections)
        guard reader.isValid else { return true }
        return returns {
            $0.append(optional: checkpoint) { $0.append(counted: $1) }
            $0.append(rejections)
            $0.append(samples)
        } _: { writer, reader in
            let checkpoint = reader.optional { [UInt8]($0.counted()) }
            var rejections = reader.rejections()
            let samples = reader.samples(&rejections)
            writer.append(optional: checkpoint) { $0.append(counted: $1) }
            writer.append(rejections)
            writer.append(samples)
        }
    }

    /// Has `serve` serve the frames one by one; returns how that ended, and what was answered.
    private static func converse(_ bytes: [UInt8], _ serve: Serving) -> (flaw: ChannelFlaw, answers: [UInt8]) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0, let agent = try? OwnedDescriptor(ends[0], of: "socketpair"),
            let child = try? OwnedDescriptor(ends[1], of: "socketpair")
        else { return (.failed(errno), []) }
        var answers: [UInt8] = []
        func takeAnswers() {
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = recv(child.raw, &chunk, chunk.count, sonde_dont_wait)
                guard count > 0 else { return }
                answers += chunk[..<count]
            }
        }
        guard send(child.raw, bytes, bytes.count, sonde_no_signal) == bytes.count else { return (.failed(errno), []) }
        shutdown(child.raw, Int32(SHUT_WR))
        let channel = FrameChannel(agent) { (_, event) throws(ChannelFlaw) in
            guard event == Int16(POLLOUT) else { throw .silent(.zero) }
        }
        do throws(ChannelFlaw) {
            while true {
                try channel.receive { (kind, reader) throws(ChannelFlaw) in try serve(channel, kind, &reader) }
                takeAnswers()
            }
        } catch {
            takeAnswers()
            return (error, answers)
        }
    }

    // MARK: The child

    /// Reads requests as the child does, and sends them on.
    private static func brokenRequests(_ bytes: [UInt8]) -> [String] {
        var broken: [String] = []
        var buffer = FrameBuffer()
        _ = buffer.fill { room in
            room.copyBytes(from: bytes)
            return bytes.count
        }
        do throws(ChannelFlaw) {
            while let isSound = try buffer.next({ kind, reader in isRead(kind, &reader) }) {
                if !isSound { broken.append("a request is another one when it is sent on") }
            }
        } catch {}
        return broken
    }

    private static func isRead(_ kind: ChildFrame.Kind, _ reader: inout ByteReader) -> Bool {
        switch kind {
        case .load: _ = (reader.text(), reader.list(ofAtLeast: 1) { $0.text() })
        case .create:
            _ = (reader.text(), reader.flag())
            let options = reader.options()
            guard reader.isValid else { return true }
            var writer = SondeGateways.ByteWriter()
            writer.append(options)
            let again = read(writer) { $0.options() }
            return again.values.count == options.values.count
        case .deliver:
            _ = reader.conditions(cancelDescriptor: -1)
            let batch = reader.batch()
            guard reader.isValid else { return true }
            return returns({ $0.append(batch) { _ in "" } }, { $0.append($1.batch()) { _ in "" } })
        default: _ = reader.conditions(cancelDescriptor: -1)
        }
        return true
    }

    /// Whether what `write` writes is the same after it was read.
    private static func returns(
        _ write: (inout SondeGateways.ByteWriter) -> Void,
        _ copy: (inout SondeGateways.ByteWriter, inout ByteReader) -> Void
    ) -> Bool {
        var first = SondeGateways.ByteWriter()
        write(&first)
        var second = SondeGateways.ByteWriter()
        let isWhole = read(first) { reader in
            copy(&second, &reader)
            return reader.isValid && reader.remaining == 0
        }
        return isWhole && Array(first.bytes) == Array(second.bytes)
    }

    private static func read<Value>(_ writer: SondeGateways.ByteWriter, _ body: (inout ByteReader) -> Value) -> Value {
        Array(writer.bytes).withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            return body(&reader)
        }
    }
}

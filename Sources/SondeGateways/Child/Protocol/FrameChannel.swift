internal import CLinux
internal import Glibc
internal import Synchronization

/// One end of the channel between the agent and a child.
///
/// One thread receives; any thread may send.
final class FrameChannel: Sendable {
    private static let keptCapacity = 256 << 10

    /// Waits until a descriptor may have one of the events, so that others can be served meanwhile.
    typealias Waiting = (_ socket: Int32, _ event: Int16) throws(ChannelFlaw) -> Void

    // One thread receives: it is the only one that touches this. An end that has a way to wait is used by one thread.
    private struct Input: @unchecked Sendable {
        let buffer: UnsafeMutablePointer<FrameBuffer>
        let wait: Waiting?
    }

    private let socket: OwnedDescriptor
    private let output = Mutex(ByteWriter())
    private let input: Input

    /// A channel over a connected socket; without `wait` the calls themselves wait.
    init(_ socket: OwnedDescriptor, wait: Waiting? = nil) {
        self.socket = socket
        input = Input(buffer: .allocate(capacity: 1), wait: wait)
        input.buffer.initialize(to: FrameBuffer())
    }

    deinit {
        input.buffer.deinitialize(count: 1)
        input.buffer.deallocate()
    }

    private var flags: Int32 { sonde_no_signal | (input.wait == nil ? 0 : sonde_dont_wait) }

    /// Sends one frame whole.
    func send(_ kind: ChildFrame.Kind, _ body: (inout ByteWriter) -> Void = { _ in }) throws(ChannelFlaw) {
        let flaw = output.withLock { writer -> ChannelFlaw? in
            defer { writer.shrink(to: Self.keptCapacity) }
            writer.frame(kind, body)
            do throws(ChannelFlaw) {
                try writer.withBytes { bytes throws(ChannelFlaw) in try send(bytes) }
                return nil
            } catch {
                return error
            }
        }
        if let flaw { throw flaw }
    }

    private func send(_ bytes: UnsafeRawBufferPointer) throws(ChannelFlaw) {
        var sent = 0
        while sent < bytes.count {
            let count = Glibc.send(socket.raw, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, flags)
            if count >= 0 { sent += count } else { try pause(for: Int16(POLLOUT)) }
        }
    }

    /// Waits for the next frame, and gives it to `body`; what it is given is valid only there.
    func receive<Result>(
        _ body: (ChildFrame.Kind, inout ByteReader) throws(ChannelFlaw) -> Result
    ) throws(ChannelFlaw) -> Result {
        while true {
            if let result = try input.buffer.pointee.next(body) { return result }
            let count = input.buffer.pointee.fill { recv(socket.raw, $0.baseAddress, $0.count, flags) }
            if count == 0 { throw .ended }
            if count < 0 { try pause(for: Int16(POLLIN)) }
        }
    }

    /// After a call that failed: waits until it may succeed, or throws the reason.
    private func pause(for event: Int16) throws(ChannelFlaw) {
        switch errno {
        case EINTR: return
        case EAGAIN where input.wait != nil: try input.wait?(socket.raw, event)
        case EPIPE, ECONNRESET: throw .ended
        default: throw .failed(errno)
        }
    }
}

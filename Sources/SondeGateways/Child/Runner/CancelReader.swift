internal import CLinux
internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// The pipe through which the agent asks a child to end a call early: it names the call by its number.
final class CancelReader {
    private let descriptor: Int32
    /// Readable for ever.
    private let cancelled: CancelSignal

    init(_ descriptor: Int32) throws(SondeError) {
        self.descriptor = descriptor
        cancelled = try CancelSignal()
        cancelled.cancel()
    }

    /// The conditions of the call that begins.
    ///
    /// What is in the pipe is for calls before it, which have ended, or already for this one.
    func conditions(_ reader: inout ByteReader) -> CallConditions {
        var (call, number) = reader.conditions(cancelDescriptor: descriptor)
        var last: UInt32?
        while isReadable {
            var bytes: UInt32 = 0
            guard read(descriptor, &bytes, MemoryLayout<UInt32>.size) == MemoryLayout<UInt32>.size else { break }
            last = UInt32(littleEndian: bytes)
        }
        if last == number { call.cancelDescriptor = cancelled.descriptor }
        return call
    }

    private var isReadable: Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLIN) != 0
    }
}

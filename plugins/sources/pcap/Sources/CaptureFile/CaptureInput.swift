internal import Glibc
internal import SondeGzip

/// The bytes of a capture file in order, from a file, a FIFO or a pipe, uncompressed where they are gzip.
///
/// Read with read(2), so that what cannot be mapped or rewound works as well.
package final class CaptureInput {
    /// Bytes that were read from the descriptor already, and come first.
    private var head: ArraySlice<UInt8>
    private let descriptor: Int32
    private let cancelDescriptor: Int32
    private var gzip: GzipMembers?
    private var isFresh = true

    /// Reads from `descriptor`, after `head`.
    ///
    /// A `cancelDescriptor` that becomes readable ends a wait. Neither descriptor is closed.
    package init(_ descriptor: Int32, head: [UInt8] = [], cancelDescriptor: Int32 = -1) {
        self.descriptor = descriptor
        self.head = head[...]
        self.cancelDescriptor = cancelDescriptor
    }

    /// Fills a part of `room`, which is not empty, and returns how much; 0 at the end.
    func read(into room: UnsafeMutableRawBufferPointer) throws(CaptureFileError) -> Int {
        if isFresh { try recognizeCompression() }
        if let gzip { return try gzip.read(into: room) { room throws(CaptureFileError) in try readRaw(into: room) } }
        return try readRaw(into: room)
    }

    /// RFC 1952, ID1 and ID2.
    private func recognizeCompression() throws(CaptureFileError) {
        isFresh = false
        try fillHead(2)
        guard head.count >= 2, head[head.startIndex] == 0x1f, head[head.startIndex + 1] == 0x8b else { return }
        guard let members = GzipMembers() else { throw .unreadable(ENOMEM) }
        gzip = members
    }

    private func fillHead(_ count: Int) throws(CaptureFileError) {
        while head.count < count {
            var more = [UInt8](repeating: 0, count: count - head.count)
            let taken = try withBytes(of: &more) { room throws(CaptureFileError) in try readDescriptor(into: room) }
            guard taken > 0 else { return }
            head += more[..<taken]
        }
    }

    private func withBytes(
        of array: inout [UInt8],
        _ body: (UnsafeMutableRawBufferPointer) throws(CaptureFileError) -> Int
    ) throws(CaptureFileError) -> Int {
        var outcome: Result<Int, CaptureFileError> = .success(0)
        array.withUnsafeMutableBytes { bytes in
            do throws(CaptureFileError) {
                outcome = .success(try body(bytes))
            } catch {
                outcome = .failure(error)
            }
        }
        return try outcome.get()
    }

    private func readRaw(into room: UnsafeMutableRawBufferPointer) throws(CaptureFileError) -> Int {
        guard head.isEmpty else {
            let count = min(head.count, room.count)
            room.copyBytes(from: head.prefix(count))
            head = head.dropFirst(count)
            return count
        }
        return try readDescriptor(into: room)
    }

    private func readDescriptor(into room: UnsafeMutableRawBufferPointer) throws(CaptureFileError) -> Int {
        while true {
            try wait()
            let count = Glibc.read(descriptor, room.baseAddress, room.count)
            if count >= 0 { return count }
            guard errno == EINTR || errno == EAGAIN else { throw .unreadable(errno) }
        }
    }

    /// A regular file is always ready, so that this only looks whether the call is cancelled.
    private func wait() throws(CaptureFileError) {
        var entries = (
            pollfd(fd: cancelDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        )
        withUnsafeMutableBytes(of: &entries) { bytes in
            _ = poll(bytes.assumingMemoryBound(to: pollfd.self).baseAddress, 2, -1)
        }
        guard entries.0.revents == 0 else { throw .cancelled }
    }
}

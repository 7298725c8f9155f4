internal import SondeEngine

extension OpenFile {
    /// Writes all of it, in as many calls as needed.
    func writeWhole(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileSystemError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = try write(rest, at: offset &+ Int64(written))
            guard count > 0 else { throw FileSystemError(FileSystemError.inputOutput, "pwrite") }
            written &+= count
        }
    }

    /// Writes all of it.
    func writeWhole(_ bytes: some Sequence<UInt8>, at offset: Int64) throws(FileSystemError) {
        var outcome: Result<Void, FileSystemError> = .success(())
        Array(bytes).withUnsafeBytes { buffer in
            do throws(FileSystemError) {
                try writeWhole(buffer, at: offset)
            } catch {
                outcome = .failure(error)
            }
        }
        try outcome.get()
    }

    /// Reads up to `count` bytes; fewer at the end of the file.
    func readWhole(_ count: Int, at offset: Int64) throws(FileSystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var read = 0
        var failure: FileSystemError?
        bytes.withUnsafeMutableBytes { buffer in
            do throws(FileSystemError) {
                while read < count {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[read...])
                    let step = try self.read(into: rest, at: offset &+ Int64(read))
                    if step == 0 { break }
                    read &+= step
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        bytes.removeLast(count - read)
        return bytes
    }
}

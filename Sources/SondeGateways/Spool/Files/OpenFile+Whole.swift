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
        try Array(bytes).withUnsafeBufferPointer { buffer throws(FileSystemError) in
            try writeWhole(UnsafeRawBufferPointer(buffer), at: offset)
        }
    }

    /// Reads up to `count` bytes; fewer at the end of the file.
    func readWhole(_ count: Int, at offset: Int64) throws(FileSystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var length = 0
        try bytes.withUnsafeMutableBufferPointer { buffer throws(FileSystemError) in
            while length < count {
                let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[length...]))
                let step = try self.read(into: rest, at: offset &+ Int64(length))
                if step == 0 { break }
                length &+= step
            }
        }
        bytes.removeLast(count - length)
        return bytes
    }
}

/// Reads with retries: a temporary error of the disk must not cause a loss.
enum PatientReading {
    static let tries = 3

    /// Runs `body` again after an I/O error, a few times.
    static func run<Result>(_ body: () throws(FileSystemError) -> Result) throws(FileSystemError) -> Result {
        var left = tries
        while true {
            do throws(FileSystemError) {
                return try body()
            } catch {
                left -= 1
                guard error.code == FileSystemError.inputOutput, left > 0 else { throw error }
            }
        }
    }
}

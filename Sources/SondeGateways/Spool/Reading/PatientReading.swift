internal import SondeEngine

/// Reads what a disk may refuse in passing: an error that is gone at the next try must not cost what is there.
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

extension SegmentReader {
    /// Reads the next frame, again where the disk does not give it.
    mutating func nextPatiently(_ wanted: BatchDecoder.Wanted, to output: inout BatchDecoder.Output) -> Step {
        var step = next(wanted, to: &output)
        for _ in 1..<PatientReading.tries {
            guard case .failed = step else { break }
            step = next(wanted, to: &output)
        }
        return step
    }
}

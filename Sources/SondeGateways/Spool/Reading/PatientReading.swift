internal import SondeEngine

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

extension SegmentReader {
    /// Reads the next frame, again after an I/O error.
    mutating func nextPatiently(_ wanted: BatchDecoder.Wanted, to output: inout BatchDecoder.Output) -> Step {
        var step = next(wanted, to: &output)
        for _ in 1..<PatientReading.tries {
            guard case .failed = step else { break }
            step = next(wanted, to: &output)
        }
        return step
    }
}

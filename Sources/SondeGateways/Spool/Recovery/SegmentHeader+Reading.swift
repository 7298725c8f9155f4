internal import SondeEngine

extension SegmentHeader {
    /// Why a header could not be read from a file.
    enum ReadFailure: Error {
        /// The file holds none that this version reads.
        case flaw(Flaw)
        /// The disk cannot read it.
        case unread(FileSystemError)
    }

    /// Reads the header of a segment of `size` bytes, and returns its length.
    static func read(_ file: any OpenFile, size: Int64) throws(ReadFailure) -> (SegmentHeader, length: Int64) {
        let start = try bytes(of: file, fixedLength)
        let count = try parse(start) { bytes throws(Flaw) in try length(bytes) }
        guard Int64(count) <= size else { throw .flaw(.damaged) }
        let header = try parse(try bytes(of: file, count)) { bytes throws(Flaw) in try SegmentHeader(bytes) }
        return (header, Int64(count))
    }

    private static func bytes(of file: any OpenFile, _ count: Int) throws(ReadFailure) -> [UInt8] {
        do throws(FileSystemError) {
            return try PatientReading.run { () throws(FileSystemError) in try file.readWhole(count, at: 0) }
        } catch {
            throw .unread(error)
        }
    }

    private static func parse<Parsed>(
        _ bytes: [UInt8],
        _ body: (UnsafeRawBufferPointer) throws(Flaw) -> Parsed
    ) throws(ReadFailure) -> Parsed {
        var outcome: Result<Parsed, Flaw> = .failure(.damaged)
        bytes.withUnsafeBytes { bytes in
            do throws(Flaw) {
                outcome = .success(try body(bytes))
            } catch {
                outcome = .failure(error)
            }
        }
        switch outcome {
        case .success(let parsed): return parsed
        case .failure(let flaw): throw .flaw(flaw)
        }
    }
}

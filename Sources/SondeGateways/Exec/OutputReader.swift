internal import SondeDomain
internal import SondeFormats

/// Makes points of the lines that a program prints.
struct OutputReader {
    /// A line that cannot be read.
    struct Flaw: Hashable {
        /// From 1.
        let line: Int
        let reason: String
    }

    /// The most points between two commits.
    static let pointLimit = 100_000
    /// The most bytes of one run.
    static let byteLimit = 16 << 20

    private(set) var points: [LinePoint] = []
    /// The first line that cannot be read.
    private(set) var firstFlaw: Flaw?
    /// How many lines cannot be read.
    private(set) var flaws: UInt64 = 0
    /// How many lines are beyond the bounds.
    private(set) var lost: UInt64 = 0
    private let format: ExecFormat
    private var line = 0
    private var bytes = 0

    init(_ format: ExecFormat) { self.format = format }

    /// Takes the next line; nil: it was too long to be kept.
    mutating func take(_ text: ArraySlice<UInt8>?) {
        line &+= 1
        guard let text else { return note(LineFlaw("has more than \(LineSplitter.lineLimit) bytes")) }
        bytes &+= text.count &+ 1
        guard bytes <= Self.byteLimit, points.count < Self.pointLimit else {
            lost &+= 1
            return
        }
        guard !text.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return }
        do throws(LineFlaw) {
            try read(text)
        } catch {
            note(error)
        }
    }

    /// Counts a line that has no end, because its program was killed or has failed.
    mutating func takeUnended() {
        line &+= 1
        note(LineFlaw("has no end"))
    }

    /// Forgets what was committed; the number of the line goes on.
    mutating func removeAll() {
        points.removeAll(keepingCapacity: points.capacity <= 1_024)
        (firstFlaw, flaws, lost, bytes) = (nil, 0, 0, 0)
    }

    private mutating func read(_ text: ArraySlice<UInt8>) throws(LineFlaw) {
        switch format {
        case .json: points.append(try JSONLineReader.point(try JSONLineReader.object(text)))
        case .influx: points += try InfluxLineReader.points(text)
        }
    }

    private mutating func note(_ flaw: LineFlaw) {
        flaws &+= 1
        firstFlaw = firstFlaw ?? Flaw(line: line, reason: flaw.reason)
    }
}

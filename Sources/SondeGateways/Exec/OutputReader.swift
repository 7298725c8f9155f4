internal import SondeDomain
internal import SondeEngine
internal import SondeFormats

/// Makes points and messages of the lines that a program prints.
struct OutputReader {
    /// A line that cannot be read.
    struct Flaw: Hashable {
        /// From 1.
        let line: Int
        /// A sentence about it.
        let reason: String
    }

    /// What is committed together.
    struct Cut {
        var points: [LinePoint] = []
        /// The first line that cannot be read.
        var firstFlaw: Flaw?
        /// How many lines cannot be read.
        var flaws: UInt64 = 0
        /// How many lines are beyond the bounds.
        var lost: UInt64 = 0
    }

    /// What a program has said, in its order.
    enum Event {
        /// Of a format that has it: what was printed up to here belongs together.
        case commit(Cut, checkpoint: [UInt8]?)
        case message(ProgramMessage)
    }

    /// The most points, and the most lines, between two commits.
    static let pointLimit = 100_000
    /// The most bytes between two commits.
    static let byteLimit = 16 << 20

    private(set) var events: [Event] = []
    private var cut = Cut()
    private let format: ExecFormat
    private var line = 0
    /// How many of them are of this cut.
    private var lines = 0
    private var bytes = 0
    private var prometheus: PrometheusTextReader?
    private var nagios: NagiosReader?

    init(_ format: ExecFormat) {
        self.format = format
        if format == .prometheus { prometheus = PrometheusTextReader() }
        if format == .nagios { nagios = NagiosReader() }
    }

    /// Takes the next line; nil: it was too long to be kept.
    mutating func take(_ text: ArraySlice<UInt8>?) {
        line &+= 1
        guard text?.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) != true else { return }
        do throws(LineFlaw) {
            // A message is understood however much was printed before it.
            if format == .sonde, let text { return try readMessage(text) }
            guard isWithinBounds(text) else { return }
            guard let text else { throw LineFlaw("has more than \(LineSplitter.lineLimit) bytes") }
            try read(text)
        } catch {
            note(error)
        }
    }

    /// Counts a line of data; false: it is beyond the bounds of a cut, and lost.
    private mutating func isWithinBounds(_ text: ArraySlice<UInt8>?) -> Bool {
        lines &+= 1
        bytes &+= (text?.count ?? LineSplitter.lineLimit) &+ 1
        let isWithin = lines <= Self.pointLimit && bytes <= Self.byteLimit && cut.points.count < Self.pointLimit
        if !isWithin { cut.lost &+= 1 }
        return isWithin
    }

    /// Counts a line that has no end, because its program was killed or has failed.
    mutating func takeUnended() {
        line &+= 1
        note(LineFlaw("has no end"))
    }

    /// The program has ended with this exit status: what is known only then.
    mutating func finish(exitStatus: Int32) {
        if let (points, flaws) = prometheus?.finish() {
            cut.points += points
            for flaw in flaws { note(flaw) }
        }
        do throws(LineFlaw) {
            cut.points += try nagios?.finish(status: Int64(exitStatus)) ?? []
        } catch {
            note(error)
        }
    }

    /// What was printed since the last cut, which is no more here then.
    mutating func takeCut() -> Cut {
        defer { (cut, bytes, lines) = (Cut(), 0, 0) }
        return cut
    }

    /// What the program has said, which is no more here then.
    mutating func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    private mutating func read(_ text: ArraySlice<UInt8>) throws(LineFlaw) {
        switch format {
        case .json: cut.points.append(try JSONLineReader.point(try JSONLineReader.object(text)))
        case .influx: cut.points += try InfluxLineReader.points(text)
        case .prometheus: if let point = try prometheus?.point(text) { cut.points.append(point) }
        case .nagios: try nagios?.take(text)
        case .sonde: return
        }
    }

    private mutating func readMessage(_ text: ArraySlice<UInt8>) throws(LineFlaw) {
        let (object, message): (JSONValue, ProgramMessage?)
        do throws(LineFlaw) {
            object = try JSONLineReader.object(text)
            message = try ProgramMessage(object)
        } catch {
            guard isWithinBounds(text) else { return }
            throw error
        }
        switch message {
        case nil: if isWithinBounds(text) { cut.points.append(try JSONLineReader.point(object)) }
        case .commit(let checkpoint)?: events.append(.commit(takeCut(), checkpoint: checkpoint))
        case let message?: events.append(.message(message))
        }
    }

    private mutating func note(_ flaw: LineFlaw) {
        cut.flaws &+= 1
        cut.firstFlaw = cut.firstFlaw ?? Flaw(line: line, reason: flaw.sentence)
    }
}

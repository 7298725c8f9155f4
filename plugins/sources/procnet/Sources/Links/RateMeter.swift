internal import SondeDomain

/// Measures the rates of one device from readings that come several times a second.
///
/// A driver may refresh its counts more rarely than they are read, once a second for instance: a burst of what it held
/// back must not look like one of the network. The shortest time that was ever seen between two changes is taken as
/// the driver's step, and what changed is spread over it.
struct RateMeter {
    /// Bytes received and sent, as counted or per second.
    struct Pair<Value: Sendable>: Sendable {
        var receive: Value
        var transmit: Value
    }

    private(set) var receive = RateSamples()
    private(set) var transmit = RateSamples()
    /// The rates that hold now; nil while nothing is known.
    private(set) var current: Pair<Double>?
    /// The time that ``current`` is an average over.
    private(set) var window = Nanoseconds.zero

    private var last: Pair<UInt64>?
    private var lastTick = MonotonicInstant(nanoseconds: 0)
    /// When the counts changed last, or were read first.
    private var quietSince = MonotonicInstant(nanoseconds: 0)
    private var hasChanged = false
    /// The driver's step so far in nanoseconds; nil: not known.
    private var refresh: Int64?
    /// Ticks without a change that were not counted yet; a reading that comes later stands for several.
    private var pending = 0
    private let period: Int64

    /// No driver is known that holds counts back for longer.
    private static let slowest: Int64 = 5_000_000_000

    /// A meter that is read every `period`, or more rarely while nothing happens; `isImmediate` when the kernel itself
    /// counts, at every packet.
    init(period: Nanoseconds, isImmediate: Bool) {
        self.period = max(period.value, 1)
        refresh = isImmediate ? 0 : nil
    }

    /// Measures from this reading on; nil: from the next.
    mutating func begin(_ bytes: Pair<UInt64>?, at now: MonotonicInstant) {
        last = bytes
        lastTick = now
        quietSince = now
        hasChanged = false
        pending = 0
        current = nil
    }

    /// Takes one reading.
    mutating func observe(_ bytes: Pair<UInt64>, at now: MonotonicInstant) {
        defer {
            last = bytes
            lastTick = now
        }
        guard let last, bytes.receive >= last.receive, bytes.transmit >= last.transmit else {
            // The first reading, or counts that started again.
            begin(bytes, at: now)
            return
        }
        let span = now.since(lastTick).value
        guard span > 0 else { return }
        pending &+= max(1, Int(clamping: (span &+ period / 2) / period))
        if bytes.receive == last.receive, bytes.transmit == last.transmit {
            rest(span, at: now)
        } else {
            change(Pair(receive: bytes.receive &- last.receive, transmit: bytes.transmit &- last.transmit), span, now)
        }
    }

    /// Forgets what was measured since the last collection.
    mutating func beginInterval() {
        receive.removeAll()
        transmit.removeAll()
    }

    /// Nothing changed: zero, unless the driver may only hold back.
    private mutating func rest(_ span: Int64, at now: MonotonicInstant) {
        let refresh = refresh ?? Self.slowest
        guard refresh <= period || now.since(quietSince).value > refresh &+ refresh / 2 else { return }
        let nothing = Pair(receive: 0.0, transmit: 0.0)
        current = nothing
        window = Nanoseconds(span)
        add(nothing, ticks: pending)
        pending = 0
    }

    private mutating func change(_ bytes: Pair<UInt64>, _ span: Int64, _ now: MonotonicInstant) {
        defer {
            quietSince = now
            hasChanged = true
            pending = 0
        }
        // The first change: it is unknown how long the driver held it back, unless it is known not to.
        guard hasChanged || refresh != nil else {
            current = nil
            return
        }
        let spacing = hasChanged ? now.since(quietSince).value : span
        guard spacing > 0 else { return }
        // Ticks come a little early and a little late: two changes in a row are one period apart.
        let shortest = spacing < period &+ period / 2 ? 0 : spacing
        refresh = min(refresh ?? shortest, shortest)
        var step = min(spacing, max(refresh ?? spacing, span))
        // Read as rarely as the driver refreshes, a reading may have missed one: then these are the bytes of both.
        if let refresh, refresh > 0, span > refresh / 2 {
            step = max(step, min(spacing, period &* Int64(pending)))
        }
        let seconds = Double(step) / 1e9
        let rates = Pair(receive: Double(bytes.receive) / seconds, transmit: Double(bytes.transmit) / seconds)
        current = rates
        window = Nanoseconds(step)
        let covered = min(pending, max(1, Int(clamping: (step &+ period / 2) / period)))
        if pending > covered { add(Pair(receive: 0, transmit: 0), ticks: pending &- covered) }
        add(rates, ticks: covered)
    }

    private mutating func add(_ rates: Pair<Double>, ticks: Int) {
        receive.add(rates.receive, over: window, ticks: ticks)
        transmit.add(rates.transmit, over: window, ticks: ticks)
    }
}

extension RateMeter.Pair where Value == Double {
    /// Both rates with those of another device.
    func adding(_ other: Self) -> Self { Self(receive: receive + other.receive, transmit: transmit + other.transmit) }
}

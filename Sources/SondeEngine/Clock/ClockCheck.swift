internal import SondeDomain

/// Judges whether the wall clock can be right, reading by reading.
///
/// Suspect is a clock that shows a time before the release was made or before what was recorded already, and one that
/// was not set since boot. Not safe for use by several threads at once.
struct ClockCheck {
    /// The wall clock and the one that counts since boot, read together.
    struct Reading {
        let wall: Timestamp
        let boot: MonotonicInstant

        init(_ clock: any Clock) {
            wall = clock.wallTime
            boot = clock.bootTime
        }

        /// What the wall clock showed at boot, as it is set now.
        fileprivate var offset: Int64 { wall.nanoseconds &- boot.nanoseconds }
    }

    /// Why the clock is suspect.
    enum Suspicion: Hashable {
        /// It shows a time before the release was made.
        case beforeRelease
        /// It shows a time before this, which was recorded already.
        case beforeRecorded(Timestamp)
        /// The machine has just booted and no time daemon has set the clock.
        case unsynchronized
    }

    /// A stretch of the wall clock in which it was suspect and not set.
    private struct Stretch {
        let from: Timestamp
        let offset: Int64
    }

    /// How far a clock may be set back, or differ, unnoticed.
    static let tolerance = Nanoseconds.seconds(2)
    /// How long a clock that was set back behind what is recorded is suspect: after that it is taken for right.
    static let patience = Nanoseconds.seconds(300)
    /// How long after boot a time daemon is waited for.
    static let settling = Nanoseconds.seconds(180)
    // What was recorded shows that the clock was right some time before: only a recent boot began with a wrong one.
    private static let longestBoot = Nanoseconds.seconds(3_600)

    private let release: Timestamp
    private var recorded: Timestamp?
    private var last: Reading
    /// When it became suspect, or was set since.
    private var began: MonotonicInstant
    private var current: Stretch?
    private var past: [(stretch: Stretch, to: Timestamp)] = []
    /// Why the clock is suspect; nil: it is taken for right.
    private(set) var suspicion: Suspicion?
    /// What is known about times read while it was suspect.
    private(set) var corrections = ClockCorrections()

    /// A check that begins with a reading; `recorded`: the newest time that an earlier run has recorded.
    init(release: Timestamp, recorded: Timestamp?, first: Reading, isSynchronized: () -> Bool?) {
        self.release = release
        self.recorded = recorded
        last = first
        began = first.boot
        suspicion = judge(first, isSynchronized)
        if suspicion == nil, first.boot.nanoseconds < Self.settling.value, isSynchronized() == false {
            suspicion = .unsynchronized
        }
        guard let suspicion else { return }
        let boot = Timestamp(nanoseconds: first.offset)
        var from = boot.advanced(by: Nanoseconds(-Self.tolerance.value))
        if case .beforeRecorded = suspicion {
            from = max(from, first.wall.advanced(by: Nanoseconds(-Self.longestBoot.value)))
        }
        current = Stretch(from: from, offset: first.offset)
    }

    /// Takes the next reading.
    mutating func observe(_ reading: Reading, isSynchronized: () -> Bool?) {
        defer { last = reading }
        let step = reading.offset &- last.offset
        let isSet = step.magnitude > UInt64(Self.tolerance.value)
        guard suspicion != nil || isSet else { return }
        if isSet { clockWasSet(reading, back: step < 0) }
        let isUnset = suspicion == .unsynchronized && !isSet && reading.boot.nanoseconds < Self.settling.value
        suspicion = judge(reading, isSynchronized)
        // A clock that was set by hand is as right as it gets.
        if suspicion == nil, isUnset, isSynchronized() == false { suspicion = .unsynchronized }
        if suspicion == nil { clockIsRight(reading) }
    }

    private func judge(_ reading: Reading, _ isSynchronized: () -> Bool?) -> Suspicion? {
        if reading.wall < release { return .beforeRelease }
        guard let recorded, reading.wall.advanced(by: Self.tolerance) < recorded else { return nil }
        guard reading.boot.since(began) < Self.patience, isSynchronized() != true else { return nil }
        return .beforeRecorded(recorded)
    }

    private mutating func clockWasSet(_ reading: Reading, back: Bool) {
        began = reading.boot
        if suspicion == nil, back { recorded = last.wall }
        if let current {
            // Of a clock that stands still, every reading is another stretch.
            if past.count >= ClockCorrections.bound { past.removeFirst() }
            past.append((current, Timestamp(nanoseconds: current.offset &+ reading.boot.nanoseconds)))
        }
        // It was set at any time since the reading before.
        current = Stretch(
            from: Timestamp(nanoseconds: reading.offset &+ last.boot.nanoseconds), offset: reading.offset)
    }

    private mutating func clockIsRight(_ reading: Reading) {
        for (stretch, to) in past {
            corrections.add(from: stretch.from, to: to, Nanoseconds(reading.offset &- stretch.offset))
        }
        past = []
        current = nil
        recorded = nil
    }
}

internal import SondeDomain

/// Stretches of the wall clock in which it was wrong, and by how much; bounded.
struct ClockCorrections {
    private struct Stretch {
        let from: Timestamp
        let to: Timestamp
        let shift: Nanoseconds
    }

    /// How many there are at most; beyond it the oldest are forgotten.
    static let bound = 16

    private var stretches: [Stretch] = []

    /// Whether there are none.
    var isEmpty: Bool { stretches.isEmpty }

    /// Adds a stretch, both ends included, in which the clock has to be shifted.
    mutating func add(from: Timestamp, to: Timestamp, _ shift: Nanoseconds) {
        guard shift.value.magnitude > UInt64(ClockCheck.tolerance.value) else { return }
        if stretches.count >= Self.bound { stretches.removeFirst() }
        stretches.append(Stretch(from: from, to: to, shift: shift))
    }

    /// A time as it was read, put right; `now`: what the clock shows, which is right, nil: it was read before that.
    ///
    /// A clock that was ahead shows the times of the stretch a second time: what is read later is only wrong while it is
    /// in the future.
    func corrected(_ time: Timestamp, at now: Timestamp?) -> Timestamp {
        guard let stretch = stretch(of: time) else { return time }
        if let now, stretch.shift <= .zero, time <= now { return time }
        return time.advanced(by: stretch.shift)
    }

    /// Points as they were read, with their times put right.
    func corrected(_ points: [SpooledPoint], at now: Timestamp?) -> [SpooledPoint] {
        isEmpty ? points : points.map { corrected($0, at: now) }
    }

    private func corrected(_ point: SpooledPoint, at now: Timestamp?) -> SpooledPoint {
        var right = point
        right.time = corrected(point.time, at: now)
        // A start is repeated in every point, and has to stay the same.
        right.start = point.start.map { start in stretch(of: start).map { start.advanced(by: $0.shift) } ?? start }
        return right
    }

    private func stretch(of time: Timestamp) -> Stretch? {
        stretches.last { $0.from <= time && time <= $0.to }
    }
}

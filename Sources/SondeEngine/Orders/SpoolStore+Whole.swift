public import SondeDomain

extension SpoolStore {
    /// Whether a stretch can be read as a sink was offered it: every number is still in the log, and the sink is past
    /// the last.
    ///
    /// Throws ``SondeDomain/ErrorCode/spoolRangeGone`` when it cannot.
    public func requireWhole(_ stretch: Stretch, passedBy sink: String) throws(SondeError) {
        guard let usage = usage() else {
            throw SondeError(order: .spoolRangeGone, "a log in memory keeps nothing that was delivered")
        }
        guard let reader = usage.sinks.first(where: { $0.id == sink }), stretch.last < reader.next else {
            throw SondeError(
                order: .spoolRangeGone, "'\(sink)' is not past \(stretch.last): it gets these points anyway")
        }
        var next = stretch.first
        for held in usage.segments.compactMap(\.stretch) where held.first <= next && held.last >= next {
            guard held.last < stretch.last else { return }
            next = held.last &+ 1
        }
        throw SondeError(order: .spoolRangeGone, "number \(next) is not in the log any more")
    }
}

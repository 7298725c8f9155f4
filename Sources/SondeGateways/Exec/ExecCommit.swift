internal import SondeDomain
internal import SondeEngine

/// Hands what a program has printed to the engine: samples, what could not be read, and what was too much.
final class ExecCommit {
    private let id: String
    private let services: any SourceServices
    private var series = ExecSeries()
    private var reasons = BoundedReasons()

    init(id: String, _ services: any SourceServices) { (self.id, self.services) = (id, services) }

    /// Commits what belongs together; false: it was not taken.
    ///
    /// `pause` waits a little before what was refused is tried again, and returns whether it should be.
    func commit(_ cut: OutputReader.Cut, checkpoint: [UInt8]? = nil, pause: () -> Bool) -> Bool {
        report(cut)
        var rejections = Array(
            repeating: SampleRejection(series: 0, reason: .malformedRecord), count: Int(clamping: cut.flaws))
        var rest = cut.points[...]
        repeat {
            let samples = series.samples(of: &rest, services)
            let last = rest.isEmpty ? checkpoint : nil
            guard !samples.isEmpty || !rejections.isEmpty || last != nil else { continue }
            guard commit(samples, last, rejections, pause) else {
                // With a checkpoint the program reads them again.
                let count = UInt64(samples.count + rest.count)
                if checkpoint == nil, count > 0 { lose(.notCommitted, count) }
                return false
            }
            rejections = []
        } while !rest.isEmpty
        return true
    }

    private func commit(
        _ samples: [Sample], _ checkpoint: [UInt8]?, _ rejections: [SampleRejection], _ pause: () -> Bool
    ) -> Bool {
        var rejections = rejections
        while true {
            switch services.commit(samples, checkpoint: checkpoint, rejections: rejections) {
            case .taken: return true
            case .stopping: return false
            case .busy:
                // They are counted once.
                rejections = []
                guard pause() else { return false }
            }
        }
    }

    /// Closes every series that had no point since the last call.
    func closeUnseen() { series.closeUnseen(services) }

    /// Records a loss that the program has reported.
    func report(loss reason: String, _ count: UInt64?) {
        let now = services.clock.wallTime
        services.reportLoss(
            Loss(reason: reasons.bounded(reason), component: id, from: now, to: now, count: count))
    }

    /// Records what is lost of the program's output.
    func lose(_ reason: LossReason, _ count: UInt64) {
        let now = services.clock.wallTime
        services.reportLoss(Loss(reason, component: id, from: now, to: now, count: count))
    }

    private func report(_ cut: OutputReader.Cut) {
        if let flaw = cut.firstFlaw {
            _ = services.reportTrouble(.outputUnreadable(flaw, of: cut.flaws, component: id), since: nil)
        } else if !cut.points.isEmpty {
            services.clearTrouble(.programOutputUnreadable, optionPath: nil)
        }
        if cut.lost > 0 { lose(.outputLimit, cut.lost) }
    }
}

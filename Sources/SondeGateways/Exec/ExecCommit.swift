internal import SondeDomain
internal import SondeEngine

/// Hands what a program has printed to the engine: samples, what could not be read, and what was too much.
final class ExecCommit {
    private let id: String
    private let services: any SourceServices
    private var series = ExecSeries()

    init(id: String, _ services: any SourceServices) { (self.id, self.services) = (id, services) }

    /// Commits what a reader has, and empties it; `pause` waits a little before what was refused is tried again, and returns
    /// whether it should be. False: it was not taken.
    func commit(_ reader: inout OutputReader, checkpoint: [UInt8]? = nil, pause: () -> Bool = { false }) -> Bool {
        defer { reader.removeAll() }
        report(reader)
        let samples = series.samples(of: reader.points, services)
        var rejections = Array(
            repeating: SampleRejection(series: 0, reason: .malformedRecord), count: Int(clamping: reader.flaws))
        guard !samples.isEmpty || !rejections.isEmpty || checkpoint != nil else { return true }
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

    private func report(_ reader: OutputReader) {
        if let flaw = reader.firstFlaw {
            _ = services.reportTrouble(.outputUnreadable(flaw, of: reader.flaws, component: id), since: nil)
        } else if !reader.points.isEmpty {
            services.clearTrouble(.programOutputUnreadable, optionPath: nil)
        }
        guard reader.lost > 0 else { return }
        let now = services.clock.wallTime
        services.reportLoss(Loss(reason: "output_limit", component: id, from: now, to: now, count: reader.lost))
    }
}

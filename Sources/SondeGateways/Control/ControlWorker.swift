internal import SondeDomain
internal import Synchronization

/// Does what takes longer than the loop may wait, each piece in a separate thread, and notifies the loop of its end.
///
/// There is no thread while there is no work. Used from the loop's thread.
final class ControlWorker {
    /// What the threads and the loop share.
    private final class Results: Sendable {
        private let answers = Mutex<[UInt64: [UInt8]]>([:])
        let workEnded = LoopTimer()

        func add(_ answer: [UInt8], of job: UInt64) {
            answers.withLock { $0[job] = answer }
            workEnded.fire()
        }

        func take() -> [UInt64: [UInt8]] {
            answers.withLock { answers in
                defer { answers = [:] }
                return answers
            }
        }
    }

    private let results = Results()
    private var threads: [UInt64: PluginThread] = [:]
    private var nextJob: UInt64 = 1

    // Work that is under way keeps what it needs: it may hang on a disk, and the process ends without it.
    deinit {
        for thread in threads.values { thread.detach() }
    }

    /// Fires when a piece of work has ended.
    var workEnded: LoopTimer { results.workEnded }

    /// Begins a piece of work and returns its number.
    func begin(_ work: @escaping @Sendable () -> [UInt8]) throws(SondeError) -> UInt64 {
        let (job, results) = (nextJob, results)
        threads[job] = try PluginThread(name: "control") { results.add(work(), of: job) }
        nextJob &+= 1
        return job
    }

    /// The answers of ended work, by number.
    func takeFinished() -> [UInt64: [UInt8]] {
        let finished = results.take()
        for job in finished.keys { threads.removeValue(forKey: job)?.join() }
        return finished
    }
}

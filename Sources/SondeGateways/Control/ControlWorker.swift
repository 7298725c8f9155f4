internal import CLinux
internal import Glibc
internal import SondeDomain
internal import Synchronization

/// Does what takes longer than the loop may wait, each piece in a separate thread, and notifies the loop of its end.
///
/// There is no thread while there is no work. Used from the loop's thread.
final class ControlWorker {
    /// What the threads and the loop share.
    private final class Results: Sendable {
        private let answers = Mutex<[UInt64: [UInt8]]>([:])
        let event: OwnedDescriptor

        init() throws(SondeError) {
            event = try OwnedDescriptor(eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)), of: "eventfd")
        }

        func add(_ answer: [UInt8], of job: UInt64) {
            answers.withLock { $0[job] = answer }
            var one: UInt64 = 1
            _ = write(event.raw, &one, MemoryLayout<UInt64>.size)
        }

        func take() -> [UInt64: [UInt8]] {
            var count: UInt64 = 0
            _ = read(event.raw, &count, MemoryLayout<UInt64>.size)
            return answers.withLock { answers in
                defer { answers = [:] }
                return answers
            }
        }
    }

    private let results: Results
    private var threads: [UInt64: PluginThread] = [:]
    private var nextJob: UInt64 = 1

    /// A worker without work.
    ///
    /// Throws when the system has no descriptor left.
    init() throws(SondeError) {
        results = try Results()
    }

    // Work that is under way keeps what it needs: it may hang on a disk, and the process ends without it.
    deinit {
        for thread in threads.values { thread.detach() }
    }

    /// Readable when a piece of work has ended.
    var descriptor: Int32 { results.event.raw }

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

internal import CLinux
internal import Glibc
internal import SondeDomain
internal import SondeGateways
internal import Synchronization

/// Runs an actor on the thread that calls ``runJobs()``, which can wait for descriptors between its jobs.
final class LoopExecutor: SerialExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let thread = Atomic<UInt>(0)
    private let event: OwnedDescriptor

    init() throws(SondeError) {
        event = try OwnedDescriptor(eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)), of: "eventfd")
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = jobs.withLock { jobs in
            jobs.append(job)
            return jobs.count == 1
        }
        // It ends a wait.
        if isFirst { eventfd_write(event.raw, 1) }
    }

    /// Makes the calling thread the one of the actor.
    func adoptThread() {
        thread.store(UInt(pthread_self()), ordering: .sequentiallyConsistent)
    }

    func checkIsolated() {
        precondition(thread.load(ordering: .sequentiallyConsistent) == UInt(pthread_self()))
    }

    /// Runs what the actor was asked for until now.
    func runJobs() {
        var count: UInt64 = 0
        eventfd_read(event.raw, &count)
        let taken = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in taken { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    /// Waits for a job, one of the descriptors, or the end of the time; -1: for ever.
    func wait(for entries: [pollfd], milliseconds: Int32) {
        var entries = entries + [pollfd(fd: event.raw, events: Int16(POLLIN), revents: 0)]
        poll(&entries, nfds_t(entries.count), milliseconds)
    }
}

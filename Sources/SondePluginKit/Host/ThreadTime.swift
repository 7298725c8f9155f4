internal import Glibc
package import SondeDomain

/// The processor time that the calling thread has used so far.
package enum ThreadTime {
    /// clock_gettime(2), CLOCK_THREAD_CPUTIME_ID; zero where that fails.
    package static var now: Nanoseconds {
        var time = timespec()
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
        return .seconds(Int64(time.tv_sec)) + Nanoseconds(Int64(time.tv_nsec))
    }
}

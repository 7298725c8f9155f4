internal import Glibc

/// A process that may open no further descriptor: the failure that every plugin can be made to have.
enum DescriptorShortage {
    /// Runs `body` while every call that would open a descriptor fails with EMFILE.
    static func during<Result>(_ body: () -> Result) -> Result {
        var limit = rlimit()
        // The lowest free number: what is open stays in use, and poll(2) takes no more descriptors than the limit.
        let lowest = dup(STDERR_FILENO)
        if lowest >= 0 { close(lowest) }
        guard lowest >= 0, getrlimit(resource, &limit) == 0 else { return body() }
        var shortage = limit
        shortage.rlim_cur = rlim_t(lowest)
        setrlimit(resource, &shortage)
        defer { setrlimit(resource, &limit) }
        return body()
    }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}

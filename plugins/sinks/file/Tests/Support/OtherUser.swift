import Glibc

/// Runs something with the file access of an ordinary user; wants root.
///
/// setfsuid(2) changes the calling thread alone, so that tests beside this one keep theirs.
enum OtherUser {
    static let isAvailable = geteuid() == 0 && setUser != nil

    private typealias SetUser = @convention(c) (uid_t) -> Int32

    // Looked up by name: sys/fsuid.h is not in the Glibc module.
    private static let setUser = dlsym(nil, "setfsuid").map { unsafeBitCast($0, to: SetUser.self) }

    static func run<Result>(_ body: () -> Result) -> Result {
        _ = setUser?(65_534)
        defer { _ = setUser?(0) }
        return body()
    }
}

import Glibc

/// Looks at descriptors, with a bound that only a failing test reaches.
enum Poll {
    static func isReadable(_ descriptor: Int32) -> Bool { poll(descriptor, 0) }

    static func waitUntilReadable(_ descriptor: Int32) -> Bool { poll(descriptor, 30_000) }

    private static func poll(_ descriptor: Int32, _ milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var count: Int32
        repeat { count = Glibc.poll(&entry, 1, milliseconds) } while count < 0 && errno == EINTR
        return count == 1
    }
}

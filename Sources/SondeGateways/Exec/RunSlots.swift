internal import CLinux
internal import Glibc
internal import SondeDomain

/// How many programs that run once may run at a time, in the whole agent.
final class RunSlots: Sendable {
    /// What waiting for a slot ended with.
    enum Turn {
        case taken
        case cancelled
        case late
    }

    // Its counter is the number of free slots; reading takes one.
    private let free: OwnedDescriptor
    private let clock = SystemClock()

    /// So many slots; throws when the system has no descriptor left.
    init(_ count: Int) throws(SondeError) {
        free = try OwnedDescriptor(
            eventfd(UInt32(clamping: max(1, count)), Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK) | Int32(EFD_SEMAPHORE)),
            of: "eventfd")
    }

    /// Waits for a free slot.
    func take(until deadline: MonotonicInstant, cancel: Int32) -> Turn {
        while true {
            var number: UInt64 = 0
            if read(free.raw, &number, MemoryLayout<UInt64>.size) > 0 { return .taken }
            let now = clock.monotonicTime
            guard now < deadline else { return .late }
            var polled = [
                pollfd(fd: free.raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: cancel, events: Int16(POLLIN), revents: 0),
            ]
            poll(&polled, 2, deadline.pollTimeout(at: now))
            if polled[1].revents != 0 { return .cancelled }
        }
    }

    /// Gives a slot back.
    func give() {
        var one: UInt64 = 1
        _ = write(free.raw, &one, MemoryLayout<UInt64>.size)
    }
}

/// The slots of the agent, as many as there are processors, made when they are first needed; used from one thread at a time.
final class AgentRunSlots {
    private var made: RunSlots?

    /// The slots.
    func get() throws(SondeError) -> RunSlots {
        if let made { return made }
        let slots = try RunSlots(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        made = slots
        return slots
    }
}

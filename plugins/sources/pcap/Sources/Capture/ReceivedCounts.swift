/// Packets that an interface received, and their bytes as the kernel counts them on it.
struct ReceivedCounts: Equatable {
    var packets: UInt64 = 0
    var bytes: UInt64 = 0

    static func &+ (left: ReceivedCounts, right: ReceivedCounts) -> ReceivedCounts {
        ReceivedCounts(packets: left.packets &+ right.packets, bytes: left.bytes &+ right.bytes)
    }

    static func &- (left: ReceivedCounts, right: ReceivedCounts) -> ReceivedCounts {
        ReceivedCounts(packets: left.packets &- right.packets, bytes: left.bytes &- right.bytes)
    }

    /// Whether any of both is smaller than it was.
    func hasFallen(since old: ReceivedCounts) -> Bool { packets < old.packets || bytes < old.bytes }
}

/// What was captured of what an interface received, up to a mark in time and after it.
///
/// Packets come out of the capture some time after the kernel has counted them. Their own time shows on which side
/// of the moment they belong at which the kernel's counters were read.
struct MarkedCounts {
    /// Up to the mark.
    private(set) var settled = ReceivedCounts()
    private var later = ReceivedCounts()
    private var mark = Int64.min

    /// How many bytes more the capture has of each packet than the kernel counts.
    var surplus: Int64 = 0

    /// Takes a packet of `time`, in nanoseconds since 1970.
    @inline(__always)
    mutating func add(length: UInt32, at time: Int64) {
        let bytes = UInt64(max(0, Int64(length) &- surplus))
        if time <= mark {
            settled.packets &+= 1
            settled.bytes &+= bytes
        } else {
            later.packets &+= 1
            later.bytes &+= bytes
        }
    }

    /// Everything so far is before this mark.
    mutating func setMark(_ time: Int64) {
        settled = settled &+ later
        later = ReceivedCounts()
        mark = time
    }
}

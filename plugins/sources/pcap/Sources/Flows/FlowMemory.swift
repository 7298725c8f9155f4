internal import Glibc

/// Where a ``FlowTable`` gets the memory for its entries.
///
/// Swift ends the process when an allocation fails, as under a bound on addresses (RLIMIT_AS) or with an option
/// that requests more than the machine has.
struct FlowMemory: Sendable {
    /// Room for entries.
    struct Block {
        let entries: UnsafeMutablePointer<FlowEntry>
        let capacity: Int
        /// For entries and index together.
        let bytes: Int
    }

    /// Allocates memory, or returns nil.
    let allocate: @Sendable (Int) -> UnsafeMutableRawPointer?

    /// Memory of the C library.
    static let system = FlowMemory { malloc($0) }

    /// Room for as many flows as `bytes` hold, or for less when so much is not available.
    ///
    /// Less means at most half of what is available, so that there is some left for everything else.
    func block(atMost bytes: Int) -> Block {
        if let block = block(bytes) { return block }
        var smaller = bytes / 2
        while smaller > 0 {
            if let found = block(smaller) {
                free(found.entries)
                if let block = block(smaller / 2) { return block }
            }
            smaller /= 2
        }
        // One flow, from malloc too, as for every alignment that malloc keeps: without it the process cannot continue.
        return Block(entries: .allocate(capacity: 1), capacity: 1, bytes: 0)
    }

    private func block(_ bytes: Int) -> Block? {
        let capacity = FlowTable.capacity(of: bytes)
        guard let room = allocate(capacity &* MemoryLayout<FlowEntry>.stride) else { return nil }
        let entries = room.bindMemory(to: FlowEntry.self, capacity: capacity)
        return Block(entries: entries, capacity: capacity, bytes: bytes)
    }
}

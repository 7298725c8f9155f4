/// The links of one slot in a ``SlotChain``.
struct SlotLinks {
    /// Stands for no slot.
    static let none = UInt32.max

    var previous = none
    var next = none
}

/// Slots of a flat table in the order in which they were appended; the links lie with the slots.
struct SlotChain {
    private(set) var first = SlotLinks.none
    private(set) var last = SlotLinks.none

    /// Puts a slot that is in no chain at the end.
    @inline(__always)
    mutating func append(_ slot: UInt32, links: (UInt32) -> UnsafeMutablePointer<SlotLinks>) {
        links(slot).pointee = SlotLinks(previous: last, next: SlotLinks.none)
        if last == SlotLinks.none { first = slot } else { links(last).pointee.next = slot }
        last = slot
    }

    /// Takes out a slot of this chain.
    @inline(__always)
    mutating func remove(_ slot: UInt32, links: (UInt32) -> UnsafeMutablePointer<SlotLinks>) {
        let around = links(slot).pointee
        if around.previous == SlotLinks.none {
            first = around.next
        } else {
            links(around.previous).pointee.next = around.next
        }
        if around.next == SlotLinks.none {
            last = around.previous
        } else {
            links(around.next).pointee.previous = around.previous
        }
    }
}

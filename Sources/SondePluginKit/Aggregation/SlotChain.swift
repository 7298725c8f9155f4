/// The links of one slot in a ``SlotChain``.
public struct SlotLinks: Sendable {
    /// No slot.
    @inlinable public static var none: UInt32 { .max }

    /// The slot before.
    public var previous = none
    /// The slot after.
    public var next = none

    /// Links to no slot.
    @inlinable
    public init() {}

    @inlinable
    init(previous: UInt32, next: UInt32) {
        self.previous = previous
        self.next = next
    }
}

/// Slots of a flat table in the order in which they were appended; the links are stored with the slots.
public struct SlotChain: Sendable {
    @usableFromInline var head = SlotLinks.none
    @usableFromInline var tail = SlotLinks.none

    /// The slot that was appended first.
    @inlinable public var first: UInt32 { @inline(always) get { head } }
    /// The slot that was appended last.
    @inlinable public var last: UInt32 { @inline(always) get { tail } }

    /// A chain of no slots.
    @inlinable
    public init() {}

    /// Puts a slot that is in no chain at the end.
    @inlinable
    @inline(always)
    public mutating func append(_ slot: UInt32, links: (UInt32) -> UnsafeMutablePointer<SlotLinks>) {
        links(slot).pointee = SlotLinks(previous: tail, next: SlotLinks.none)
        if tail == SlotLinks.none { head = slot } else { links(tail).pointee.next = slot }
        tail = slot
    }

    /// Takes out a slot of this chain.
    @inlinable
    @inline(always)
    public mutating func remove(_ slot: UInt32, links: (UInt32) -> UnsafeMutablePointer<SlotLinks>) {
        let around = links(slot).pointee
        if around.previous == SlotLinks.none {
            head = around.next
        } else {
            links(around.previous).pointee.next = around.next
        }
        if around.next == SlotLinks.none {
            tail = around.previous
        } else {
            links(around.next).pointee.previous = around.previous
        }
    }
}

/// Slots by weight, the lightest first, when weights only ever grow.
///
/// Growth is not reported to it: a slot that has grown is put where it belongs when it comes to the front. A slot that is hit a
/// thousand times in between costs one correction.
///
/// A queue and a heap. The lightest slot goes to a new key and comes back a little heavier; where all weights are one, it
/// is then as heavy as the one before it, so that a queue has the order already. What is lighter than the end of the queue
/// goes to a heap of four children per node, and so does what has grown meanwhile.
struct LightestFirst: ~Copyable {
    private struct Node {
        var weight: UInt64
        var slot: Int
    }

    private let capacity: Int
    private let queue: UnsafeMutablePointer<Node>
    private var front = 0
    private var queued = 0
    private let heap: UnsafeMutablePointer<Node>
    private var heaped = 0

    /// An empty order of at most `capacity` slots.
    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        queue = .allocate(capacity: self.capacity)
        heap = .allocate(capacity: self.capacity)
    }

    deinit {
        queue.deallocate()
        heap.deallocate()
    }

    /// Adds a slot that is not in the order; the owner keeps to the capacity.
    @inline(__always)
    mutating func insert(_ slot: Int, weight: UInt64) {
        guard queued == 0 || queue[place(queued &- 1)].weight <= weight else { return push(slot, weight) }
        (queue + place(queued)).initialize(to: Node(weight: weight, slot: slot))
        queued &+= 1
    }

    /// Takes the lightest slot out of an order that is not empty; `weight` returns how heavy a slot is now.
    @inline(__always)
    mutating func removeFirst(weight: (Int) -> UInt64) -> Int {
        while true {
            guard queued > 0, heaped == 0 || queue[front].weight <= heap[0].weight else {
                let top = heap[0]
                let now = weight(top.slot)
                guard now == top.weight else {
                    sink(Node(weight: now, slot: top.slot))
                    continue
                }
                heaped &-= 1
                if heaped > 0 { sink(heap[heaped]) }
                return top.slot
            }
            let node = queue[front]
            front = place(1)
            queued &-= 1
            let now = weight(node.slot)
            guard now != node.weight else { return node.slot }
            push(node.slot, now)
        }
    }

    mutating func removeAll() {
        front = 0
        queued = 0
        heaped = 0
    }

    /// Where the queue has its node of this number.
    @inline(__always)
    private func place(_ number: Int) -> Int {
        let place = front &+ number
        return place < capacity ? place : place &- capacity
    }

    @inline(never)
    private mutating func push(_ slot: Int, _ weight: UInt64) {
        var place = heaped
        heaped &+= 1
        while place > 0 {
            let parent = (place &- 1) / 4
            guard heap[parent].weight > weight else { break }
            (heap + place).initialize(to: heap[parent])
            place = parent
        }
        (heap + place).initialize(to: Node(weight: weight, slot: slot))
    }

    /// Puts a node where the top of the heap was, and down to where it belongs.
    @inline(never)
    private mutating func sink(_ node: Node) {
        var place = 0
        while true {
            let first = place &* 4 &+ 1
            guard first < heaped else { break }
            var child = first
            var other = first &+ 1
            while other < min(first &+ 4, heaped) {
                if heap[other].weight < heap[child].weight { child = other }
                other &+= 1
            }
            guard heap[child].weight < node.weight else { break }
            heap[place] = heap[child]
            place = child
        }
        heap[place] = node
    }
}

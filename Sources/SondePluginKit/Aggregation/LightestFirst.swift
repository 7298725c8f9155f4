/// Slots by weight, the lightest first, when weights only ever grow.
///
/// A heap of four children per node that is not told of growth: a node whose slot has grown is corrected when it comes to
/// the top. A slot that is hit a thousand times in between costs one correction.
struct LightestFirst: ~Copyable {
    private struct Node {
        var weight: UInt64
        var slot: Int
    }

    private let nodes: UnsafeMutablePointer<Node>
    private var count = 0

    /// An empty order of at most `capacity` slots.
    init(capacity: Int) {
        nodes = .allocate(capacity: max(capacity, 1))
    }

    deinit {
        nodes.deallocate()
    }

    /// Adds a slot that is not in the order; the owner keeps to the capacity.
    mutating func insert(_ slot: Int, weight: UInt64) {
        var place = count
        count &+= 1
        while place > 0 {
            let parent = (place &- 1) / 4
            guard nodes[parent].weight > weight else { break }
            (nodes + place).initialize(to: nodes[parent])
            place = parent
        }
        (nodes + place).initialize(to: Node(weight: weight, slot: slot))
    }

    /// The lightest slot of an order that is not empty; `weight` tells how heavy a slot is now.
    ///
    /// It stays where it is: when its new key makes it heavier, that is growth like any other.
    mutating func first(weight: (Int) -> UInt64) -> Int {
        while true {
            let first = nodes[0]
            let now = weight(first.slot)
            if now == first.weight { return first.slot }
            sink(Node(weight: now, slot: first.slot))
        }
    }

    mutating func removeAll() {
        count = 0
    }

    /// Puts a node where the top was, and down to where it belongs.
    private mutating func sink(_ node: Node) {
        var place = 0
        while true {
            let first = place &* 4 &+ 1
            guard first < count else { break }
            var child = first
            var other = first &+ 1
            while other < min(first &+ 4, count) {
                if nodes[other].weight < nodes[child].weight { child = other }
                other &+= 1
            }
            guard nodes[child].weight < node.weight else { break }
            nodes[place] = nodes[child]
            place = child
        }
        nodes[place] = node
    }
}

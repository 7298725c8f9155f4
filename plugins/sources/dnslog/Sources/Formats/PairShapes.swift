/// Where the pairs are that are needed, in structured lines of each kind of PowerDNS: they have the same keys in the same order.
///
/// What is kept is an expectation, which each line has to meet.
struct PairShapes: ~Copyable {
    /// A pair that is needed.
    struct Step {
        /// How many pairs are between the one before and this one.
        var skipped = 0
        /// The bytes before the value's quote, of which those in `mask` count.
        var word: UInt64 = 0
        var mask: UInt64 = 0
        var key = LineParser.PairKey.name
    }

    /// Of one kind.
    struct Shape {
        fileprivate(set) var count = 0
        let steps: UnsafeMutablePointer<Step>
    }

    /// More pairs are not needed.
    static let mostSteps = 12
    private let shapes: UnsafeMutablePointer<Shape>
    private static let kinds = 3

    init() {
        shapes = .allocate(capacity: Self.kinds)
        for kind in 0..<Self.kinds {
            let steps = UnsafeMutablePointer<Step>.allocate(capacity: Self.mostSteps)
            steps.initialize(repeating: Step(), count: Self.mostSteps)
            (shapes + kind).initialize(to: Shape(steps: steps))
        }
    }

    deinit {
        for kind in 0..<Self.kinds { shapes[kind].steps.deallocate() }
        shapes.deallocate()
    }

    /// What lines of a kind have had; nothing for a rare kind.
    @inline(always)
    subscript(kind: LogEvent.Kind) -> Shape? {
        switch kind {
        case .query: shapes[0]
        case .response: shapes[1]
        case .exchange: shapes[2]
        default: nil
        }
    }

    /// Keeps what a line of a kind has.
    func keep(_ steps: [Step], _ kind: LogEvent.Kind) {
        guard steps.count <= Self.mostSteps else { return }
        let place = kind == .query ? 0 : kind == .response ? 1 : 2
        for (index, step) in steps.enumerated() { shapes[place].steps[index] = step }
        shapes[place].count = steps.count
    }
}

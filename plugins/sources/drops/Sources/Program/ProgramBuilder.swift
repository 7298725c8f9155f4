/// Assembles a program: instructions one after another, and jumps forward to labels.
struct ProgramBuilder {
    /// A place that jumps lead to.
    struct Label: Hashable {
        fileprivate let number: Int
    }

    /// Why a program cannot be assembled: a defect of what builds it.
    enum Flaw: Error, Hashable {
        case labelNowhere
        case jumpBackward
        case jumpTooFar
        case tooLong
    }

    // Of the kernel before 5.2, and of programs without CAP_BPF (BPF_MAXINSNS).
    private static let longest = 4_096

    private(set) var instructions: [Instruction] = []
    private var places: [Int?] = []
    private var jumps: [(from: Int, to: Label)] = []

    /// A label that is placed later.
    mutating func label() -> Label {
        places.append(nil)
        return Label(number: places.count - 1)
    }

    /// Jumps to the label lead here.
    mutating func place(_ label: Label) { places[label.number] = instructions.count }

    /// Loads what is at an offset from the address in a register, without a sign.
    mutating func load(_ destination: Register, _ width: Width, from base: Register, at offset: Int16) {
        instructions.append(
            Instruction(
                opcode: 0x61 | width.rawValue, destination: destination, source: base.rawValue, offset: offset))
    }

    /// Stores a register at an offset from the address in another one.
    mutating func store(_ source: Register, _ width: Width, to base: Register, at offset: Int16) {
        instructions.append(
            Instruction(opcode: 0x63 | width.rawValue, destination: base, source: source.rawValue, offset: offset))
    }

    /// Works on a register with a constant, which is extended by its sign.
    mutating func apply(_ operation: Operation, _ destination: Register, _ value: Int32) {
        instructions.append(
            Instruction(opcode: 0x07 | operation.rawValue, destination: destination, immediate: value))
    }

    /// Works on a register with another one.
    mutating func apply(_ operation: Operation, _ destination: Register, _ source: Register) {
        instructions.append(
            Instruction(opcode: 0x0f | operation.rawValue, destination: destination, source: source.rawValue))
    }

    /// Jumps where a register compares so with a constant.
    mutating func jump(_ condition: Condition, _ register: Register, _ value: Int32, to label: Label) {
        jumps.append((instructions.count, label))
        instructions.append(
            Instruction(opcode: 0x05 | condition.rawValue, destination: register, immediate: value))
    }

    /// Jumps.
    mutating func jump(to label: Label) { jump(.always, .r0, 0, to: label) }

    /// Calls a function of the kernel.
    mutating func call(_ helper: Helper) {
        instructions.append(Instruction(opcode: 0x85, immediate: helper.rawValue))
    }

    /// Loads the address of the map with that descriptor: two instructions (BPF_PSEUDO_MAP_FD).
    mutating func loadMap(_ destination: Register, _ descriptor: Int32) {
        instructions.append(Instruction(opcode: 0x18, destination: destination, source: 1, immediate: descriptor))
        instructions.append(Instruction(opcode: 0x00))
    }

    /// Ends the program with what is in r0.
    mutating func exit() { instructions.append(Instruction(opcode: 0x95)) }

    /// The program with its jumps.
    func assembled() throws(Flaw) -> [Instruction] {
        guard instructions.count <= Self.longest else { throw .tooLong }
        var assembled = instructions
        for jump in jumps {
            guard let place = places[jump.to.number] else { throw .labelNowhere }
            guard place > jump.from else { throw .jumpBackward }
            guard let offset = Int16(exactly: place - jump.from - 1) else { throw .jumpTooFar }
            assembled[jump.from].offset = offset
        }
        return assembled
    }
}

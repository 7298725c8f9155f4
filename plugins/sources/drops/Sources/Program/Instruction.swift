/// One instruction of BPF (linux/bpf.h, Documentation/bpf/standardization/instruction-set.rst).
struct Instruction: Hashable {
    var opcode: UInt8
    var destination: Register = .r0
    var source: UInt8 = 0
    var offset: Int16 = 0
    var immediate: Int32 = 0

    /// Its eight bytes in memory, as a number of this machine.
    var encoded: UInt64 {
        #if _endian(little)
            let registers = UInt64(destination.rawValue) | UInt64(source) << 4
        #else
            let registers = UInt64(destination.rawValue) << 4 | UInt64(source)
        #endif
        let parts: [(value: UInt64, width: UInt64)] = [
            (UInt64(opcode), 8), (registers, 8), (UInt64(UInt16(bitPattern: offset)), 16),
            (UInt64(UInt32(bitPattern: immediate)), 32),
        ]
        #if _endian(little)
            return parts.reversed().reduce(0) { $0 << $1.width | $1.value }
        #else
            return parts.reduce(0) { $0 << $1.width | $1.value }
        #endif
    }
}

/// A register: r0 is what a function returns, r1 to r5 are its arguments and lost by a call, r6 to r9 stay.
enum Register: UInt8, Hashable {
    case r0
    case r1
    case r2
    case r3
    case r4
    case r5
    case r6
    case r7
    case r8
    case r9
    /// The end of the stack; read only.
    case stack
}

/// How many bytes are loaded or stored.
enum Width: UInt8, Hashable {
    case word = 0x00
    case half = 0x08
    case byte = 0x10
    case double = 0x18

    /// The width with so many bytes; nil: there is none.
    init?(bytes: Int) {
        switch bytes {
        case 1: self = .byte
        case 2: self = .half
        case 4: self = .word
        case 8: self = .double
        default: return nil
        }
    }
}

/// What is done to a register, in 64 bits.
enum Operation: UInt8, Hashable {
    case add = 0x00
    case multiply = 0x20
    case or = 0x40
    case and = 0x50
    case shiftLeft = 0x60
    case shiftRight = 0x70
    case move = 0xb0
}

/// When a jump is taken; registers are compared without a sign.
enum Condition: UInt8, Hashable {
    case always = 0x00
    case equal = 0x10
    case greater = 0x20
    case greaterOrEqual = 0x30
    case notEqual = 0x50
    case less = 0xa0
    case lessOrEqual = 0xb0
}

/// A function of the kernel (`enum bpf_func_id`).
enum Helper: Int32, Hashable {
    case lookUpElement = 1
    case processorNumber = 8
}

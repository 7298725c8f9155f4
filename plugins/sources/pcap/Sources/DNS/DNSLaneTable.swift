import SondeWire

/// Numbers per lane: each ``DNSCounter``, and messages by type, response code and opcode; one flat block.
struct DNSLaneTable: ~Copyable {
    private static let types = DNSCounter.allCases.count
    private static let codes = types + DNSType.attributeCount
    private static let opcodes = codes + DNSResponseCode.attributeCount
    private static let stride = opcodes + 16

    private let numbers: UnsafeMutablePointer<UInt64>
    private let typeOffset = DNSLaneTable.types
    private let codeOffset = DNSLaneTable.codes
    private let opcodeOffset = DNSLaneTable.opcodes
    private let laneStride = DNSLaneTable.stride

    init() {
        numbers = .allocate(capacity: Self.stride &* DNSLane.count)
        numbers.initialize(repeating: 0, count: Self.stride &* DNSLane.count)
    }

    deinit {
        numbers.deallocate()
    }

    @inline(__always)
    mutating func add(_ number: UInt64 = 1, to counter: DNSCounter, _ lane: DNSLane) {
        numbers[lane.index &* laneStride &+ counter.rawValue] &+= number
    }

    /// Adds one to a counter when something is so.
    @inline(__always)
    mutating func count(_ isSo: Bool, as counter: DNSCounter, _ lane: DNSLane) {
        numbers[lane.index &* laneStride &+ counter.rawValue] &+= isSo ? 1 : 0
    }

    @inline(__always)
    mutating func count(type: DNSType, _ lane: DNSLane) {
        numbers[lane.index &* laneStride &+ typeOffset &+ type.attributeIndex] &+= 1
    }

    @inline(__always)
    mutating func count(code: DNSResponseCode, _ lane: DNSLane) {
        numbers[lane.index &* laneStride &+ codeOffset &+ code.attributeIndex] &+= 1
    }

    @inline(__always)
    mutating func count(opcode: DNSOpcode, _ lane: DNSLane) {
        numbers[lane.index &* laneStride &+ opcodeOffset &+ Int(opcode.rawValue & 15)] &+= 1
    }

    subscript(counter: DNSCounter, lane: DNSLane) -> UInt64 {
        numbers[lane.index &* laneStride &+ counter.rawValue]
    }

    /// Questions by the attribute index of their type.
    subscript(typeAt index: Int, lane: DNSLane) -> UInt64 {
        index >= 0 && index < DNSType.attributeCount ? numbers[lane.index &* laneStride &+ typeOffset &+ index] : 0
    }

    /// Responses by the attribute index of their code.
    subscript(codeAt index: Int, lane: DNSLane) -> UInt64 {
        index >= 0 && index < DNSResponseCode.attributeCount
            ? numbers[lane.index &* laneStride &+ codeOffset &+ index] : 0
    }

    /// Queries by opcode.
    subscript(opcode: DNSOpcode, lane: DNSLane) -> UInt64 {
        numbers[lane.index &* laneStride &+ opcodeOffset &+ Int(opcode.rawValue & 15)]
    }

    /// A counter over all lanes.
    func total(_ counter: DNSCounter) -> UInt64 {
        DNSLane.all.reduce(0) { $0 &+ self[counter, $1] }
    }
}

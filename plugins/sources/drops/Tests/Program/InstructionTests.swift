import Testing

@testable import DropsPlugin

/// Bytes as assemblers of the kernel write them (linux/bpf.h), on a little-endian machine.
@Suite struct InstructionTests {
    private func bytes(_ build: (inout ProgramBuilder) -> Void) throws -> [UInt8] {
        var program = ProgramBuilder()
        build(&program)
        return try program.assembled().flatMap { withUnsafeBytes(of: $0.encoded.littleEndian, Array.init) }
    }

    @Test func aLoadFromTheRecord() throws {
        // BPF_LDX|BPF_MEM|BPF_W, r2 = *(u32 *)(r1 + 36)
        #expect(try bytes { $0.load(.r2, .word, from: .r1, at: 36) } == [0x61, 0x12, 36, 0, 0, 0, 0, 0])
        #expect(try bytes { $0.load(.r7, .half, from: .r1, at: 32) } == [0x69, 0x17, 32, 0, 0, 0, 0, 0])
        #expect(try bytes { $0.load(.r3, .byte, from: .r1, at: 259) } == [0x71, 0x13, 3, 1, 0, 0, 0, 0])
        #expect(try bytes { $0.load(.r1, .double, from: .r0, at: 0) } == [0x79, 0x01, 0, 0, 0, 0, 0, 0])
    }

    @Test func aStoreToTheStack() throws {
        // BPF_STX|BPF_MEM|BPF_W, *(u32 *)(fp - 4) = r6
        #expect(try bytes { $0.store(.r6, .word, to: .stack, at: -4) } == [0x63, 0x6a, 0xfc, 0xff, 0, 0, 0, 0])
        #expect(try bytes { $0.store(.r1, .double, to: .r0, at: 0) } == [0x7b, 0x10, 0, 0, 0, 0, 0, 0])
    }

    @Test func arithmeticIn64Bits() throws {
        #expect(try bytes { $0.apply(.move, .r2, .stack) } == [0xbf, 0xa2, 0, 0, 0, 0, 0, 0])
        #expect(try bytes { $0.apply(.add, .r2, -4) } == [0x07, 2, 0, 0, 0xfc, 0xff, 0xff, 0xff])
        #expect(try bytes { $0.apply(.move, .r0, 0) } == [0xb7, 0, 0, 0, 0, 0, 0, 0])
        #expect(try bytes { $0.apply(.multiply, .r0, 2_565) } == [0x27, 0, 0, 0, 0x05, 0x0a, 0, 0])
        #expect(try bytes { $0.apply(.and, .r6, 0xffff) } == [0x57, 6, 0, 0, 0xff, 0xff, 0, 0])
        #expect(try bytes { $0.apply(.or, .r2, .r3) } == [0x4f, 0x32, 0, 0, 0, 0, 0, 0])
        #expect(try bytes { $0.apply(.shiftRight, .r8, 16) } == [0x77, 8, 0, 0, 16, 0, 0, 0])
        #expect(try bytes { $0.apply(.shiftLeft, .r8, 6) } == [0x67, 8, 0, 0, 6, 0, 0, 0])
    }

    @Test func aJumpLeadsToItsLabel() throws {
        let jump = try bytes { program in
            let end = program.label()
            program.jump(.equal, .r0, 0, to: end)
            program.apply(.add, .r1, 1)
            program.place(end)
            program.exit()
        }
        #expect(jump == [0x15, 0, 1, 0, 0, 0, 0, 0, 0x07, 1, 0, 0, 1, 0, 0, 0, 0x95, 0, 0, 0, 0, 0, 0, 0])
        let codes: [(Condition, UInt8)] = [
            (.always, 0x05), (.equal, 0x15), (.greater, 0x25), (.greaterOrEqual, 0x35), (.notEqual, 0x55),
            (.less, 0xa5), (.lessOrEqual, 0xb5),
        ]
        for (condition, code) in codes {
            let bytes = try bytes { program in
                let end = program.label()
                program.jump(condition, .r7, 0x86dd, to: end)
                program.place(end)
            }
            #expect(bytes == [code, 7, 0, 0, 0xdd, 0x86, 0, 0])
        }
    }

    @Test func callsMapsAndTheEnd() throws {
        #expect(try bytes { $0.call(.lookUpElement) } == [0x85, 0, 0, 0, 1, 0, 0, 0])
        #expect(try bytes { $0.call(.processorNumber) } == [0x85, 0, 0, 0, 8, 0, 0, 0])
        // BPF_LD|BPF_DW|BPF_IMM with BPF_PSEUDO_MAP_FD, and its second half
        #expect(
            try bytes { $0.loadMap(.r1, 7) } == [0x18, 0x11, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(try bytes { $0.exit() } == [0x95, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test func whatCannotBeAssembledIsRefused() {
        var nowhere = ProgramBuilder()
        nowhere.jump(to: nowhere.label())
        #expect(throws: ProgramBuilder.Flaw.labelNowhere) { try nowhere.assembled() }
        var backward = ProgramBuilder()
        let begin = backward.label()
        backward.place(begin)
        backward.jump(to: begin)
        #expect(throws: ProgramBuilder.Flaw.jumpBackward) { try backward.assembled() }
        var long = ProgramBuilder()
        for _ in 0...4_096 { long.exit() }
        #expect(throws: ProgramBuilder.Flaw.tooLong) { try long.assembled() }
    }

    @Test func onlyNumbersHaveAWidth() {
        #expect([1, 2, 4, 8].map { Width(bytes: $0) } == [.byte, .half, .word, .double])
        #expect([0, 3, 16, -1].allSatisfy { Width(bytes: $0) == nil })
    }
}

/// The program of an event: adds one to the counter of the event and of the processor that it runs on.
///
/// On one processor no program of a tracepoint interrupts another one (`bpf_prog_active` of trace_call_bpf, kernel/trace/bpf_trace.c),
/// and none is moved to another: a counter has one writer, and needs no atomic addition.
enum CountingProgram {
    /// The instructions, for a map that has `event.slots` numbers for each processor.
    static func instructions(for event: any KernelEvent, map: Int32) throws(ProgramBuilder.Flaw) -> [Instruction] {
        var program = ProgramBuilder()
        let end = program.label()
        event.choose(&program, skip: end)
        program.call(.processorNumber)
        program.apply(.multiply, .r0, Int32(clamping: event.slots))
        program.apply(.add, .r6, .r0)
        program.store(.r6, .word, to: .stack, at: -4)
        program.apply(.move, .r2, .stack)
        program.apply(.add, .r2, -4)
        program.loadMap(.r1, map)
        program.call(.lookUpElement)
        // The key of a map is checked by the kernel, which compiles this call into a comparison and an addition.
        program.jump(.equal, .r0, 0, to: end)
        program.load(.r1, .double, from: .r0, at: 0)
        program.apply(.add, .r1, 1)
        program.store(.r1, .double, to: .r0, at: 0)
        program.place(end)
        // 0: nobody samples this event.
        program.apply(.move, .r0, 0)
        program.exit()
        return try program.assembled()
    }
}

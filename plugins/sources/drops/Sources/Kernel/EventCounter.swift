internal import CBPF
internal import Glibc

/// A program that counts the events of one tracepoint, for as long as this value lives.
///
/// What it counts is read from memory: after `init` it takes no system call and no privilege. All of it hangs on descriptors and
/// on the mapped memory, so that the kernel takes it away with the process, however that ends.
final class EventCounter {
    private let counters: UnsafePointer<UInt64>
    private let slots: Int
    private let processors: Int
    private let event: Int32
    private let program: Int32
    /// The program's entry in /proc/self/fdinfo, where the kernel says how often it did not run; -1: it cannot be read.
    private let information: Int32

    /// Loads the program of `event` and has it run at the tracepoint with that number.
    init(_ event: any KernelEvent, _ identifier: UInt64, processors: Int) throws(SystemRefusal) {
        let (count, overflow) = event.slots.multipliedReportingOverflow(by: processors)
        guard !overflow, let entries = UInt32(exactly: count) else { throw SystemRefusal(.createMap, E2BIG) }
        let map = sonde_bpf_create_counters(entries)
        guard map >= 0 else { throw SystemRefusal(.createMap, errno) }
        // The mapping and the program hold it.
        defer { close(map) }
        guard let counters = sonde_bpf_map_counters(map, entries) else { throw SystemRefusal(.createMap, errno) }
        do throws(SystemRefusal) {
            let program = try Self.load(event, map)
            do throws(SystemRefusal) {
                self.event = try Self.attach(program, identifier, processors)
            } catch {
                close(program)
                throw error
            }
            self.program = program
        } catch {
            sonde_bpf_unmap_counters(counters, entries)
            throw error
        }
        self.counters = counters
        self.slots = event.slots
        self.processors = processors
        information = open("/proc/self/fdinfo/\(program)", O_RDONLY | O_CLOEXEC)
    }

    deinit {
        close(event)
        close(program)
        if information >= 0 { close(information) }
        sonde_bpf_unmap_counters(counters, UInt32(clamping: slots * processors))
    }

    /// What was counted so far, of all processors together.
    func read(into sums: inout [UInt64]) {
        sums.removeAll(keepingCapacity: true)
        sums.append(contentsOf: repeatElement(0, count: slots))
        for processor in 0..<processors {
            let row = counters + processor * slots
            for slot in 0..<slots { sums[slot] &+= sonde_bpf_counter(row + slot) }
        }
    }

    /// How many events came while a program of a tracepoint was running on the same processor, which the kernel then does not run
    /// again; nil: it does not count them.
    var missed: UInt64? {
        guard information >= 0, let text = try? KernelFile.read(information) else { return nil }
        for line in text.split(separator: UInt8(ascii: "\n")) {
            guard let rest = line.without("recursion_misses:") else { continue }
            return UInt64(rest.trimmed.text)
        }
        return nil
    }

    private static func load(_ event: any KernelEvent, _ map: Int32) throws(SystemRefusal) -> Int32 {
        let instructions: [UInt64]
        do throws(ProgramBuilder.Flaw) {
            instructions = try CountingProgram.instructions(for: event, map: map).map(\.encoded)
        } catch {
            throw SystemRefusal(.loadProgram, EINVAL, log: "\(error)")
        }
        let count = UInt32(clamping: instructions.count)
        var program = sonde_bpf_load(instructions, count, nil, 0)
        guard program < 0 else { return program }
        let number = errno
        // Once more with the verifier's reasons: they take memory that is not needed otherwise.
        var log = [CChar](repeating: 0, count: 65_536)
        program = sonde_bpf_load(instructions, count, &log, UInt32(log.count))
        guard program < 0 else { return program }
        let text = log.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        let last = text.split(separator: UInt8(ascii: "\n")).last { !$0.starts(with: "processed ".utf8) }
        throw SystemRefusal(.loadProgram, number, log: last?.text ?? "")
    }

    private static func attach(_ program: Int32, _ identifier: UInt64, _ processors: Int) throws(SystemRefusal) -> Int32
    {
        var event: Int32 = -1
        // One that is switched off is none: the next one will do.
        for processor in 0..<processors {
            event = sonde_perf_tracepoint(identifier, Int32(clamping: processor))
            if event >= 0 || errno != ENODEV { break }
        }
        guard event >= 0 else { throw SystemRefusal(.openEvent, errno) }
        guard sonde_perf_run(event, program) == 0 else {
            let number = errno
            close(event)
            throw SystemRefusal(.attach, number)
        }
        return event
    }
}

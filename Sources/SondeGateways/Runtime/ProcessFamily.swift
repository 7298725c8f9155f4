internal import Glibc
public import SondeDomain
internal import SondeEngine
internal import Synchronization

/// What this process and its descendants use, by `/proc` and getrusage(2).
///
/// A descendant of another user that `/proc` hides is counted once it has ended. May be called from any thread.
public final class ProcessFamily: Sendable {
    /// What proc_pid_stat(5) says of one process.
    struct Process: Hashable {
        var parent: pid_t
        /// Clock ticks of itself and of its children that were waited for.
        var ticks: UInt64

        /// Nil when the text has another form.
        init?(stat text: String) {
            guard let end = text.lastIndex(of: ")") else { return nil }
            // State, parent, group, …; the numbers in the manual begin with the id and the name.
            let fields = text[text.index(after: end)...].split(separator: " ")
            guard fields.count > 14, let parent = pid_t(fields[1]) else { return nil }
            self.parent = parent
            ticks = fields[11...14].reduce(0) { $0 &+ (UInt64($1) ?? 0) }
        }
    }

    // A number that was given again is noticed after so many looks.
    private static let trust = 30

    private let clock = SystemClock()
    private let state = Mutex((strangers: Set<pid_t>(), looks: 0))

    /// The family of this process.
    public init() {}

    /// What it uses now; a few system calls, and where there are children one for each new process of the host.
    public var usage: ResourceUsage {
        let members = hasChildren ? descendants : [:]
        var memory = Self.memory(of: "self")
        for process in members.keys {
            guard let sum = memory, let own = Self.memory(of: "\(process)") else { continue }
            memory = sum &+ own
        }
        let ticks = members.values.reduce(0) { $0 &+ $1.ticks }
        let perSecond = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        let own = Self.seconds(RUSAGE_SELF.rawValue)
        let ended = Self.seconds(RUSAGE_CHILDREN.rawValue)
        let seconds = own.flatMap { own in ended.map { own + $0 + Double(ticks) / perSecond } }
        return ResourceUsage(at: clock.monotonicTime, processorSeconds: seconds, memory: memory)
    }

    private var hasChildren: Bool {
        var information = siginfo_t()
        return waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0
    }

    /// Children, their children and so on.
    private var descendants: [pid_t: Process] {
        state.withLock { state in
            state.looks += 1
            if state.looks % Self.trust == 0 { state.strangers = [] }
            let numbers = Self.processes
            state.strangers.formIntersection(numbers)
            var known: [pid_t: Process] = [:]
            for number in numbers where !state.strangers.contains(number) {
                guard let text = try? PosixFileReader().read("/proc/\(number)/stat", limit: 4_096).text else {
                    continue
                }
                known[number] = Process(stat: text)
            }
            let family = Self.family(of: getpid(), in: known)
            state.strangers.formUnion(known.keys.filter { family[$0] == nil })
            return family
        }
    }

    /// The descendants of a process among others.
    static func family(of root: pid_t, in known: [pid_t: Process]) -> [pid_t: Process] {
        var family: [pid_t: Process] = [:]
        var parents: Set = [root]
        while !parents.isEmpty {
            let children = known.filter { parents.contains($0.value.parent) && family[$0.key] == nil }
            family.merge(children) { first, _ in first }
            parents = Set(children.keys)
        }
        family[root] = nil
        return family
    }

    private static var processes: Set<pid_t> {
        guard let directory = opendir("/proc") else { return [] }
        defer { closedir(directory) }
        var found: Set<pid_t> = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = pid_t(name) { found.insert(number) }
        }
        return found
    }

    /// Memory of its own, what is shared with files apart; nil: not known, or it has ended.
    private static func memory(of process: String) -> UInt64? {
        guard let text = try? PosixFileReader().read("/proc/\(process)/status", limit: 16_384).text else { return nil }
        var sum: UInt64?
        for line in text.split(separator: "\n") where line.hasPrefix("RssAnon:") || line.hasPrefix("RssShmem:") {
            let fields = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard fields.count > 1, let kibibytes = UInt64(fields[1]) else { return nil }
            sum = (sum ?? 0) &+ kibibytes &* 1_024
        }
        return sum
    }

    private static func seconds(_ who: Int32) -> Double? {
        var usage = rusage()
        guard getrusage(who, &usage) == 0 else { return nil }
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}

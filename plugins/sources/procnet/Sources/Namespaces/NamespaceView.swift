internal import Glibc
internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// A network namespace as this source reaches it: through files below `/proc`, and through sockets made inside.
struct NamespaceView {
    /// Where its `net` is.
    let tables: String
    /// Where the host's own files are, `stat` for instance.
    let proc: String
    let option: NamespaceOption
    /// Where what is read of it is recorded, or comes from; nil, as usual: neither.
    let tape: SourceTape?

    /// ip-netns(8) keeps a file for each name here.
    private static let names = "/run/netns"

    init(_ option: NamespaceOption, proc: String, tape: SourceTape? = nil) {
        self.option = option
        self.proc = proc
        self.tape = tape
        tables =
            switch option {
            case .own: proc
            case .process(let number): "\(proc)/\(number)"
            case .named: "\(proc)/thread-self"
            }
    }

    /// What a person can do where there is no such namespace.
    var makingHint: String {
        guard case .process = option else { return "Make it with ip netns add, or correct the option netns." }
        return "There is no such process: correct the option netns, or name the namespace (ip netns attach)."
    }

    /// Whether tables can be read only from inside.
    var isEntered: Bool {
        if case .named = option { true } else { false }
    }

    /// Where the namespace itself is; nil where there is only a copy of its files.
    var path: String? {
        switch option {
        case .named(let name): "\(Self.names)/\(name)"
        case .process: "\(tables)/ns/net"
        case .own where proc == "/proc": NetworkNamespace.ownPath
        case .own:
            ["\(proc)/ns/net", "\(proc)/self/ns/net"].first { path in knows(path) { access(path, F_OK) == 0 } }
        }
    }

    /// The namespace to enter, or nil: the calling thread is in it.
    ///
    /// Throws ``NetlinkError``: ENOENT when there is none, EACCES when it may not be looked at.
    func open() throws(NetlinkError) -> NetworkNamespace? {
        guard let tape else { return try openOutside() }
        guard tape.mode == .recording else {
            let number = tape.number("namespace") { nil } ?? Int64(ENOENT)
            guard number == 0 else { throw NetlinkError(.open, Int32(truncatingIfNeeded: number)) }
            return nil
        }
        do throws(NetlinkError) {
            let namespace = try openOutside()
            _ = tape.number("namespace") { 0 }
            return namespace
        } catch {
            _ = tape.number("namespace") { Int64(error.number) }
            throw error
        }
    }

    private func openOutside() throws(NetlinkError) -> NetworkNamespace? {
        guard let path else { throw NetlinkError(.open, ENOENT) }
        if let own = NetworkNamespace.identity(path: NetworkNamespace.ownPath) {
            if own == NetworkNamespace.identity(path: path) { return nil }
        }
        return try NetworkNamespace(path: path)
    }

    /// The kernel's number of it; nil where it may not be looked at.
    var identity: UInt64? { path.flatMap(number) }

    private func number(_ path: String) -> UInt64? {
        guard let tape else { return NetworkNamespace.identity(path: path) }
        // A negative number is none.
        return tape.number(path) { NetworkNamespace.identity(path: path).flatMap(Int64.init(exactly:)) ?? -1 }
            .flatMap(UInt64.init(exactly:))
    }

    /// What `read` finds outside, or what was kept of it.
    func knows(_ key: String, _ read: () -> Bool) -> Bool {
        guard let tape else { return read() }
        return tape.number("is \(key)") { read() ? 1 : 0 } == 1
    }

    /// Why there are no tables; nil: there are.
    var tablesFailure: ReadFailure? {
        guard let tape else { return findTables() }
        let number = tape.number("tables") { findTables().map { Int64($0.number) } ?? 0 } ?? Int64(ENOENT)
        return number == 0 ? nil : ReadFailure(errno: Int32(truncatingIfNeeded: number))
    }

    private func findTables() -> ReadFailure? {
        let descriptor = Glibc.open("\(tables)/net", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor < 0 else {
            _ = close(descriptor)
            return nil
        }
        return ReadFailure(errno: errno)
    }

    /// Whether it is the namespace of that number still; nil: of one whose number may not be looked at.
    ///
    /// A name may be given to another namespace, a process may end: an open descriptor keeps the old one alive.
    func isStill(_ identity: UInt64?) -> Bool {
        guard option != .own else { return true }
        guard let identity else { return !lacksProcess }
        return identity == self.identity
    }

    /// Whether it is that of a process that is not there.
    var lacksProcess: Bool {
        guard case .process = option else { return false }
        return knows("no process") {
            access("\(tables)/net", F_OK) != 0 && errno == ENOENT && access("\(proc)/self", F_OK) == 0
        }
    }

    /// What is known of it, for the info series; nil where it is no namespace of this host.
    var information: [Attribute]? {
        guard let identity else { return nil }
        return [Attribute("sonde.netns", option.text), Attribute("sonde.netns.id", String(identity))]
            + (scope(identity).map { [Attribute("sonde.netns.scope", $0)] } ?? [])
    }

    /// `host`, `container` or `other`; nil where that is unknown.
    ///
    /// The first pid namespace has a fixed number (PROC_PID_INIT_INO, linux/proc_ns.h), the first network namespace only
    /// since Linux 6.18; on older kernels it takes the right to look at process 1.
    private func scope(_ identity: UInt64) -> String? {
        guard let processes = number("/proc/self/ns/pid") else { return nil }
        let isContained = processes != 0xefff_fffc
        let first = number("\(proc)/1/ns/net")
        if isContained { return first == nil || first == identity || option == .own ? "container" : "other" }
        if let first { return first == identity ? "host" : "other" }
        return identity == 0xefff_fff9 ? "host" : nil
    }
}

internal import Glibc
internal import SondeEngine

/// The programs that children are made of.
public struct ChildPrograms: Sendable {
    /// The supervisor's path.
    public let supervisor: String
    /// The path of the agent's own program, which is also the child's.
    public let child: String
    /// Where processes get their limits; nil: the supervisor looks what they use.
    let groups: ControlGroups?

    /// These programs.
    public init(supervisor: String, child: String, groups: ControlGroups? = nil) {
        (self.supervisor, self.child, self.groups) = (supervisor, child, groups)
    }

    /// How limits are kept; nil: there are none.
    func keeping(_ limits: ProcessLimits) -> LimitKeeping? {
        guard limits.memory != nil || limits.cpuShare != nil || limits.processes != nil else { return nil }
        return groups == nil ? .sampling : .controlGroup
    }

    func command(_ plugin: String, id: String, _ limits: ProcessLimits = ProcessLimits()) -> ChildCommand {
        ChildCommand(
            supervisor: supervisor, limits: limits, groups: groups, program: [child, ChildRunner.word, plugin, id])
    }

    func command(testing plugin: String, _ rule: PluginRule) -> ChildCommand {
        ChildCommand(supervisor: supervisor, program: [child, RuleChild.word, rule.rawValue, plugin])
    }

    /// Those beside the program that runs: the supervisor in its own directory, or in `../lib/sonde`; nil: there is none.
    public static var installed: ChildPrograms? {
        guard let own = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(own) }
        let path = String(cString: own)
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let folder = path[..<slash]
        let places = ["\(folder)/sonde-supervisor", "\(folder)/../lib/sonde/sonde-supervisor"]
        guard let supervisor = places.first(where: { access($0, X_OK) == 0 }) else { return nil }
        // The file of a program that runs may be replaced: what runs stays executable under its process.
        return ChildPrograms(
            supervisor: supervisor, child: access(path, X_OK) == 0 ? path : "/proc/\(getpid())/exe",
            groups: .inForce)
    }
}

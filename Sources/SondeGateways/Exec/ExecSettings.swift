internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// The options of one source or sink `exec`, checked.
struct ExecSettings {
    /// How a program runs.
    enum Mode: String, CaseIterable {
        /// Once per interval.
        case interval
        /// Kept running.
        case stream
    }

    /// The program's path and its arguments.
    let words: [String]
    let mode: Mode
    let format: ExecFormat
    /// How long a run, or the answer to a batch, may take; nil: as long as the call may.
    let timeout: Nanoseconds?
    /// `NAME=value`, beside what is inherited.
    let environment: [String]
    /// The numbers of the user that it runs as; nil: the agent's.
    let user: UserChange?
    /// What the program is sent, with `format: sonde`.
    let options: [Attribute]
    private let limits: ProcessLimits

    /// The settings of an instance; throws what does not fit together.
    ///
    /// Nothing is run.
    init(_ options: OptionValues, _ limits: ProcessLimits = ProcessLimits()) throws(SondeError) {
        self.limits = limits
        let values = options.values
        mode = values.string("mode").flatMap { Mode(rawValue: $0) } ?? .interval
        format = values.string("format").flatMap { ExecFormat(rawValue: $0) } ?? .json
        timeout = if case .duration(let time)? = values["timeout"] { time } else { nil }
        environment = values.list("env")
        self.options = values.map("options")
        let name = values.string("user") ?? ""
        user = name.isEmpty ? nil : try UserChange(to: name)
        if user?.isAnother == true { try ProcessVisibility.check(limits) }
        words = try Self.words(values.list("command"), isShell: values.bool("shell") ?? false)
        try Self.check(environment)
        try check(options)
        try checkProgram()
    }

    /// Refuses a program that another user could have written; before each start, since files change.
    func checkProgram() throws(SondeError) {
        do throws(SondeError) {
            try PluginFile(opening: words[0]).checkTrust(TrustRule(user: geteuid(), group: getegid()))
        } catch {
            throw error.ofProgram(words[0])
        }
        guard user != nil || access(words[0], X_OK) == 0 else {
            throw .programUnsuited(
                "command", "the program \(words[0]) cannot be executed by the agent's user",
                advice: "make it executable: chmod +x \(words[0])")
        }
    }

    /// The command of the program under its supervisor.
    func command(_ programs: ChildPrograms) -> ChildCommand {
        let own = Set(environment.compactMap { $0.split(separator: "=", maxSplits: 1).first })
        let inherited = ChildCommand.inherited.filter { entry in
            entry.split(separator: "=", maxSplits: 1).first.map { !own.contains($0) } ?? false
        }
        return ChildCommand(
            supervisor: programs.supervisor, limits: limits, groups: programs.groups, user: user?.numbers ?? "-",
            program: words, environment: inherited + environment)
    }

    private func check(_ options: OptionValues) throws(SondeError) {
        guard mode == .interval || !format.isOfARun else {
            throw .programUnsuited(
                "format", "the format '\(format.rawValue)' is read when a program has ended",
                advice: "write 'mode: interval', or another format")
        }
        guard self.options.isEmpty || format == .sonde else {
            throw .programUnsuited(
                "options", "only a program of 'format: sonde' can be sent options",
                advice: "write 'format: sonde', or put them into 'command' or 'env'")
        }
        guard mode == .interval || timeout == nil else {
            throw .programUnsuited(
                "timeout", "a program that is kept running has no timeout", advice: "remove 'timeout'")
        }
    }

    private static func words(_ command: [String], isShell: Bool) throws(SondeError) -> [String] {
        guard !isShell else {
            guard command.count == 1 else {
                throw .programUnsuited(
                    "command", "with 'shell: true' the command is one text for /bin/sh, not \(command.count) words",
                    advice: "write command: [\"…\"], or leave 'shell' out")
            }
            return ["/bin/sh", "-c", command[0]]
        }
        guard let program = command.first, program.hasPrefix("/") else {
            throw .programUnsuited(
                "command", "the command does not begin with the path of a program",
                advice: "write command: [/path/to/program, argument, …]; for a line of a shell set 'shell: true'")
        }
        return command
    }

    private static func check(_ environment: [String]) throws(SondeError) {
        for (index, entry) in environment.enumerated() {
            let name = entry.utf8.prefix { $0 != UInt8(ascii: "=") }
            let isName = name.enumerated().allSatisfy { offset, byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
                    true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): offset > 0
                default: false
                }
            }
            guard isName, !name.isEmpty, name.count < entry.utf8.count else {
                throw .programUnsuited(
                    "env[\(index)]", "an entry of 'env' is not of the form NAME=value",
                    advice: "write env: [NAME=value]")
            }
        }
    }
}

internal import Glibc
internal import SondeDomain

// What can go wrong with programs, as failures.
extension SondeError {
    static func programUnsuited(_ option: String, _ message: String, advice: String) -> SondeError {
        SondeError(
            .programUnsuited, stage: .start, class: .configuration, message: message, recovery: [.advise(advice)],
            optionPath: option)
    }

    /// The same refusal of a file, of a program and not of a plugin.
    func ofProgram(_ path: String) -> SondeError {
        let words = message.hasPrefix("plugin ") ? "program " + message.dropFirst("plugin ".count) : message
        let advice: [RecoveryAction] =
            code == .pluginUnreadable
            ? [.advise("correct the path, or install the program, readable for the agent")] : recovery
        return SondeError(
            code, stage: .start, class: .configuration, message: words, recovery: advice, optionPath: "command",
            cause: cause)
    }

    /// A program that ran once and did not end well.
    static func programFailed(_ status: Int32, component: String) -> SondeError {
        let signal = status & 0x7f
        let how =
            signal == 0
            ? "exited with status \((status >> 8) & 0xff)"
            : "was ended by signal \(signal), \(String(cString: strsignal(signal)))"
        return SondeError(
            .programFailed, stage: .collect, class: .transient, message: "the program \(how)",
            recovery: [.advise("look at what it wrote to standard error")], component: component)
    }

    static func programLate(_ what: String, after time: Nanoseconds, component: String) -> SondeError {
        SondeError(
            .programLate, stage: .collect, class: .transient,
            message: "the program \(what) after \(time.seconds) s and was killed",
            recovery: [.advise("raise 'timeout', or find out what it waits for")], component: component)
    }

    static func programWaited(component: String) -> SondeError {
        SondeError(
            .programLate, stage: .collect, class: .transient,
            message: "the program was not run: as many others as this host has processors ran all the time",
            recovery: [.advise("raise the interval of programs that take long, or use 'mode: stream'")],
            component: component)
    }

    static func programBroke(_ what: String, component: String) -> SondeError {
        SondeError(
            .programBrokeProtocol, stage: .collect, class: .transient, message: "the program \(what)",
            recovery: [.advise("report it to the program's author")], component: component)
    }

    static func outputUnreadable(_ flaw: OutputReader.Flaw, of count: UInt64, component: String) -> SondeError {
        let others = count > 1 ? "; \(count) lines in all" : ""
        return SondeError(
            .programOutputUnreadable, stage: .collect, class: .corruptInput,
            message: "line \(flaw.line) that the program printed cannot be read: \(flaw.reason)\(others)",
            recovery: [.advise("correct the program, or set the 'format' that it prints")], component: component)
    }
}

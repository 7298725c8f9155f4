internal import SondeDomain
internal import SondeEngine

/// What a plugin says when it fails.
enum ErrorRules {
    private static let messageLimit = 511

    static func typed(_ subject: RuleSubject) throws(RuleEnd) {
        var failures: [SondeError] = []
        let starved = try subject.expecting("create") { () throws(SondeError) in try subject.make() }
        DescriptorShortage.during { note(&failures) { () throws(SondeError) in try starved.start() } }
        let instance = try subject.started()
        let timer = try subject.expecting("a timer") { () throws(SondeError) in try Timer() }
        timer.arm(at: SystemClock().monotonicTime.advanced(by: .seconds(2)))
        let conditions = TestInstance.conditions(cancel: timer.descriptor.raw, limit: .seconds(2))
        DescriptorShortage.during { note(&failures) { () throws(SondeError) in try instance.call(conditions) } }
        withExtendedLifetime(timer) {}
        for option in subject.descriptor.options where option.type == .string {
            var values = subject.options.values
            let text = String(repeating: "é", count: 2_000)
            values[option.key] = option.isSecret ? .secret(Secret(text)) : .string(text)
            note(&failures) { () throws(SondeError) in _ = try subject.make(OptionValues(values)) }
        }
        for failure in failures {
            if let flaw = flaw(of: failure, subject.descriptor) { throw .failed(flaw) }
        }
    }

    private static func note(_ failures: inout [SondeError], _ body: () throws(SondeError) -> Void) {
        do throws(SondeError) { try body() } catch { failures.append(error) }
    }

    /// What is wrong with an error; nil: nothing.
    static func flaw(of error: SondeError, _ descriptor: PluginDescriptor) -> String? {
        let code = error.code.text
        if error.code == .pluginErrorUnnamed { return "an error has no code: \(error.message)" }
        if error.code == .pluginContractBroken || error.code == .pluginOverstays { return error.shown }
        guard descriptor.errors.contains(where: { $0.code == code }) else {
            return "the code of an error is not in the description: \(error.shown)"
        }
        if error.failureClass == .programmer { return "the class of an error is programmer, or none: \(error.shown)" }
        if error.message == SondeError.noReason { return "\(code) has no message" }
        if error.message.utf8.count > messageLimit { return "the message of \(code) fills its field without an end" }
        if error.message.contains("\u{FFFD}") { return "the message of \(code) is cut within a character, or no UTF-8" }
        return nil
    }
}

internal import CSondePlugin
internal import SondeDomain
internal import SondeEngine

/// What a plugin says of itself, beyond what loading refuses.
enum DescriptionRules {
    private static let codeLimit = 23

    static func description(_ subject: RuleSubject) throws(RuleEnd) {
        guard !subject.descriptor.summary.contains(where: \.isNewline) else {
            throw .failed("the summary has more than one line")
        }
    }

    static func stable(_ subject: RuleSubject) throws(RuleEnd) {
        guard let object = subject.plugin as? ObjectPlugin else {
            throw .skipped("it describes itself once in each process")
        }
        let first = object.description
        for _ in 0..<3 {
            let again = try subject.expecting("describe") { () throws(SondeError) in
                [UInt8](try object.table.description(path: object.path))
            }
            guard again == first else { throw .failed("two calls of describe returned different texts") }
        }
    }

    static func options(_ descriptor: PluginDescriptor) throws(RuleEnd) {
        let common = descriptor.kind == .source ? ConfigurationSchema.source : ConfigurationSchema.sink
        let taken = Set((common + ConfigurationSchema.identity).map { String($0.key.prefix { $0 != "." }) })
        for option in descriptor.options {
            guard !taken.contains(String(option.key.prefix { $0 != "." })) else {
                throw .failed("the option '\(option.key)' has a key of the agent itself")
            }
            try check(option)
            guard case .entries(let members) = option.type else { continue }
            for member in members { try check(member) }
        }
    }

    private static func check(_ option: OptionDefinition) throws(RuleEnd) {
        guard option.help.contains(where: { !$0.isWhitespace }) else {
            throw .failed("the option '\(option.key)' has no help")
        }
        if let text = option.defaultText {
            guard !option.isRequired else { throw .failed("the option '\(option.key)' is required and has a default") }
            guard DefaultText.value(of: text, option) != nil else {
                throw .failed("the default '\(text)' of the option '\(option.key)' does not fit its type or range")
            }
        }
        guard let text = option.example else { return }
        if case .entries = option.type { return }
        guard DefaultText.value(of: text, option) != nil else {
            throw .failed("the example '\(text)' of the option '\(option.key)' does not fit its type or range")
        }
    }

    static func errors(_ descriptor: PluginDescriptor) throws(RuleEnd) {
        var codes: Set<String> = []
        for error in descriptor.errors {
            let isCode =
                error.code.utf8.count <= codeLimit
                && error.code.utf8.allSatisfy {
                    (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
                }
            guard isCode else {
                throw .failed("the code '\(error.code)' is not at most \(codeLimit) capitals, digits, - and _")
            }
            guard codes.insert(error.code).inserted else { throw .failed("the code \(error.code) is declared twice") }
            guard !error.meaning.isEmpty, !error.recovery.isEmpty else {
                throw .failed("\(error.code) has no meaning or no recovery")
            }
        }
    }
}

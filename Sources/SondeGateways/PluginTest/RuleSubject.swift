internal import SondeDomain
internal import SondeEngine

/// A plugin in the process of one rule, with the options that its sample has.
///
/// Any form of plugin can be one: rules ask nothing but ``SondeEngine/LoadedPlugin``, the few apart that are about the
/// structs of the contract.
final class RuleSubject {
    let plugin: any LoadedPlugin
    let options: OptionValues
    // What was destroyed stays in memory: a plugin that calls its host after that shall be seen, not crash.
    private var kept: [AnyObject] = []

    init(_ plugin: any LoadedPlugin, _ options: OptionValues) {
        (self.plugin, self.options) = (plugin, options)
    }

    var descriptor: PluginDescriptor { plugin.descriptor }

    /// Makes an instance, with other options than those of the sample where some are given.
    func make(_ options: OptionValues? = nil, id: String = "test") throws(SondeError) -> TestInstance {
        let instance = try makeUnkept(options, id: id)
        keep(instance)
        return instance
    }

    /// Keeps an instance until the process ends, destroyed or not.
    func keep(_ instance: AnyObject) { kept.append(instance) }

    /// Makes an instance that is freed once it is closed.
    func makeUnkept(_ options: OptionValues? = nil, id: String = "test") throws(SondeError) -> TestInstance {
        let services = TestServices()
        let options = options ?? self.options
        switch descriptor.kind {
        case .source:
            return TestInstance(
                .source(try plugin.makeSource(id: id, options: options, services: services)), services)
        case .sink:
            return TestInstance(.sink(try plugin.makeSink(id: id, options: options, services: services)), services)
        }
    }

    /// An instance that was started.
    func started() throws(RuleEnd) -> TestInstance {
        try expecting("an instance of the sample") { () throws(SondeError) in
            let instance = try make()
            try instance.start()
            return instance
        }
    }

    /// What `body` returns; its failure is one of the rule.
    func expecting<Result>(_ what: String, _ body: () throws(SondeError) -> Result) throws(RuleEnd) -> Result {
        do throws(SondeError) {
            return try body()
        } catch {
            throw .failed("\(what): \(error.shown)")
        }
    }
}

extension SondeError {
    /// In one line, for a report.
    var shown: String {
        "\(code): \(message)" + (optionPath.map { " (option '\($0)')" } ?? "")
    }
}

import SondeDomain
import SondeEngine
import Testing

@Suite struct ConfigurationChangeTests {
    private static let files = ["procnet": "/plugins/procnet.so", "http": "/plugins/http.so"]

    private static func source(_ id: String) -> SourceConfiguration {
        SourceConfiguration(
            id: id, plugin: "procnet", interval: .seconds(10), labels: [Attribute("rack", "7")],
            options: OptionValues(["proc": .string("/proc")]))
    }

    private static func sink(_ id: String) -> SinkConfiguration {
        SinkConfiguration(id: id, plugin: "http", options: OptionValues(["auth.bearer": .secret(Secret("old"))]))
    }

    private static var before: AgentConfiguration {
        var agent = AgentSettings()
        agent.labels = [Attribute("site", "fra1"), Attribute("rack", "0")]
        return AgentConfiguration(
            agent: agent, sources: [source("kernel"), source("other")], sinks: [sink("central"), sink("local")])
    }

    private static func change(
        _ files: [String: String] = Self.files,
        _ edit: (inout AgentConfiguration) -> Void
    ) -> ConfigurationChange {
        var after = before
        edit(&after)
        return ConfigurationChange(
            from: CheckedConfiguration(before, pluginFiles: Self.files),
            to: CheckedConfiguration(after, pluginFiles: files))
    }

    @Test func theSameConfigurationChangesNothing() {
        let change = Self.change { _ in }
        #expect(change.isEmpty)
        #expect(change.sources.kept == ["kernel", "other"])
        #expect(change.sinks.kept == ["central", "local"])
    }

    @Test func marksAndTheOrderOfLabelsMeanNothing() {
        let change = Self.change { next in
            let mark = SourceMark(file: "a.yaml", line: 9, column: 1)
            next.sources[0].marks = ["": mark]
            next.sources[0].options = OptionValues(["proc": .string("/proc")], marks: ["proc": mark])
            next.agent.labels.reverse()
            next.agent.marks = ["labels": mark]
        }
        #expect(change.isEmpty)
    }

    @Test func instancesComeAndGoById() {
        let change = Self.change { next in
            next.sources.removeFirst()
            next.sources.insert(Self.source("new"), at: 0)
            next.sinks.swapAt(0, 1)
        }
        #expect(change.sources.added == ["new"])
        #expect(change.sources.removed == ["kernel"])
        #expect(change.sources.kept == ["other"])
        #expect(change.sinks.isEmpty)
    }

    @Test(
        arguments: [
            { $0.plugin = "dnslog" }, { $0.interval = .seconds(1) }, { $0.labels = [] },
            { $0.seriesLimit = 7 },
            { $0.options = OptionValues(["proc": .string("/host/proc")]) },
        ] as [@Sendable (inout SourceConfiguration) -> Void])
    func whateverASourceWorksWithMakesItAnotherOne(_ edit: @Sendable (inout SourceConfiguration) -> Void) {
        let change = Self.change { edit(&$0.sources[1]) }
        #expect(change.sources.changed == ["other"])
        #expect(change.sources.kept == ["kernel"])
    }

    @Test(
        arguments: [
            { $0.plugin = "file" }, { $0.batch.samples = 7 }, { $0.batch.bytes = 7 },
            { $0.batch.wait = .seconds(9) }, { $0.retry.base = .seconds(9) }, { $0.retry.cap = .seconds(9) },
            { $0.onAuthError = .reject },
            { $0.deadLetterMaxBytes = 0 }, { $0.send = .snapshots }, { $0.metrics.exclude = ["a*"] },
            { $0.metrics.include = ["a*"] },
            { $0.options = OptionValues(["auth.bearer": .secret(Secret("new"))]) },
        ] as [@Sendable (inout SinkConfiguration) -> Void])
    func whateverASinkWorksWithMakesItAnotherOneASecretToo(_ edit: @Sendable (inout SinkConfiguration) -> Void) {
        let change = Self.change { edit(&$0.sinks[0]) }
        #expect(change.sinks.changed == ["central"])
        #expect(change.sinks.kept == ["local"])
    }

    @Test func aPluginFromAnotherFileIsAnotherPlugin() {
        let change = Self.change(["procnet": "/opt/procnet.so", "http": "/plugins/http.so"]) { _ in }
        #expect(change.sources.changed == ["kernel", "other"])
        #expect(change.sinks.isEmpty)
    }

    @Test func anIdThatGoesOverToTheOtherSideLeavesTheOne() {
        let change = Self.change { next in
            next.sources.removeFirst()
            next.sinks.append(Self.sink("kernel"))
        }
        #expect(change.sources.removed == ["kernel"])
        #expect(change.sinks.added == ["kernel"])
    }

    @Test func aLabelOfTheAgentChangesNoSource() {
        let agent = Self.change { $0.agent.labels[0] = Attribute("site", "ams2") }
        #expect(agent.sources.isEmpty && agent.fixedKeys.isEmpty)
        #expect(agent.liveKeys == ["labels"])
        let own = Self.change { $0.sources[0].labels = [Attribute("rack", "8")] }
        #expect(own.sources.changed == ["kernel"])
    }

    @Test func whatTheAgentCanChangeAtOnceNeedsNoInstance() {
        let change = Self.change { next in
            next.agent.logLevel = .debug
            next.agent.logFormat = .json
            next.agent.shutdownGrace = .seconds(1)
        }
        #expect(change.liveKeys == ["shutdown_grace", "log.level", "log.format"])
        #expect(change.sources.isEmpty && change.sinks.isEmpty && !change.isEmpty)
    }

    private struct FixedKey: Sendable {
        let name: String
        let edit: @Sendable (inout AgentSettings) -> Void

        init(_ name: String, _ edit: @escaping @Sendable (inout AgentSettings) -> Void) {
            self.name = name
            self.edit = edit
        }
    }

    private static let fixedKeys = [
        FixedKey("host") { $0.host = "other" }, FixedKey("state_dir") { $0.stateDirectory = "/other" },
        FixedKey("control_socket") { $0.controlSocket = .none },
        FixedKey("control_group") { $0.controlGroup = "netops" },
        FixedKey("spool.max_bytes") { $0.spoolMaxBytes = 1 },
        FixedKey("spool.max_age") { $0.spoolMaxAge = .seconds(1) }, FixedKey("spool.min_free") { $0.spoolMinFree = 1 },
        FixedKey("spool.sync") { $0.spoolSync = .always }, FixedKey("spool.overflow") { $0.overflow = .dropNewest },
        FixedKey("history.max_bytes") { $0.historyMaxBytes = 1 },
    ]

    @Test func whatHoldsForTheLifeOfTheProcessIsNamed() {
        for key in Self.fixedKeys {
            let change = Self.change { key.edit(&$0.agent) }
            #expect(change.fixedKeys == [key.name])
            #expect(!change.isEmpty)
        }
    }
}

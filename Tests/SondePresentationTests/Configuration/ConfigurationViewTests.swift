import SondeDomain
import SondeEngine
import SondeGateways
import SondePresentation
import SondeTestKit
import Testing

@Suite struct ConfigurationViewTests {
    private func load(_ text: String) throws -> AgentConfiguration {
        let files = FakeFileReader(texts: ["sonde.yaml": text, "/run/token": "s3cret"])
        let loaded = ConfigurationLoader(
            catalog: { _ in FakePluginCatalog.standard() }, files: files,
            environment: FakeEnvironmentReader(["NAME": "value", "SIZE": "10kB"])
        ).load(ConfigurationFiles("sonde.yaml", files: files))
        #expect(loaded.problems == [])
        return try #require(loaded.configuration)
    }

    private func show(_ configuration: AgentConfiguration) -> String {
        ConfigurationView.text(ConfigurationState(configuration))
    }

    private static let full = """
        version: 1
        agent:
          interval: 1m30s
          labels: { site: fra1, "a b": "x: ${env:NAME}", empty: "", cost: "$${env:NAME}" }
          host: "no"
          state_dir: /var/lib/sonde
          control_socket: /run/sonde/a b.sock
          plugin_dirs: ["/srv/my plugins", /b]
          log: { format: json }
        sources:
          - id: all
            plugin: every
            labels: { a: b }
            text: "tab\\t quote\\" back\\\\ nul-free \\u2028 \\u00e9 $${x"
            word: red
            flag: true
            count: 7
            ratio: 0.125
            span: 1h1ms
            bytes: 10kB
            hosts: ["", "1.5", true, "- x"]
            pairs: { "true": "5" }
            deep: { er: { text: "~" } }
          - { id: kernel, plugin: procnet }
        sinks:
          - id: central
            plugin: http
            url: https://h/
            auth: { bearer: "${file:/run/token}" }
            headers: { Authorization: s3cret, X-Site: fra1 }
            batch: { wait: 5s }
            send: [metrics, snapshots]
            metrics: { include: ["system.*"] }
          - { id: disk, plugin: file, path: /srv/a b, rotate: { size: 1500 } }

        """

    @Test func whatIsShownLoadsAsTheSame() throws {
        let original = try load(Self.full)
        let again = try load(show(original))
        #expect(again.agent.interval == original.agent.interval)
        #expect(again.agent.labels == original.agent.labels)
        #expect(again.agent.host == "no")
        #expect(again.agent.controlSocket == .path("/run/sonde/a b.sock"))
        #expect(again.agent.pluginDirectories == original.agent.pluginDirectories)
        #expect(again.sources.map(\.interval) == original.sources.map(\.interval))
        #expect(again.sources.map(\.labels) == original.sources.map(\.labels))
        #expect(again.sources.map(\.options.values) == original.sources.map(\.options.values))
        #expect(again.sinks.map(\.batch) == original.sinks.map(\.batch))
        #expect(again.sinks.map(\.send) == original.sinks.map(\.send))
        #expect(again.sinks.map(\.metrics) == original.sinks.map(\.metrics))
        #expect(again.sinks[1].options.values == original.sinks[1].options.values)
        #expect(Set(again.sinks[0].options.values.keys) == Set(original.sinks[0].options.values.keys))
    }

    @Test func secretsAreMasked() throws {
        let text = show(try load(Self.full))
        #expect(!text.contains("s3cret"))
        #expect(text.contains("bearer: \"***\"\n"))
        #expect(text.contains("headers: { Authorization: \"***\", X-Site: fra1 }\n"))
    }

    @Test func whatReferencesHoldIsNotShown() throws {
        let original = try load(
            """
            version: 1
            sources:
              - id: all
                plugin: every
                text: "a ${file:/run/token} $${b}"
                hosts: [plain, "${env:NAME}"]
                bytes: ${env:SIZE}
                pairs: { X-Custom: "${file:/run/token}", X-License-Key: literal, X-Site: fra1 }
            sinks:
              - id: central
                plugin: http
                url: https://h/in?org=main&api_key=literal
                auth: { bearer: x }
            """)
        let text = show(original)
        #expect(!text.contains("s3cret") && !text.contains("value") && !text.contains("literal"))
        #expect(text.contains("text: \"a ${file:/run/token} $${b}\"\n"))
        #expect(text.contains("hosts: [plain, \"${env:NAME}\"]\n"))
        #expect(text.contains("bytes: 10kB\n"))
        let pairs = "{ X-Custom: \"${file:/run/token}\", X-License-Key: \"***\", X-Site: fra1 }"
        #expect(text.contains("pairs: \(pairs)\n"))
        #expect(text.contains("url: \"https://h/in?org=main&api_key=***\"\n"))
        let again = try load(text)
        #expect(again.sources[0].options.values["text"] == original.sources[0].options.values["text"])
        #expect(again.sources[0].options.values["hosts"] == original.sources[0].options.values["hosts"])
    }

    @Test func listsOfMappingsAreShownOnOneLineAndLoadAsTheSame() throws {
        let text = """
            version: 1
            sources:
              - id: all
                plugin: every
                targets:
                  - { host: "a b", token: "${file:/run/token}", tags: [x, "1"] }
                  - { host: "${env:NAME}", port: 7 }
            sinks: [{ id: console, plugin: stdout }]
            """
        let original = try load(text)
        let shown = show(original)
        let line =
            "targets: [{ host: \"a b\", port: 53, tags: [x, \"1\"], token: \"***\" }, "
            + "{ host: \"${env:NAME}\", port: 7 }]\n"
        #expect(shown.contains(line), "\(shown)")
        #expect(!shown.contains("s3cret") && !shown.contains("value"))
        let again = try load(shown)
        #expect(again.sources[0].options.values["targets"] == .entries(2))
        #expect(again.sources[0].options.values["targets[1].port"] == .integer(7))
        #expect(again.sources[0].options.values["targets[1].host"] == .string("value"))
        #expect(show(again).contains(line))
    }

    @Test func showingTwiceShowsTheSame() throws {
        let configuration = try load(Self.full)
        #expect(show(configuration) == show(configuration))
        let again = try load(show(configuration))
        let third = try load(show(again))
        #expect(show(third) == show(again))
    }

    @Test func defaultsAreMarked() throws {
        let text = show(
            try load(
                """
                version: 1
                agent: { interval: 5s, log: { level: debug } }
                sources: [{ id: kernel, plugin: procnet, proc: /host/proc }]
                sinks: [{ id: console, plugin: stdout }]
                """))
        #expect(
            text == """
                version: 1
                agent:
                  interval: 5s
                  labels: {}  # default
                  # host: the machine's own name
                  # state_dir: nothing is kept over a restart
                  # control_socket: sonde.sock in the runtime directory
                  # control_group: only root and the agent's own user may ask
                  plugin_dirs: []  # default
                  shutdown_grace: 10s  # default
                  log:
                    level: debug
                    format: text  # default
                  spool:
                    # max_bytes: 256MiB on disk, 16MiB in memory
                    max_age: 7d  # default
                    # min_free: the smaller of 5 % and 100MiB
                    sync: interval  # default
                    overflow: drop_oldest  # default
                  history:
                    max_bytes: 38MiB  # default
                sources:
                  - id: kernel
                    plugin: procnet
                    interval: 5s  # from agent
                    labels: {}  # default
                    level: core  # default
                    # series_limit: the plugin's, else 50000
                    # isolation: in_process for the agent's own plugins but pcap and drops, process for others
                    # sandbox: on for pcap, drops and others that are made for it
                    limits:
                      # memory: no bound
                      # cpu_share: no bound
                      # processes: no bound
                      # files: the agent's
                    proc: /host/proc
                    tables: [dev, snmp]  # default
                sinks:
                  - id: console
                    plugin: stdout
                    batch:
                      samples: 5000  # default
                      bytes: 1MiB  # default
                      # wait: 1s for a durable sink, 200ms for a live one
                    retry:
                      base: 1s  # default
                      cap: 1m  # default
                    on_auth_error: hold  # default
                    dead_letter:
                      max_bytes: 64MiB  # default
                    # send: what the plugin prefers
                    metrics:
                      include: []  # default
                      exclude: []  # default
                    # isolation: in_process for the agent's own plugins but pcap and drops, process for others
                    prefix: ""  # default
                    relabel:
                      keep: {}  # default
                      drop: {}  # default
                      rename: {}  # default
                      remove: []  # default
                      add: {}  # default
                    # max_series: no bound
                    # max_sample_age: no bound
                    limits:
                      # memory: no bound
                      # cpu_share: no bound
                      # processes: no bound
                      # files: the agent's
                    color: auto  # default
                    format: table  # default

                """)
    }
}

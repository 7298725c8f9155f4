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
        ConfigurationView(ConfigurationState(configuration)).text
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

    @Test func referencesInKeysOfTheAgentAreNotShownResolved() throws {
        let text = show(
            try load(
                """
                version: 1
                agent: { host: "${env:NAME}", labels: { a: "x ${env:NAME}" }, plugin_dirs: ["/${env:NAME}"] }
                sources: [{ id: kernel, plugin: procnet, labels: { b: "${env:NAME}" } }]
                sinks: [{ id: console, plugin: stdout }]
                """))
        #expect(!text.contains("value"))
        #expect(text.contains("  labels: { a: \"x ${env:NAME}\" }\n  host: \"${env:NAME}\"\n"))
        #expect(text.contains("    labels: { b: \"${env:NAME}\" }\n"))
    }

    @Test func everyValueHasItsOrigin() throws {
        let files = FakeFileReader(texts: [
            "sonde.yaml": """
            version: 1
            agent:
              interval: 5s
              labels: { site: fra1 }
            sources:
              - id: all
                plugin: every
                hosts: [a, "${env:NAME}"]
                bytes: ${env:SIZE}
                targets: [{ host: "${env:NAME}" }]
              - { id: off, plugin: every, enabled: false }
            sinks:
              - { id: central, plugin: http, url: https://h/, auth: { bearer: "${file:/run/token}" } }
            """,
            "conf.d/10.yaml": "agent:\n  interval: 6s\n  labels: { \"a b\": \"${host:name}\" }\n",
            "conf.d/20.yaml": "agent:\n\n  interval: 7s\n",
            "conf.d/30.yaml": "when: { host: \"db-*\" }\nagent: { interval: 8s }\n", "/run/token": "s3cret",
        ])
        let loaded = ConfigurationLoader(
            catalog: { _ in FakePluginCatalog.standard() }, files: files,
            environment: FakeEnvironmentReader(["NAME": "value", "SIZE": "10kB"]),
            host: FakeHostReader()
        ).load(ConfigurationFiles("sonde.yaml", files: files))
        #expect(loaded.problems == [])
        let configuration = try #require(loaded.configuration)
        let text = ConfigurationView(ConfigurationState(configuration, loaded.provenance), .origins).text
        #expect(
            text.hasPrefix(
                """
                # On host 'web-1', from:
                #   sonde.yaml
                #   conf.d/10.yaml
                #   conf.d/20.yaml
                #   conf.d/30.yaml
                version: 1
                agent:
                  interval: 7s  # conf.d/20.yaml:3, in place of sonde.yaml:3 conf.d/10.yaml:2
                  labels:
                    site: fra1  # sonde.yaml:4
                    "a b": "${host:name}"  # conf.d/10.yaml:3, from ${host:name}
                  # host: the machine's own name  # default

                """))
        for line in [
            "  - id: all  # sonde.yaml:6", "    plugin: every  # sonde.yaml:7",
            "    interval: 7s  # from agent, conf.d/20.yaml:3, in place of sonde.yaml:3 conf.d/10.yaml:2",
            "    labels: {}  # default", "    hosts: [a, \"${env:NAME}\"]  # sonde.yaml:8, from ${env:NAME}",
            "    bytes: 10kB  # sonde.yaml:9, from ${env:SIZE}",
            "    targets: [{ host: \"${env:NAME}\", port: 53 }]  # sonde.yaml:10, from ${env:NAME}",
            "      bearer: \"***\"  # sonde.yaml:13, from ${file:/run/token}",
            "    url: \"https://h/\"  # sonde.yaml:13",
        ] { #expect(text.contains("\n\(line)\n"), "\(line)\n\(text)") }
        #expect(
            text.hasSuffix(
                """
                # Left out on host 'web-1':
                #   conf.d/30.yaml:1: the file: 'when' wants host 'db-*'
                #   sonde.yaml:11: source 'off': 'enabled' is false

                """))
        // It is a configuration, and means the same.
        let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }
        #expect(lines.allSatisfy { $0.contains("  # ") || $0.hasSuffix(":") || $0 == "version: 1" })
        let again = try load(text.replacing("${host:name}", with: "web-1"))
        #expect(again.agent.interval == configuration.agent.interval)
        #expect(again.sources.map(\.options.values) == configuration.sources.map(\.options.values))
    }

    @Test func everyLineWithAValueOfADefaultSaysSo() throws {
        let loaded = try load(
            "version: 1\nsources: [{ id: a, plugin: every }]\nsinks: [{ id: console, plugin: stdout }]\n")
        let text = ConfigurationView(ConfigurationState(loaded), .origins).text
        for line in text.split(separator: "\n")
        where line.contains(": ") && !line.contains("version") && !line.contains("'") {
            #expect(
                line.hasSuffix("default") || line.hasSuffix("# sonde.yaml:2") || line.hasSuffix("# sonde.yaml:3"),
                "\(line)")
        }
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
                  remote:
                    # url: there is none
                    # public_key: required with `url`
                    interval: 5m  # default
                    probation: 5m  # default
                    timeout: 30s  # default
                    max_bytes: 256KiB  # default
                    # ca_file: the system's certificates
                    # proxy: none
                    auth:
                      # bearer: none
                  limits:
                    # cpu: no bound
                    # memory: no bound
                    # disk: the bounds of the spool, the history and the dead letters together
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

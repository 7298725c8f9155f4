private typealias Fixture = ConfigurationFixture

extension ConfigurationProblemTests.Case {
    static let components: [Self] = [
        Self(
            Fixture.head + Fixture.sink + "sources: { id: a }\n",
            "3:10 SND-CFG013 'sources' must be a list, not a mapping; write '- id: …' for each source"),
        Self(
            Fixture.head + Fixture.sink + "sources: [kernel]\n",
            "3:11 SND-CFG013 a source must be a mapping, not a single value; write '- id: …'"),
        Self(
            Fixture.head + Fixture.sink + "sources: [{ plugin: procnet }]\n",
            "3:11 SND-CFG011 source (procnet) has no 'id'"),
        Self(
            Fixture.head + Fixture.sink + "sources: [{ id: a }]\n",
            "3:11 SND-CFG011 source 'a' has no 'plugin'"),
        Self(
            Fixture.head + Fixture.sink + "sources: [{ id: A, plugin: procnet }]\n",
            "3:17 SND-CFG021 'A' is no id; "
                + "use 1 to 64 of a-z, 0-9, '_', '.' and '-', beginning with a letter or digit"),
        Self(
            Fixture.head + Fixture.sink + "sources: [{ id: console, plugin: procnet }]\n",
            "3:17 SND-CFG022 the id 'console' is given twice; it is already at sonde.yaml:2:15; "
                + "ids are unique over sources and sinks"),
        Self(
            Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: procnett }]\n",
            "3:28 SND-CFG023 there is no plugin 'procnett'; did you mean 'procnet'?"),
        Self(
            Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: snmp }]\n",
            "3:28 SND-CFG023 there is no plugin 'snmp'; there are 'every', 'file', 'http', 'procnet' and 'stdout'"),
        Self(
            Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: http }]\n",
            "3:28 SND-CFG024 plugin 'http' is a sink, not a source; move this entry to 'sinks'"),
        Self(
            Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: procnet, enabled: false }]\n",
            "3:1 SND-CFG025 no source is enabled; add one to 'sources'"),
        Self(
            Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: procnet, labels: { job: x, __a: y, ok: z } }]\n",
            "3:52 SND-CFG033 'job' cannot be a label: receivers have one of that name; choose another name",
            "3:60 SND-CFG033 '__a' cannot be a label: receivers have one of that name; choose another name"),
        Self(
            Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: procnet, enabled: no }]\n",
            "3:46 SND-CFG015 'enabled' must be true or false, not 'no'; write true or false"),
        Self(
            Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: procnet, limits: { memory: 1MiB } }]\n",
            "3:55 SND-CFG018 'limits.memory' must be between 4MiB and 1TiB, not '1MiB'"),
        Self(
            Fixture.head + Fixture.source + "sinks: [{ id: a, plugin: stdout, isolation: process }]\n",
            "3:45 SND-CFG019 'isolation' of a sink 'stdout' must be in_process: in a process of its own, standard output "
                + "is the agent's log; remove it"),
        Self(
            Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: procnet, procc: /x }]\n",
            "3:37 SND-CFG012 unknown key 'procc' in source 'a' (procnet); did you mean 'proc'?"),
        Self(
            Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: procnet, idd: /x }]\n",
            "3:37 SND-CFG012 unknown key 'idd' in source 'a' (procnet); did you mean 'id'?"),
        Self(
            Fixture.head + Fixture.source + "sinks: [{ id: a, plugin: http }]\n",
            "3:9 SND-CFG011 sink 'a' (http) has no 'url'"),
        Self(
            Fixture.head + Fixture.source + "sinks: [{ id: a, plugin: file, path: x, rotate: { kep: 1 } }]\n",
            "3:51 SND-CFG012 unknown key 'rotate.kep' in sink 'a' (file); did you mean 'keep'?"),
        Self(
            Fixture.head + Fixture.sink + "sources: [{ id: agent, plugin: procnet }, { id: sonde, plugin: every }]\n",
            "3:17 SND-CFG021 the id 'agent' is the agent's own; "
                + "failures and losses of the agent stand under it: choose another id",
            "3:49 SND-CFG021 the id 'sonde' is the agent's own; "
                + "failures and losses of the agent stand under it: choose another id"),
        Self(
            Fixture.head + Fixture.source
                + "sinks: [{ id: a, plugin: file, path: /var/x }, { id: b, plugin: file, path: //var/./x }]\n",
            "3:77 SND-CFG035 sinks 'a' and 'b' both write to '/var/x'; "
                + "keep one of them, or give each its own output"),
        Self(
            Fixture.head + Fixture.source + "sinks: [{ id: a, plugin: stdout }, { id: b, plugin: stdout }]\n",
            "3:53 warning SND-CFG035 sinks 'a' and 'b' both write to 'standard output'; "
                + "keep one of them, or give each its own output"),
        Self(
            Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: procnet }, { id: b, plugin: procnet }]\n",
            "3:39 warning SND-CFG034 sources 'a' and 'b' are of one plugin (procnet) and have the same labels: "
                + "receivers cannot distinguish their series; give each its own label, like labels: { part: b }"),
        Self(
            Fixture.head + "agent: { labels: { x: y } }\n" + Fixture.sink
                + "sources: [{ id: a, plugin: procnet, labels: { x: y, n: m } }, "
                + "{ id: b, plugin: procnet, labels: { n: m } }]\n",
            "4:63 warning SND-CFG034 sources 'a' and 'b' are of one plugin (procnet) and have the same labels: "
                + "receivers cannot distinguish their series; give each its own label, like labels: { part: b }"),
        Self(
            Fixture.http("on_auth_error: drop"),
            "7:20 SND-CFG019 'on_auth_error' must be 'hold' or 'reject', not 'drop'"),
        Self(
            Fixture.http("dead_letter: { max_byte: 1MiB }"),
            "7:20 SND-CFG012 unknown key 'dead_letter.max_byte' in sink 'central' (http); did you mean 'max_bytes'?"),
        Self(
            Fixture.http("batch: { samples: 0 }"),
            "7:23 SND-CFG018 'batch.samples' must be between 1 and 1000000, not '0'"),
        Self(
            Fixture.http("batch: { samples: 5e3 }"),
            "7:23 SND-CFG015 'batch.samples' must be a whole number, not '5e3'"),
        Self(
            Fixture.http("batch: { sample: 1 }"),
            "7:14 SND-CFG012 unknown key 'batch.sample' in sink 'central' (http); did you mean 'samples'?"),
        Self(
            Fixture.http("retry: { base: 10s, cap: 5s }"),
            "7:30 SND-CFG018 'retry.cap' (5s) is shorter than 'retry.base' (10s)"),
        Self(
            Fixture.http("send: metrics"),
            "7:11 SND-CFG013 'send' must be a list, not a single value; write [a, b] or one '- a' per line"),
        Self(
            Fixture.http("send: [metric]"),
            "7:12 SND-CFG019 'send' takes 'metrics' and 'snapshots', not 'metric'; did you mean 'metrics'?"),
        Self(
            Fixture.http("send: []"),
            "7:11 SND-CFG014 'send' is empty; write [metrics], [snapshots] or both, or set 'enabled: false'"),
        Self(
            Fixture.http("metrics: { include: [\"\"] }"),
            "7:26 SND-CFG033 a glob in 'metrics.include' is empty and matches nothing"),
        Self(
            Fixture.http("tls: { ca_fil: /x }"),
            "7:12 SND-CFG012 unknown key 'tls.ca_fil' in sink 'central' (http); did you mean 'ca_file'?"),
        Self(
            Fixture.http("tls: true"),
            "7:10 SND-CFG013 'tls' must be a mapping, not a single value; "
                + "its keys are 'cert_file', 'key_file', 'ca_file' and 'min_version'"),
        Self(
            Fixture.http("auth: { bearer: [a] }"),
            "7:21 SND-CFG013 'auth.bearer' must be a single value, not a list"),
        Self(
            Fixture.http("auth.bearer: abc"),
            "7:5 SND-CFG012 unknown key 'auth.bearer' in sink 'central' (http); "
                + "write 'auth:' and the rest of the key below it"),
    ]
}

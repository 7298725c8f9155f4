private typealias Fixture = ConfigurationFixture

extension ConfigurationProblemTests.Case {
    static let files: [Self] = [
        Self(
            "",
            "1:1 SND-CFG009 the configuration has no 'version'; write 'version: 1' in the first line",
            "1:1 SND-CFG025 no source is enabled; add one to 'sources'",
            "1:1 SND-CFG025 no sink is enabled; add one to 'sinks'"),
        Self(
            "- a\n",
            "1:1 SND-CFG013 a configuration is a mapping, not a list; "
                + "its keys are 'version', 'agent', 'sources' and 'sinks'"),
        Self(
            "version: 1\n\tagent: {}\n",
            "2:1 SND-CFG004 found a tab character that violates indentation while scanning a plain scalar "
                + "that begins in line 1; indent with spaces, not tabs"),
        Self(
            "version: 1\nagent: {interval: 1s\n",
            "3:1 SND-CFG004 did not find expected ',' or '}' while parsing a flow mapping that begins in line 2"),
        Self(
            "version: 1\nagent: [1s}\n",
            "2:11 SND-CFG004 did not find expected ',' or ']' while parsing a flow sequence"),
        Self(
            "version: \"1\n",
            "2:1 SND-CFG004 found unexpected end of stream while scanning a quoted scalar that begins in line 1"),
        Self(
            "version: 1\nagent: *nowhere\n",
            "2:8 SND-CFG004 the alias '*nowhere' has no anchor before it"),
        Self(
            "version: 1\u{7}\n",
            "1:11 SND-CFG003 the character U+0007 may not stand in YAML"),
        Self(
            "version: 1\0\n",
            "1:11 SND-CFG003 the character U+0000 may not stand in YAML"),
        Self(
            Fixture.minimal + "---\nversion: 1\n",
            "4:1 SND-CFG006 a second YAML document begins here; one file holds one document"),
        Self(
            Fixture.minimal + "agent: { interval: 1s, interval: 2s }\n",
            "4:24 SND-CFG007 key 'interval' is given twice; it is already at sonde.yaml:4:10"),
        Self(
            "version: 1\nagent:\n  <<: { interval: 1s }\n",
            "3:3 SND-CFG008 merge keys ('<<') are not supported; "
                + "write the keys out, or use an alias for a whole value"),
        Self(
            "version: 1\n? [a, b]\n: 1\n",
            "2:3 SND-CFG008 a key must be a word"),
        Self(
            "version: !!int 1\n",
            "1:10 SND-CFG008 the YAML tag 'tag:yaml.org,2002:int' is not supported; write the value without it"),
        Self(
            "version: 1\nagent: !map {}\n",
            "2:8 SND-CFG008 the YAML tag '!map' is not supported; write the value without it"),
    ]

    static let topLevel: [Self] = [
        Self(
            Fixture.source + Fixture.sink,
            "1:1 SND-CFG009 the configuration has no 'version'; write 'version: 1' in the first line"),
        Self(
            "version: 2\n" + Fixture.source + Fixture.sink,
            "1:10 SND-CFG010 version '2' is not supported; this release reads version 1"),
        Self(
            "version: \"1\"\n" + Fixture.source + Fixture.sink,
            "1:10 SND-CFG015 'version' must be a number, not text; write 'version: 1' without quotes"),
        Self(
            "version: 1.0\n" + Fixture.source + Fixture.sink,
            "1:10 SND-CFG010 version '1.0' is not supported; this release reads version 1"),
        Self(
            "version:\n" + Fixture.source + Fixture.sink,
            "1:1 SND-CFG014 'version' has no value; write one"),
        Self(
            "version: 1\n",
            "1:1 SND-CFG025 no source is enabled; add one to 'sources'",
            "1:1 SND-CFG025 no sink is enabled; add one to 'sinks'"),
        Self(
            "version: 1\nsources:\nsinks: []\n",
            "2:1 SND-CFG025 no source is enabled; add one to 'sources'",
            "3:1 SND-CFG025 no sink is enabled; add one to 'sinks'"),
        Self(
            Fixture.minimal + "source: []\n",
            "4:1 SND-CFG012 unknown key 'source' at the top level; did you mean 'sources'?"),
        Self(
            Fixture.minimal + "interval: 1s\n",
            "4:1 SND-CFG012 unknown key 'interval' at the top level; it belongs below 'agent'"),
        Self(
            Fixture.minimal + "history: {}\n",
            "4:1 SND-CFG012 unknown key 'history' at the top level; it belongs below 'agent'"),
        Self(
            Fixture.minimal + "whatever: {}\n",
            "4:1 SND-CFG012 unknown key 'whatever' at the top level; "
                + "the keys are 'version', 'agent', 'sources' and 'sinks'"),
        Self(
            Fixture.minimal + "agent: 5\n",
            "4:8 SND-CFG013 'agent' must be a mapping, not a single value"),
    ]

    private static let hostAdvice =
        "write at most 255 bytes: parts of 1 to 63 with dots between, without control characters"

    static let agents: [Self] = [
        Self(Fixture.agent("host: edge-1.fra.example")),
        Self(Fixture.agent("host: edge..fra"), "3:9 SND-CFG033 'host' is no host name; \(hostAdvice)"),
        Self(Fixture.agent("host: edge one")),
        Self(Fixture.agent(#"host: "a\u0007b""#), "3:9 SND-CFG033 'host' is no host name; \(hostAdvice)"),
        Self(
            Fixture.agent("host: " + String(repeating: "a", count: 64)),
            "3:9 SND-CFG033 'host' is no host name; \(hostAdvice)"),
        Self(
            Fixture.agent("host: " + String(repeating: "abc.", count: 64)),
            "3:9 SND-CFG033 'host' is no host name; \(hostAdvice)"),
        Self(
            Fixture.agent("state_dir: ''"), "3:14 SND-CFG014 'state_dir' is empty; write a value or remove it"),
        Self(
            Fixture.agent("control_socket: ''"),
            "3:19 SND-CFG014 'control_socket' is empty; write a value or remove it"),
        Self(
            Fixture.agent(#"control_group: "${env:SONDE_NOT_SET:-}""#),
            "3:18 SND-CFG014 'control_group' is empty; write a value or remove it"),
        Self(
            Fixture.agent("plugin_dirs: [/usr, '']"),
            "3:23 SND-CFG014 'plugin_dirs[1]' is empty; write a value or remove it"),
        Self(
            Fixture.agent(#"labels: { "a\0b": c }"#),
            "3:13 SND-CFG015 a key of 'labels' holds a NUL character"),
        Self(
            Fixture.agent("intervall: 5s"),
            "3:3 SND-CFG012 unknown key 'intervall' in 'agent'; did you mean 'interval'?"),
        Self(
            Fixture.agent("interval: 50ms"),
            "3:13 SND-CFG018 'interval' must be between 100ms and 1d, not '50ms'"),
        Self(
            Fixture.agent("interval: 5"),
            "3:13 SND-CFG016 'interval' is '5' without a unit; write 5s for seconds"),
        Self(
            Fixture.agent("interval: [5s]"),
            "3:13 SND-CFG013 'interval' must be a duration, not a list"),
        Self(
            Fixture.agent("interval:"),
            "3:3 SND-CFG014 'interval' has no value; write one or remove the key"),
        Self(
            Fixture.agent("history: { max_bytes: 1MiB }"),
            "3:25 SND-CFG018 'history.max_bytes' must be between 12MiB and 1GiB, not '1MiB'"),
        Self(
            Fixture.agent("spool: { sync: sometimes }"),
            "3:18 SND-CFG019 'spool.sync' must be 'interval', 'always' or 'none', not 'sometimes'"),
        Self(
            Fixture.agent("spool: { max_bites: 1MiB }"),
            "3:12 SND-CFG012 unknown key 'spool.max_bites' in 'agent'; did you mean 'max_bytes'?"),
        Self(
            Fixture.agent("spool: 64MiB"),
            "3:10 SND-CFG013 'spool' must be a mapping, not a single value; "
                + "its keys are 'max_bytes', 'max_age', 'min_free', 'sync' and 'overflow'"),
        Self(
            Fixture.agent("spool: { overflow: drop_odlest }"),
            "3:22 SND-CFG019 'spool.overflow' must be 'drop_oldest' or 'drop_newest', not 'drop_odlest'; "
                + "did you mean 'drop_oldest'?"),
        Self(
            Fixture.agent("log: { level: verbose }"),
            "3:17 SND-CFG019 'log.level' must be 'debug', 'info', 'warning' or 'error', not 'verbose'"),
        Self(
            Fixture.agent("log: { host: a }"),
            "3:10 SND-CFG012 unknown key 'log.host' in 'agent'; 'host' belongs one level higher"),
        Self(
            Fixture.agent("log.level: info"),
            "3:3 SND-CFG012 unknown key 'log.level' in 'agent'; write 'log:' and the rest of the key below it"),
        Self(
            Fixture.agent("plugin_dirs: /srv"),
            "3:16 SND-CFG013 'plugin_dirs' must be a list, not a single value; write [a, b] or one '- a' per line"),
        Self(
            Fixture.agent("labels: [a]"),
            "3:11 SND-CFG013 'labels' must be a mapping, not a list; "
                + "write { key: value } or one 'key: value' per line"),
        Self(
            Fixture.agent("labels: { a: { b: c } }"),
            "3:16 SND-CFG013 'labels.a' must be a single value, not a mapping"),
        Self(
            Fixture.agent("labels: { \"\": x }"),
            "3:17 SND-CFG033 the name of a label has 1 to 255 bytes"),
    ]
}

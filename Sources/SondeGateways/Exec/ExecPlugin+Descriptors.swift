internal import SondeDomain

extension ExecPlugin {
    static let source = PluginDescriptor(
        name: name,
        kind: .source,
        version: "1.0",
        summary: "Takes metrics from what a program of any language prints.",
        stability: .experimental,
        needs: ["the program, which only root and the agent's user can write to"],
        options: [
            command, shell,
            OptionDefinition(
                "mode", .choice(ExecSettings.Mode.allCases.map(\.rawValue)), default: "interval",
                help: "Whether the program is run once per interval, or kept running and prints when it has something."),
            OptionDefinition(
                "format", .choice(ExecFormat.allCases.map(\.rawValue)), default: "json",
                help:
                    "What the program prints: lines of JSON, InfluxDB line protocol, a text for Prometheus, a Nagios check, or "
                    + "messages in both directions."),
            OptionDefinition(
                "timeout", .duration(.milliseconds(10)...(.seconds(86_400))),
                help: "How long a run may take before it is killed with all it has started; at most the interval.",
                example: "5s"),
            environment, user,
            OptionDefinition(
                "options", .map, default: "{}", help: "What the program is sent, with `format: sonde`.",
                example: "{ server: ntp.example.org }"),
        ],
        errors: errors(
            .programFailed, .programLate, .programOutputUnreadable, .programUnsuited, .programReported,
            .programBrokeProtocol))

    static let sink = PluginDescriptor(
        name: name,
        kind: .sink,
        version: "1.0",
        summary: "Gives batches to a program of any language, which acknowledges each.",
        stability: .experimental,
        needs: ["the program, which only root and the agent's user can write to"],
        options: [
            command, shell,
            OptionDefinition(
                "format", .choice([ExecFormat.json, .influx].map(\.rawValue)), default: "json",
                help: "What the program is sent: lines of JSON, or InfluxDB line protocol."),
            OptionDefinition(
                "timeout", .duration(.milliseconds(10)...(.seconds(86_400))), default: "30s",
                help: "How long the answer to a batch may take before the program is killed."),
            environment, user,
        ],
        errors: errors(.programLate, .programUnsuited, .programReported, .programBrokeProtocol),
        delivery: .durable)

    private static let command = OptionDefinition(
        "command", .list, required: true, help: "The program's absolute path and its arguments.",
        example: "[/usr/local/lib/probe, --all]")
    private static let shell = OptionDefinition(
        "shell", .bool, default: "false", help: "Whether `command` is one text for `/bin/sh -c`.")
    private static let environment = OptionDefinition(
        "env", .list, default: "[]",
        help: "`NAME=value` beside PATH, LANG, LC_ALL, LC_CTYPE, TZ and TMPDIR, which are the agent's.",
        example: "[HOME=/var/lib/probe]")
    private static let user = OptionDefinition(
        "user", .string, help: "The user that the program runs as, where the agent may change users; else its own.",
        example: "nobody")

    private static func errors(_ codes: ErrorCode...) -> [PluginDescriptor.ErrorDefinition] {
        ErrorDefinition.programs.filter { codes.contains($0.code) }
            .map { PluginDescriptor.ErrorDefinition($0.code.text, meaning: $0.meaning, recovery: $0.recovery) }
    }
}

/// The options of the daemon's commands: those of `sonde`, which checks and documents them.
enum CommandOption: String, CaseIterable {
    case configuration = "--config"
    case pluginDirectory = "--plugin-dir"
    case format = "--format"
    case quiet = "--quiet"
    case socket = "--socket"
    case check = "--check"
    case sink = "--sink"
    case deadLetter = "--dead-letter"
    case deadLetters = "--dead-letters"
    case from = "--from"
    case to = "--to"
    case limit = "--limit"
    case before = "--before"
    case all = "--all"
    case yes = "--yes"
    case metric = "--metric"
    case member = "--member"
    case source = "--source"
    case range = "--range"
    case against = "--against"
    case resolution = "--resolution"
    case output = "--output"
    case name = "--name"
    case follow = "--follow"
    case options = "--options"
    case junit = "--junit"
    case sandbox = "--sandbox"
    case estimate = "--estimate"
    case origin = "--origin"
    case host = "--host"
    case fragment = "--fragment"
    case remote = "--remote"
    case span = "--for"
    case size = "--size"
    case noPrivacy = "--no-privacy"

    /// Whether a value belongs to it.
    var takesValue: Bool {
        switch self {
        case .quiet, .check, .deadLetters, .all, .yes, .follow, .estimate, .origin, .fragment, .noPrivacy:
            false
        case .configuration, .pluginDirectory, .format, .socket, .sink, .deadLetter, .from, .to, .limit, .before,
            .metric,
            .member, .source, .range, .against, .resolution, .output, .name, .options, .junit, .sandbox, .host, .remote,
            .span, .size:
            true
        }
    }

    /// The option that a word means; `-c` is short for `--config`.
    init?(word: String) {
        self.init(rawValue: word == "-c" ? "--config" : word)
    }
}

extension Command {
    /// What may follow it.
    var options: Set<CommandOption> {
        let input: Set<CommandOption> = [.configuration, .pluginDirectory]
        let place: Set<CommandOption> = [.configuration, .socket]
        let history: Set<CommandOption> = [.metric, .member, .source, .range, .from, .to, .resolution]
        let own: Set<CommandOption> =
            switch self {
            case .run: input
            case .check: input.union([.estimate, .host, .remote])
            case .configShow: input.union([.origin, .host, .remote])
            case .configSchema: input.union([.fragment])
            case .once: input.union([.format])
            case .record: input.union([.span, .size, .noPrivacy])
            case .replay: input
            case .top: place
            case .inspect: [.pluginDirectory, .format, .sandbox]
            case .pluginsList, .pluginsDescribe: [.pluginDirectory, .format]
            case .pluginsTest: [.pluginDirectory, .format, .options, .junit]
            case .version: []
            case .status: place.union([.format, .check])
            case .spoolStatus, .reload: place.union([.format])
            case .snapshot: place.union([.format, .all])
            case .spoolList: place.union([.format, .sink])
            case .spoolShow: place.union([.format, .sink, .deadLetter, .limit])
            case .spoolReplay: place.union([.format, .sink, .deadLetter, .all])
            case .spoolPurge: place.union([.format, .sink, .deadLetters, .before, .all, .yes])
            case .history: history.union(place).union([.format])
            case .export: history.union(place).union([.format, .output])
            case .changes: place.union([.format, .range, .against, .limit])
            case .series: place.union([.format, .name, .source, .follow])
            case .explain: place.union([.format, .member, .pluginDirectory])
            case .doctor: place.union([.format, .pluginDirectory])
            case .watch, .retry: place
            }
        return own.union([.quiet])
    }

    /// What its one word without a dash is; nil: it takes none.
    var operand: (name: String, isRequired: Bool)? {
        switch self {
        case .pluginsDescribe: ("the plugin's name", true)
        case .pluginsTest: ("the plugin's file or name, or a program", true)
        case .inspect: ("the file's name", true)
        case .retry: ("the id", true)
        case .explain: ("the metric's name", true)
        case .record, .replay: ("the directory of the recording", true)
        case .spoolShow: ("the sequence number", false)
        case .run, .check, .once, .top, .pluginsList, .configShow, .configSchema, .version, .status, .spoolStatus,
            .spoolList, .spoolReplay, .spoolPurge, .history, .export, .changes, .snapshot, .watch, .series, .doctor,
            .reload:
            nil
        }
    }

    /// The words of `--format`, the first of which is the default.
    var formats: [String] {
        switch self {
        case .history: ["table", "json", "csv", "ndjson"]
        case .export: ["csv", "json", "ndjson", "prometheus"]
        default: ["table", "json"]
        }
    }
}

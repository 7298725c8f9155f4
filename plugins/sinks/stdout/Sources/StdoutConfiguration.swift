internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

/// The sink's options.
struct StdoutConfiguration {
    /// What is written.
    enum Format {
        /// The newest snapshots as a table.
        case table
        /// One line per metric point.
        case lines(LineFormat)
    }

    /// Whether the table has color.
    enum Color: String {
        /// On a terminal, unless NO_COLOR is set.
        case auto
        case always
        case never
    }

    var format = Format.table
    var color = Color.auto
    var rows = TableRows.busy(hint: "rows: all shows them")

    init() {}

    /// The options as the host has them.
    init(_ options: Options) throws(PluginError) {
        if let word = options.string("format"), word != "table" {
            guard let lines = LineFormat(rawValue: word) else { throw Self.unknown("format", word) }
            format = .lines(lines)
        }
        if let word = options.string("color") {
            guard let choice = Color(rawValue: word) else { throw Self.unknown("color", word) }
            color = choice
        }
        switch options.string("rows") {
        case nil, "busy": break
        case "all": rows = .all
        case let word?: throw Self.unknown("rows", word)
        }
    }

    private static func unknown(_ option: String, _ word: String) -> PluginError {
        PluginError(OutputCode.option, .configuration, "\(option) cannot be '\(word)'", optionPath: option)
    }
}

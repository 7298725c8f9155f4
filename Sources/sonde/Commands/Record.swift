internal import ArgumentParser
internal import SondeDomain

struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Keep what sources read, to be replayed.",
        discussion: """
            Makes the directory and keeps in it what the sources of the configuration read: files of /proc, answers of \
            netlink, lines of logs, packets. Nothing is delivered, and an agent that runs beside it is not touched. \
            Addresses and names are replaced by pseudonyms whose key is not kept, and what no metric needs is left out.

            It ends when the time is over, at the size, or with Ctrl-C, and says what was left out.

            Example:
              sonde record /tmp/slow-dns -c /etc/sonde/sonde.yaml --for 5m
            """
    )

    @Argument(help: "The directory to make.", completion: .directory)
    var directory: String
    @OptionGroup var input: InputOptions
    @Option(name: .customLong("for"), help: ArgumentHelp("How long; one minute when not given.", valueName: "span"))
    var span: String?
    @Option(help: ArgumentHelp("How large it may get, 64MiB when not given, 1GiB at most.", valueName: "size"))
    var size: String?
    @Flag(name: .customLong("no-privacy"), help: "Keep addresses and names as they are.")
    var noPrivacy = false

    func validate() throws {
        if directory.isEmpty { throw ValidationError("The name of the directory is empty: name one.") }
        if let span, (try? DurationText.parse(span)) ?? .zero <= .zero {
            throw ValidationError("The value of '--for' is no span above 0: write 30s or 10m, not '\(span)'.")
        }
        if let size, (try? SizeText.parse(size)) ?? 0 <= 0 {
            throw ValidationError("The value of '--size' is no size above 0: write 64MiB, not '\(size)'.")
        }
    }

    func run() throws {
        try DaemonCall().start()
    }
}

internal import ArgumentParser

struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Read a file offline and say what is in it: a capture file, for instance.",
        discussion: """
            Which plugin reads the file is decided by what is in it. A dash stands for standard input. A file that \
            breaks off is reported as far as it goes, and the exit code is 1 then. The process confines itself before it \
            reads, which takes a kernel with Landlock; where there is none, --sandbox off goes without.

            Example:
              sonde inspect trace.pcap.gz --format json
            """
    )

    @Argument(help: "The file, or '-' for standard input.", completion: .file())
    var file: String
    @OptionGroup var plugins: PluginDirectoryOptions
    @OptionGroup var output: OutputOptions
    @Option(help: "Whether the process gives up files, network and privileges before it reads the file.")
    var sandbox = SandboxWord.on

    enum SandboxWord: String, CaseIterable, ExpressibleByArgument {
        case on
        case off
    }

    func validate() throws {
        guard file.isEmpty else { return }
        throw ValidationError("The name of the file is empty: name a file, or '-' for standard input.")
    }

    func run() throws {
        try DaemonCall().start()
    }
}

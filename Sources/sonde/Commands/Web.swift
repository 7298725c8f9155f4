internal import ArgumentParser

struct Web: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the pages of 'sonde top' to browsers: charts, tables, failures and what to do.",
        discussion: """
            It prints a link that has a token; with it sources and sinks can be made to try again, without it everything \
            may be read. Other hosts do not reach it: where --listen names another address than this machine's own, \
            TLS and a token are needed. It asks the agent while a page is open, and holds nothing on disk.

            The exit code is 0 when it was ended by SIGTERM or Ctrl-C, 1 when it cannot listen, and 78 when its \
            options or files cannot be used.

            Example:
              sonde web
            """
    )

    @Option(
        help: ArgumentHelp(
            "Where to listen: an address and a port, 127.0.0.1:8787 without it.", valueName: "address:port"))
    var listen: String?
    @Option(
        help: ArgumentHelp(
            "A further name that browsers reach it by; can be repeated. Requests for other names are refused.",
            valueName: "name"))
    var host: [String] = []
    @Option(
        help: ArgumentHelp("The certificate and those that lead to its issuer, in PEM.", valueName: "file"),
        completion: .file())
    var tlsCertificate: String?
    @Option(help: ArgumentHelp("The key of the certificate, in PEM.", valueName: "file"), completion: .file())
    var tlsKey: String?
    @Option(
        help: ArgumentHelp(
            "A file with a token, one line of 20 characters or more; with it, looking needs the token too.",
            valueName: "file"),
        completion: .file())
    var tokenFile: String?
    @OptionGroup var agent: AgentPlaceOptions

    func validate() throws {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("'--tls-certificate' and '--tls-key' belong together.")
        }
    }

    func run() throws {
        try DaemonCall(.web).start()
    }
}

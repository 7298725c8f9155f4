internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeGateways
internal import SondePresentation

/// `plugins test`: holds a plugin to the rules of the contract.
struct PluginTestCommand {
    let session: Session

    /// Tests the plugin in a file, the installed one of that name, or a program with its arguments.
    func run(_ word: String) throws(SondeError) -> ExitCode {
        guard !word.contains("/") || word.hasSuffix(".so") else { return try testProgram(word) }
        guard session.arguments.operands.isEmpty else {
            StandardStream.error("sonded: only a program has arguments, and it is named by its path: ./\(word)")
            return .usage
        }
        guard let place = PluginPlace(word, given: session.arguments.pluginDirectories) else {
            StandardStream.error("sonded: '\(word)' is not the file of a plugin: it is called NAME.so, and exists")
            return .usage
        }
        guard let programs = ChildPrograms.installed else {
            StandardStream.error("sonded: there is no sonde-supervisor beside it, which a test needs")
            return .failure
        }
        let suite = PluginTestSuite(plugin: place.name, in: place.directories, programs, log: UnheardLog())
        let plugin: any LoadedPlugin
        do throws(SondeError) {
            plugin = try suite.describe()
        } catch {
            guard error.code != .pluginNotFound else {
                session.startupLog.log(.error, error)
                return ExitCode(error)
            }
            return try show(suite.report(refusal: error))
        }
        if let file = place.file, file != plugin.path {
            StandardStream.error("sonded: \(plugin.path) would be loaded in place of \(file)")
            return .usage
        }
        return try test(plugin, suite)
    }

    private func test(_ plugin: any LoadedPlugin, _ suite: PluginTestSuite) throws(SondeError) -> ExitCode {
        let sample = PluginSample(of: plugin.descriptor)
        let reading = session.arguments[.options].map(sample.read) ?? sample.find(beside: plugin.path)
        switch reading {
        case .unusable(let problems):
            session.report(problems)
            return .configuration
        case .options(let options):
            return try show(suite.run(plugin, options: options) { announce($0.rawValue) })
        }
    }

    private func testProgram(_ word: String) throws(SondeError) -> ExitCode {
        guard let sample = ProgramSample(word, arguments: session.arguments.operands) else {
            StandardStream.error("sonded: '\(word)' does not exist")
            return .usage
        }
        guard let programs = ChildPrograms.installed else {
            StandardStream.error("sonded: there is no sonde-supervisor beside it, which a test needs")
            return .failure
        }
        // What it prints may come when it has closed its input.
        signal(SIGPIPE, SIG_IGN)
        switch sample.read(session.arguments[.options]) {
        case .unusable(let problems):
            session.report(problems)
            return .configuration
        case .program(let program):
            return try show(ProgramTestSuite(program, programs).run { announce($0.rawValue) })
        }
    }

    /// Says on a terminal which rule is checked.
    private func announce(_ rule: String) {
        if !session.arguments.isQuiet, isatty(STDERR_FILENO) == 1 { StandardStream.error(rule) }
    }

    private func show<Rule: TestRule>(_ report: PluginTestReport<Rule>) throws(SondeError) -> ExitCode {
        let state = PluginTestState(report)
        if let path = session.arguments[.junit] { try write(Array(JUnitView(state).text.utf8), to: path) }
        let view = PluginTestView(state)
        let written = StandardStream.output(session.arguments.format == .json ? view.json : Array(view.text.utf8))
        return written == .ok && report.isPassed ? .ok : .failure
    }

    private func write(_ bytes: [UInt8], to path: String) throws(SondeError) {
        let file = try ReplacedFile(path: path)
        do throws(SondeError) {
            try file.append(bytes)
            try file.finish()
        } catch {
            file.abandon()
            throw error
        }
    }
}

internal import ArgumentParser
internal import Glibc
internal import SondeDomain

extension Plugins {
    struct New: ParsableCommand {
        enum Kind: String, CaseIterable, ExpressibleByArgument {
            case source
            case sink
        }

        enum Language: String, CaseIterable, ExpressibleByArgument {
            case swift
            case c
            case python
            case sh
        }

        static let configuration = CommandConfiguration(
            abstract: "Make the project of a new plugin.",
            discussion: """
                Writes a folder with code that works, its tests, a build file, a sample configuration and a README. A \
                plugin in swift or c is an object that the agent loads; one in python or sh is a program that the \
                plugin 'exec' runs.

                The exit code is 64 for a name that cannot be a plugin's, 73 when the folder exists or cannot be \
                written.

                Example:
                  sonde plugins new uptime --kind source --lang c
                """
        )

        @Argument(help: "The plugin's name: a-z, 0-9 and _, beginning with a letter, at most 32.")
        var name: String
        @Option(help: "Whether it reads metrics or delivers them.")
        var kind: Kind
        @Option(name: .customLong("lang"), help: "What it is written in.")
        var language: Language
        @Option(
            help: ArgumentHelp("The folder to make; the plugin's name when left out.", valueName: "folder"),
            completion: .directory
        )
        var dir: String?

        func validate() throws {
            guard ProjectName(name) != nil else {
                throw ValidationError(
                    "'\(name)' cannot be the name of a plugin: a-z, 0-9 and _, beginning with a letter, at most 32; "
                        + "agent, exec and sonde are taken.")
            }
            guard (dir ?? name).utf8.allSatisfy({ $0 > 0x20 && !#""'\$#"#.utf8.contains($0) }), dir != "" else {
                throw ValidationError("A folder with a blank or one of \"'\\$# in its name would have to be quoted.")
            }
        }

        func run() throws {
            guard let name = ProjectName(name), let prefix = DaemonPlaces.prefix() else { throw ExitCode.failure }
            let template = "\(prefix)/share/sonde/templates/\(kind.rawValue)-\(language.rawValue)"
            let folder = dir ?? name.text
            do throws(ProjectFailure) {
                let project = try Project(folder: folder)
                try project.fill(from: template, words: name.words(folder: project.path, prefix: prefix))
            } catch {
                throw CommandFailure.report(error)
            }
            print("\(folder): a \(kind.rawValue) in \(language.rawValue) that works; README.md says how to go on")
        }
    }
}

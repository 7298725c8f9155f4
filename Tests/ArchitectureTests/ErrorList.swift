import CSondePlugin
import Foundation
import Glibc
import SondeDomain

/// docs/errors.md as it should be: the agent's definitions, and those that the built plugins describe.
enum ErrorList {
    struct PluginIsNotBuilt: Error {
        let reason: String
    }

    private struct Description: Decodable {
        struct Failure: Decodable {
            let code: String
            let meaning: String
            let recovery: String
        }

        let name: String
        let errors: [Failure]
    }

    static let path = "docs/errors.md"

    /// The page, made anew.
    static func page() throws -> String {
        var lines = [
            "# Errors",
            "",
            "Every failure carries a code that never changes its meaning. `make golden` writes this page from the code.",
            "The class says what the agent does; CONTRIBUTING.md explains the classes. A plugin's error gets its class",
            "from the cause, so its class is not listed here.",
            "",
            "## Agent",
            "",
        ]
        lines += table(ErrorDefinition.all.map { [$0.code.text, $0.failureClass.name, $0.meaning, $0.recovery] })
        for folder in Repository.pluginFolders {
            let plugin = try description(of: URL(filePath: folder).lastPathComponent)
            lines += ["", "## Plugin `\(plugin.name)`", ""]
            lines += table(plugin.errors.map { [$0.code, "by cause", $0.meaning, $0.recovery] })
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The codes that a text names.
    static func codes(in text: String) -> Set<String> {
        Set(text.matches(of: /SND-[A-Z]+[0-9]+/).map { String($0.0) })
    }

    private static func table(_ rows: [[String]]) -> [String] {
        guard !rows.isEmpty else { return ["It reports no errors of its own."] }
        let head = ["| code | class | meaning | what to do |", "| --- | --- | --- | --- |"]
        return head
            + rows.sorted { $0[0] < $1[0] }.map { row in
                "| " + row.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
            }
    }

    /// What a plugin says of itself, asked through the contract.
    ///
    /// The object stays loaded: Swift code cannot be unloaded.
    private static func description(of name: String) throws -> Description {
        typealias Entry = @convention(c) () -> UnsafePointer<sonde_plugin>?
        let path = Repository.buildFolder.appending(path: "lib\(name).so").path
        guard let object = dlopen(path, RTLD_NOW | RTLD_LOCAL), let symbol = dlsym(object, "sonde_plugin_\(name)")
        else {
            throw PluginIsNotBuilt(reason: dlerror().map { String(cString: $0) } ?? path)
        }
        guard let plugin = unsafeBitCast(symbol, to: Entry.self)(), let describe = plugin.pointee.describe else {
            throw PluginIsNotBuilt(reason: "\(path) does not describe itself")
        }
        let text = describe(plugin)
        let bytes = UnsafeRawBufferPointer(start: text.data, count: text.size)
        return try JSONDecoder().decode(Description.self, from: Data(bytes))
    }
}

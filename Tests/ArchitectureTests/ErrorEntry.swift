import CSondePlugin
import Foundation
import Glibc
import SondeDomain

/// One error as its reporter, the agent or a plugin, defines it.
struct ErrorEntry {
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

    /// The plugin's name, or "" for the agent.
    let reporter: String
    let code: String
    /// Nil: by cause.
    let failureClass: FailureClass?
    let meaning: String
    let recovery: String

    var classText: String { failureClass?.name ?? "by cause" }
    var meaningCell: String { meaning.replacing("|", with: "\\|") }
    var recoveryCell: String { recovery.replacing("|", with: "\\|") }

    /// Every error of the agent and of the built plugins; a code may stand there twice.
    static func all() throws -> [ErrorEntry] {
        let own = ErrorDefinition.all.map {
            ErrorEntry(
                reporter: "", code: $0.code.text, failureClass: $0.failureClass, meaning: $0.meaning,
                recovery: $0.recovery)
        }
        return try own
            + Repository.pluginFolders.flatMap { folder in
                let plugin = try description(of: URL(filePath: folder).lastPathComponent)
                return plugin.errors.map {
                    ErrorEntry(
                        reporter: plugin.name, code: $0.code, failureClass: nil, meaning: $0.meaning,
                        recovery: $0.recovery)
                }
            }
    }

    /// The reporters in the order of the entries.
    static func reporters(of entries: [ErrorEntry]) -> [String] {
        var seen: Set<String> = []
        return entries.map(\.reporter).filter { seen.insert($0).inserted }
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
        // dlsym gives an address without a type; the contract fixes the entry function's.
        guard let plugin = unsafeBitCast(symbol, to: Entry.self)(), let describe = plugin.pointee.describe else {
            throw PluginIsNotBuilt(reason: "\(path) does not describe itself")
        }
        let text = describe(plugin)
        let bytes = UnsafeRawBufferPointer(start: text.data, count: text.size)
        return try JSONDecoder().decode(Description.self, from: Data(bytes))
    }
}

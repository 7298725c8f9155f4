/// A plugin's name, `[a-z][a-z0-9_]{0,31}`: the same in the file name, the entry symbol and the description.
struct PluginName: Hashable {
    let text: String

    init?(_ text: String) {
        let utf8 = text.utf8
        guard (1...32).contains(utf8.count), let first = utf8.first, (0x61...0x7A).contains(first) else { return nil }
        guard utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }) else {
            return nil
        }
        self.text = text
    }

    /// The name of the plugin in a file of that name, or nil.
    ///
    /// `lib<name>.so` is how the Swift package manager names products in its build folder.
    init?(fileName: String) {
        guard fileName.hasSuffix(".so") else { return nil }
        let stem = fileName.dropLast(3)
        self.init(String(stem.hasPrefix("lib") && stem.count > 3 ? stem.dropFirst(3) : stem))
    }

    var entrySymbol: String { "sonde_plugin_\(text)" }

    /// The possible names of its file, the standard one first.
    var fileNames: [String] { ["\(text).so", "lib\(text).so"] }
}

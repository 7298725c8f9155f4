internal import CShippedPlugins
internal import CSondePlugin
internal import SondeDomain

/// A plugin that is linked into this program: it is called through the same contract as one in a shared object.
public struct BuiltInPlugin {
    /// What stands for the file of such a plugin.
    static let path = "built in"

    /// The plugin's name.
    let name: String
    /// What an object exports as its entry.
    let entry: SharedObject.Entry
    /// Links the library that it is made around; nil: it needs none.
    let link: (@convention(c) () -> UnsafePointer<CChar>?)?
    /// Whether its instances are to be confined.
    let isConfined: Bool

    /// Links what it needs besides itself; without that it cannot even describe itself, like an object.
    func linkLibrary() throws(SondeError) {
        guard let reason = link?() else { return }
        throw .pluginLinkFailed("'\(name)'", String(cString: reason))
    }

    /// Those of Sonde's own plugins that are linked into this program: all or none, by how it was built.
    public static var all: [BuiltInPlugin] {
        guard var next = sonde_shipped_plugins() else { return [] }
        var plugins: [BuiltInPlugin] = []
        while let name = next.pointee.name {
            if let entry = next.pointee.entry {
                plugins.append(
                    BuiltInPlugin(
                        name: String(cString: name), entry: entry, link: next.pointee.link,
                        isConfined: next.pointee.is_confined))
            }
            next += 1
        }
        return plugins
    }
}

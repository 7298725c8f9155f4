internal import CSondePlugin
internal import Glibc
public import SondeDomain
public import SondeEngine
internal import SondePluginKit

/// Finds plugins in directories and in the program itself, and calls them through the C contract.
///
/// A directory that was given or configured comes first, then what is built in, then the standard directories. Before any
/// code of an object runs, the opened file is checked: its owner and who could have written it, whether it is a valid shared
/// object for this machine, and whether its version record fits this agent. A loaded object is never unloaded, and each real
/// path is linked once. Use it from one thread.
public final class DirectoryPluginCatalog: PluginCatalog {
    private let searchPath: PluginSearchPath
    private let builtIn: [String: BuiltInPlugin]
    private let trust: TrustRule
    private let log: any EventLog
    private let trial: ObjectTrial
    /// What runs instances in processes of their own; nil: nothing does.
    private let programs: ChildPrograms?
    private let records: SharedBySeries<SeriesRecord>
    private var plugins: [String: ObjectPlugin] = [:]
    private var objects: [String: SharedObject] = [:]
    // By real path and name. An entry function may make a new table at each call and never free it.
    private var described: [String: ObjectPlugin] = [:]
    private var isolated: [String: ChildPlugin] = [:]

    /// A catalog of the plugins in these directories and of those that are built in; `log` gets a note for each plugin that
    /// another one hides.
    public convenience init(
        _ searchPath: PluginSearchPath, builtIn: [BuiltInPlugin] = [], trial: ObjectTrial = .none,
        programs: ChildPrograms? = nil, log: any EventLog
    ) {
        let trust = TrustRule(user: geteuid(), group: getegid())
        let builtIn = Dictionary(uniqueKeysWithValues: builtIn.map { ($0.name, $0) })
        self.init(searchPath, builtIn: builtIn, trust: trust, trial: trial, programs: programs, log: log)
    }

    /// A catalog that searches these directories too, before the standard ones, and keeps what this one has linked.
    public func searching(_ directories: [String], log: any EventLog) -> any PluginCatalog {
        let catalog = DirectoryPluginCatalog(
            searchPath.configured(directories), builtIn: builtIn, trust: trust, trial: trial, programs: programs,
            records: records, log: log)
        catalog.objects = objects
        catalog.described = described
        catalog.isolated = isolated
        return catalog
    }

    init(
        _ searchPath: PluginSearchPath, builtIn: [String: BuiltInPlugin] = [:], trust: TrustRule,
        trial: ObjectTrial = .none, programs: ChildPrograms? = nil,
        records: SharedBySeries<SeriesRecord> = SharedBySeries(), log: any EventLog
    ) {
        self.records = records
        self.searchPath = searchPath
        self.builtIn = builtIn
        self.programs = programs
        self.trust = trust
        self.trial = trial
        self.log = log
    }

    /// The names of all plugins, sorted; loads nothing.
    public var availableNames: [String] { Set(searchPath.names()).union(builtIn.keys).sorted() }

    /// The plugin of that name, loaded if it was not yet.
    ///
    /// A file is of one kind, so which is wanted makes no difference. Throws `SND-PLG001` to `SND-PLG019`, each with the
    /// reason and the remedy.
    public func plugin(
        named text: String, kind: PluginDescriptor.Kind?, isolation: Isolation?
    ) throws(SondeError) -> any LoadedPlugin {
        if (isolation ?? usualIsolation(of: text)) == .process { return try isolatedPlugin(text) }
        if let known = plugins[text] { return known }
        if let plugin = builtInPlugin(text) {
            let loaded = try load(plugin)
            plugins[text] = loaded
            return loaded
        }
        guard let name = PluginName(text) else { throw .pluginNameInvalid(text) }
        let files = searchPath.files(of: name)
        guard let file = files.first else {
            let places = searchPath.directories.joined(separator: ", ")
            throw .pluginNotFound(text, in: ["it is not in \(places)"], availableNames)
        }
        let plugin = try load(name, from: file)
        plugins[text] = plugin
        note(hidden: files.dropFirst(), behind: plugin)
        return plugin
    }

    /// The built-in plugin of that name, unless a file hides it.
    private func builtInPlugin(_ text: String) -> BuiltInPlugin? {
        guard let plugin = builtIn[text], let name = PluginName(text), !searchPath.hides(name) else { return nil }
        return plugin
    }

    /// Where a plugin runs unless the configuration says: the agent's own in its process, others and those that are to be
    /// confined in one of their own.
    private func usualIsolation(of text: String) -> Isolation {
        if let plugin = builtInPlugin(text) { return plugin.isConfined ? .process : .inProcess }
        guard let name = PluginName(text), let path = searchPath.files(of: name).first else { return .inProcess }
        guard searchPath.isOwn(path), let file = try? PluginFile(opening: path) else { return .process }
        // What is wrong with the file is reported when it is loaded.
        return ((try? Self.isConfined(file)) ?? false) ? .process : .inProcess
    }

    /// A plugin whose code runs in children alone.
    private func isolatedPlugin(_ name: String) throws(SondeError) -> ChildPlugin {
        // A child of the same program has the same plugins built in.
        let directories = builtInPlugin(name) == nil ? searchPath.directories : []
        // Directories that a reload has changed may have another of that name.
        let key = ([name] + directories).joined(separator: "\n")
        if let known = isolated[key] { return known }
        guard let programs else { throw .pluginNotIsolated(name) }
        let plugin = try ChildPlugin(named: name, in: directories, programs, log: log)
        isolated[key] = plugin
        return plugin
    }

    private func load(_ plugin: BuiltInPlugin) throws(SondeError) -> ObjectPlugin {
        let key = "\(BuiltInPlugin.path)\n\(plugin.name)"
        if let known = described[key] { return known }
        try plugin.linkLibrary()
        let loaded = try ObjectPlugin(plugin, records)
        described[key] = loaded
        return loaded
    }

    private func load(_ name: PluginName, from path: String) throws(SondeError) -> ObjectPlugin {
        let file = try PluginFile(opening: path)
        try file.checkTrust(trust)
        let object: SharedObject
        if let linked = objects[file.realPath] {
            object = linked
            if linked.identity != file.identity { noteReplaced(file.realPath) }
        } else {
            if try !Self.checkedRuntime(of: file).isEmpty { SwiftRuntimeFiles.link() }
            try trial.check(file.realPath, entry: name.entrySymbol)
            object = try SharedObject(
                linking: file.realPath, identity: file.identity, isConfined: Self.isConfined(file))
            objects[file.realPath] = object
        }
        let key = "\(file.realPath)\n\(name.text)"
        if let known = described[key] { return known }
        let plugin = try ObjectPlugin(name, object, records)
        described[key] = plugin
        return plugin
    }

    /// The Swift runtime that an object was made for, empty: none, once its version fits this agent.
    private static func checkedRuntime(of file: borrowing PluginFile) throws(SondeError) -> String {
        let record: [UInt8]?
        do throws(ELFFlaw) {
            let object = try ELFFile(file.bytes)
            record = try object.content(ofSection: PluginVersion.section, limit: PluginVersion.sectionLimit)
        } catch {
            throw .pluginObjectRefused(file.realPath, error)
        }
        guard let record else { throw .pluginVersionMissing(file.realPath) }
        let runtime = SwiftRuntime.name
        do throws(PluginVersion.Flaw) {
            let version = try PluginVersion(record)
            try version.check(hostMajor: SONDE_ABI_MAJOR, hostRuntime: runtime)
            return try version.runtime()
        } catch {
            throw .pluginVersionRefused(file.realPath, error, hostMajor: SONDE_ABI_MAJOR, hostRuntime: runtime)
        }
    }

    /// Whether the file says that instances of it are to be confined (`SONDE_PLUGIN_CONFINED` of the contract).
    private static func isConfined(_ file: borrowing PluginFile) throws(SondeError) -> Bool {
        do throws(ELFFlaw) {
            return try ELFFile(file.bytes).content(ofSection: "sonde_confined", limit: 64) != nil
        } catch {
            throw .pluginObjectRefused(file.realPath, error)
        }
    }

    private func noteReplaced(_ path: String) {
        let text = "the file of plugin \(path) was replaced: what was linked before it runs until a restart"
        log.log(.warning, text, component: nil)
    }

    private func note(hidden files: ArraySlice<String>, behind plugin: ObjectPlugin) {
        let name = plugin.descriptor.name
        if builtIn[name] != nil {
            let text = "plugin '\(name)' is loaded from \(plugin.path), which hides the one that is built in"
            log.log(.info, text, component: nil)
        }
        for file in files {
            guard let path = realpath(file, nil) else { continue }
            defer { free(path) }
            let hidden = String(cString: path)
            guard hidden != plugin.path else { continue }
            log.log(.info, "plugin '\(name)' is loaded from \(plugin.path), which hides \(hidden)", component: nil)
        }
    }
}

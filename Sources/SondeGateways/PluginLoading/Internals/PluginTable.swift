internal import CSondePlugin
internal import SondeDomain
internal import SondePluginKit

/// The functions of a plugin, checked for presence.
struct PluginTable {
    typealias Create = (
        UnsafePointer<sonde_plugin>?, UnsafePointer<sonde_host>?,
        UnsafeMutablePointer<UnsafeMutableRawPointer?>?, UnsafeMutablePointer<sonde_error>?
    ) -> sonde_status

    static let descriptionLimit = 1 << 20

    let raw: UnsafePointer<sonde_plugin>
    let kind: PluginDescriptor.Kind

    /// The table that an entry function returned.
    ///
    /// One that is shorter than in version 1.0 is refused; a longer one comes from a later minor version.
    init(_ returned: UnsafePointer<sonde_plugin>?, path: String) throws(SondeError) {
        guard let raw = returned, UInt(bitPattern: raw) % UInt(MemoryLayout<sonde_plugin>.alignment) == 0 else {
            throw .pluginDefect(.pluginTableBroken, path, "returns no table of functions")
        }
        let size = raw.pointee.struct_size
        guard size >= sonde_plugin.leastSize else {
            let least = sonde_plugin.leastSize
            throw .pluginDefect(.pluginTableBroken, path, "returns a table of \(size) bytes, less than \(least)")
        }
        switch raw.pointee.kind {
        case UInt32(SONDE_PLUGIN_SOURCE): kind = .source
        case UInt32(SONDE_PLUGIN_SINK): kind = .sink
        default:
            throw .pluginDefect(.pluginTableBroken, path, "is of kind \(raw.pointee.kind), neither source nor sink")
        }
        self.raw = raw
        if let missing = Self.missingFunction(raw, kind) {
            throw .pluginDefect(.pluginFunctionMissing, path, "offers no function \(missing)")
        }
        if kind == .source, raw.pointee.collect != nil, raw.pointee.run != nil {
            throw .pluginDefect(.pluginTableBroken, path, "offers both collect and run")
        }
    }

    /// `probe`, which plugins of the contract before 1.2 do not know.
    var probe:
        (
            @convention(c) (
                UnsafeMutableRawPointer?, UnsafePointer<sonde_call>?, UnsafeMutablePointer<sonde_error>?
            ) -> sonde_status
        )?
    {
        guard let offset = MemoryLayout<sonde_plugin>.offset(of: \.probe),
            Int(raw.pointee.struct_size) >= offset + MemoryLayout<UnsafeRawPointer>.size
        else { return nil }
        return raw.pointee.probe
    }

    /// What `describe` returns; it is valid for the life of the process.
    func description(path: String) throws(SondeError) -> UnsafeRawBufferPointer {
        let text = raw.pointee.describe(raw)
        guard let data = text.data, text.size > 0 else {
            throw .pluginDefect(.pluginDescriptionMalformed, path, "describes itself with nothing")
        }
        guard text.size <= Self.descriptionLimit else {
            throw .pluginDefect(
                .pluginDescriptionMalformed,
                path,
                "describes itself with \(text.size) bytes, more than \(Self.descriptionLimit)"
            )
        }
        return UnsafeRawBufferPointer(start: data, count: text.size)
    }

    /// What the plugin says of itself: as it is where this program has made the table, else by way of JSON.
    func descriptor(path: String) throws(SondeError) -> PluginDescriptor {
        if let own = exportedDescriptor(of: raw) { return own }
        let text = try description(path: path)
        do throws(DescriptionFlaw) {
            return try PluginDescriptor(json: [UInt8](text))
        } catch {
            throw .pluginDefect(.pluginDescriptionMalformed, path, "has a malformed description: \(error.text)")
        }
    }

    private static func missingFunction(_ raw: UnsafePointer<sonde_plugin>, _ kind: PluginDescriptor.Kind) -> String? {
        if raw.pointee.describe == nil { return "describe" }
        if raw.pointee.create == nil { return "create" }
        if raw.pointee.destroy == nil { return "destroy" }
        switch kind {
        case .source: return raw.pointee.collect == nil && raw.pointee.run == nil ? "collect or run" : nil
        case .sink: return raw.pointee.deliver == nil ? "deliver" : nil
        }
    }
}

internal import CSondePlugin
internal import SondeDomain

/// A plugin's Swift type behind the table's `context`, with its description as the contract requires it.
final class PluginType {
    let type: any Plugin.Type
    let descriptor: PluginDescriptor
    private let descriptionStorage = StringArena()

    init(_ type: any Plugin.Type, _ descriptor: PluginDescriptor) {
        self.type = type
        self.descriptor = descriptor
    }

    /// The description as JSON, which lives as long as the type.
    ///
    /// Made when it is asked for: the agent does not ask plugins that are built in. No lock: the contract has it asked for before
    /// any instance exists.
    private(set) lazy var description = descriptionStorage.store(descriptor.json)

    /// The type behind a table made by `exportPlugin`.
    static func of(_ plugin: UnsafePointer<sonde_plugin>?) -> PluginType {
        guard let context = plugin?.pointee.context else {
            preconditionFailure("the host passed another table than the one it was given")
        }
        return Unmanaged<PluginType>.fromOpaque(context).takeUnretainedValue()
    }

    /// Makes an instance and stores it for the host.
    func create(
        _ host: UnsafePointer<sonde_host>?,
        _ instance: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        _ failure: UnsafeMutablePointer<sonde_error>?
    ) -> sonde_status {
        guard let host, let instance else { return sonde_status(SONDE_FAILED) }
        do throws(PluginError) {
            let host = PluginHost(host)
            let box = PluginInstance(try type.init(host: host))
            instance.pointee = Unmanaged.passRetained(box).toOpaque()
            return sonde_status(SONDE_OK)
        } catch {
            return error.report(to: failure)
        }
    }
}

internal import CSondePlugin
public import SondeDomain

/// The options of one instance, validated against its descriptor and defaulted.
///
/// Nested keys are joined with dots; the members of an entry of a list of mappings have paths like `targets[2].host`.
///
/// An accessor returns nil when the option is not set and has no default, or when the descriptor gives it another type.
public struct Options {
    private let host: UnsafePointer<sonde_host>
    /// What the path of each option begins with: empty, or `targets[2].` for the members of an entry.
    private let prefix: String

    init(_ host: UnsafePointer<sonde_host>) {
        self.init(host, prefix: "")
    }

    private init(_ host: UnsafePointer<sonde_host>, prefix: String) {
        self.host = host
        self.prefix = prefix
    }

    /// The entries of a list of mappings, each with its members as options; empty when not set.
    public func entries(_ path: String) -> [Options] {
        let path = self.path(path)
        let count = path.withContractString { host.pointee.option_list_count?(host, $0) ?? 0 }
        return (0..<count).map { Options(host, prefix: "\(path)[\($0)].") }
    }

    /// The whole path of one of these options, as errors name it: `targets[2].host` for the member `host`.
    public func path(_ path: String) -> String { prefix + path }

    /// A string, one of a choice, or a secret.
    public func string(_ path: String) -> String? {
        var value = sonde_string()
        return self.path(path).withContractString { host.pointee.option_string?(host, $0, &value) } == 1
            ? String(value) : nil
    }

    /// `true` or `false`.
    public func bool(_ path: String) -> Bool? {
        var value: Int32 = 0
        return self.path(path).withContractString { host.pointee.option_bool?(host, $0, &value) } == 1
            ? value != 0 : nil
    }

    /// A whole number.
    public func integer(_ path: String) -> Int64? {
        var value: Int64 = 0
        return self.path(path).withContractString { host.pointee.option_int?(host, $0, &value) } == 1 ? value : nil
    }

    /// A number.
    public func double(_ path: String) -> Double? {
        var value = 0.0
        return self.path(path).withContractString { host.pointee.option_double?(host, $0, &value) } == 1 ? value : nil
    }

    /// A span of time.
    public func duration(_ path: String) -> Nanoseconds? {
        var value: Int64 = 0
        let found = self.path(path).withContractString { host.pointee.option_duration_ns?(host, $0, &value) }
        return found == 1 ? Nanoseconds(value) : nil
    }

    /// A number of bytes.
    public func size(_ path: String) -> Int64? {
        var value: Int64 = 0
        return self.path(path).withContractString { host.pointee.option_size_bytes?(host, $0, &value) } == 1
            ? value : nil
    }

    /// A list of strings; empty when not set.
    public func list(_ path: String) -> [String] {
        self.path(path).withContractString { path in
            let count = host.pointee.option_list_count?(host, path) ?? 0
            return (0..<count).compactMap { index in
                var value = sonde_string()
                return host.pointee.option_list_item?(host, path, index, &value) == 1 ? String(value) : nil
            }
        }
    }

    /// A map in the order of the file; empty when not set.
    public func map(_ path: String) -> [(key: String, value: String)] {
        self.path(path).withContractString { path in
            let count = host.pointee.option_map_count?(host, path) ?? 0
            return (0..<count).compactMap { index in
                var key = sonde_string()
                var value = sonde_string()
                guard host.pointee.option_map_item?(host, path, index, &key, &value) == 1 else { return nil }
                return (String(key), String(value))
            }
        }
    }
}

/// The version record of a plugin, `struct sonde_abi`, as stored in the file.
struct PluginVersion: Hashable {
    /// Why a record means that the object must not be loaded.
    enum Flaw: Error, Hashable {
        /// The record contradicts itself, its section, or another record.
        case broken(String)
        /// Another major version of the contract.
        case unknownMajor(UInt32)
        /// Another Swift compiler.
        case otherRuntime(String)
    }

    static let section = "sonde_abi"
    /// A later minor version may append members; a larger section is not a version record.
    static let sectionLimit: UInt64 = 64 << 10
    private static let size: UInt32 = 64

    let major: UInt32
    let minor: UInt32
    private let runtimeField: [UInt8]

    /// The one record in a section's content.
    init(_ content: [UInt8]) throws(Flaw) {
        guard let size = content.littleEndian(UInt32.self, at: 0) else {
            throw .broken("the section has \(content.count) bytes")
        }
        guard size >= Self.size else { throw .broken("the record has \(size) bytes, less than \(Self.size)") }
        guard size == content.count else {
            throw .broken("the section has \(content.count) bytes, and its one record says \(size)")
        }
        major = content.littleEndian(UInt32.self, at: 4) ?? 0
        minor = content.littleEndian(UInt32.self, at: 8) ?? 0
        runtimeField = Array(content[16..<64])
    }

    /// Refuses what this host cannot load.
    ///
    /// The major version is checked first: another one may change the meaning of the rest.
    func check(hostMajor: UInt32, hostRuntime: String) throws(Flaw) {
        guard major == hostMajor else { throw .unknownMajor(major) }
        let runtime = try runtime()
        guard runtime.isEmpty || runtime == hostRuntime else { throw .otherRuntime(runtime) }
    }

    /// Empty for an object that does not share the host's Swift runtime.
    func runtime() throws(Flaw) -> String {
        let name = runtimeField.prefix { $0 != 0 }
        guard runtimeField.dropFirst(name.count).allSatisfy({ $0 == 0 }),
            name.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .broken("its runtime name is not text padded with NUL") }
        return String(decoding: name, as: UTF8.self)
    }
}

internal import CSondePlugin
internal import Glibc
internal import SondeDomain

/// A shared object that the dynamic linker has mapped; it stays mapped for the life of the process.
struct SharedObject {
    typealias Entry = @convention(c) () -> UnsafePointer<sonde_plugin>?

    /// The real path that it was linked from.
    let path: String
    /// The file that was there then.
    let identity: ObjectIdentity
    /// Whether its instances are to be confined.
    let isConfined: Bool
    // The linker's own and never closed: unloading a Swift object crashes the process.
    private let handle: UnsafeMutableRawPointer

    /// Links the object and runs its initializers.
    ///
    /// RTLD_NOW: a missing symbol fails here, not in the first call that needs it. RTLD_LOCAL: plugins do not see each
    /// other's symbols.
    init(linking path: String, identity: ObjectIdentity, isConfined: Bool) throws(SondeError) {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
            throw .pluginLinkFailed(path, dlerror().map { String(cString: $0) } ?? "the linker gives no reason")
        }
        self.path = path
        self.identity = identity
        self.isConfined = isConfined
        self.handle = handle
    }

    /// The entry function of that name, or nil.
    func entry(_ symbol: String) -> Entry? {
        guard let address = dlsym(handle, symbol) else { return nil }
        return unsafeBitCast(address, to: Entry.self)
    }
}

internal import Glibc

/// The Swift runtime that is installed beside the agent, for plugins in Swift that were made for it.
///
/// An agent that has its own inside does not map it before such a plugin is linked. Nothing of the two meets: the agent
/// exports no symbol, and only C types cross the contract.
enum SwiftRuntimeFiles {
    /// Maps the runtime unless it is; a plugin then finds it by the names of its files, wherever the plugin lies.
    ///
    /// Without an installed one, as in a build folder, the linker looks where the plugin says.
    static func link() {
        guard dlopen("libswiftCore.so", RTLD_NOW | RTLD_NOLOAD) == nil, let folder else { return }
        guard let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return }
            let name = String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
            // What is wrong with one is said when a plugin that needs it is linked.
            if name.hasSuffix(".so") { _ = dlopen("\(folder)/\(name)", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) }
        }
    }

    private static var folder: String? {
        guard let program = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(program) }
        // `bin` and `lib` are next to each other.
        let path = String(cString: program).split(separator: "/").dropLast(2).map { "/\($0)" }.joined()
        return "\(path)/lib/sonde/runtime"
    }
}

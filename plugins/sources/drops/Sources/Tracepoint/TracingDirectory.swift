internal import Glibc
internal import SondePluginKit

/// Where tracefs is mounted.
struct TracingDirectory {
    let path: String

    /// Throws where its tracepoints cannot be read at all.
    func check(_ surroundings: @autoclosure () -> Surroundings) throws(PluginError) {
        guard access("\(path)/events", R_OK | X_OK) != 0 else { return }
        throw errno == ENOENT || errno == ENOTDIR
            ? .tracingAbsent(path, surroundings())
            : .tracingForbidden(path, String(cString: strerror(errno)), surroundings())
    }

    /// The description of a tracepoint and its number; nil: the kernel has none of that name.
    func read(
        _ tracepoint: Tracepoint,
        _ surroundings: @autoclosure () -> Surroundings
    ) throws(PluginError) -> (format: TracepointFormat, identifier: UInt64)? {
        let folder = "\(path)/events/\(tracepoint.group)/\(tracepoint.name)"
        let (text, number): ([UInt8], [UInt8])
        do throws(SystemRefusal) {
            text = try KernelFile.read("\(folder)/format")
            number = try KernelFile.read("\(folder)/id")
        } catch {
            guard error.number != ENOENT else { return nil }
            throw .tracingForbidden("\(folder)/format", error.reason, surroundings())
        }
        guard let format = TracepointFormat(text, of: tracepoint.name), let identifier = number[...].trimmedLine.decimal
        else { throw .formatUnreadable("\(folder)/format") }
        return (format, UInt64(identifier))
    }
}

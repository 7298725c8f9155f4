internal import Glibc

/// The words of errno values.
enum SystemError {
    /// What the C library says of `code`; safe from any thread since glibc 2.32.
    static func text(_ code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

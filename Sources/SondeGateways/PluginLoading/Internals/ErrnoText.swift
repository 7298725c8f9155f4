internal import Glibc

/// The text of errno.
enum ErrnoText {
    /// The text for the last failed call of this thread.
    static var current: String {
        let number = errno
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let text = buffer.baseAddress, strerror_r(number, text, buffer.count) == 0 else {
                return "error \(number)"
            }
            return String(cString: text)
        }
    }
}

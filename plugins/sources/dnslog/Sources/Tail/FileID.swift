/// Names a followed path as long as the tail exists; never reused, and the same through all rotations.
struct FileID: Hashable, Sendable {
    let rawValue: Int
}

/// How much a value holds, with aliases counted expanded.
struct YAMLExtent: Sendable {
    /// The values in it, itself included.
    var values = 1
    /// The bytes of text in its keys and single values.
    var textBytes = 0
    /// The levels below and including it.
    var height = 1

    /// Adds its direct contents.
    mutating func add(_ inner: YAMLExtent) {
        values += inner.values
        textBytes += inner.textBytes
        height = max(height, inner.height + 1)
    }
}

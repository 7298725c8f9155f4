public import CSondePlugin

/// A file to read offline.
///
/// Valid for one call only.
public struct Inspection {
    private let inspection: UnsafePointer<sonde_inspection>

    /// The file as the contract carries it; `inspection` must outlive this value.
    public init(_ inspection: UnsafePointer<sonde_inspection>) {
        self.inspection = inspection
    }

    /// Open for reading, after what is in ``head``; belongs to the host.
    public var descriptor: Int32 { inspection.pointee.fd }

    /// The beginning of the file, at least 4 KiB of it or all.
    ///
    /// Decide only by it whether the file is one to read, and throw ``PluginError/unsuited(_:_:)`` if it is not.
    public var head: [UInt8] {
        let bytes = inspection.pointee.head
        return bytes.data == nil ? [] : [UInt8](UnsafeRawBufferPointer(start: bytes.data, count: bytes.size))
    }

    /// For messages only.
    public var path: String { String(inspection.pointee.path) }

    /// `table` or `json`.
    public var format: String { String(inspection.pointee.format) }

    /// Appends to the output.
    ///
    /// Throws the cancellation when the reader is gone.
    public func write(_ bytes: [UInt8]) throws(PluginError) {
        guard let write = inspection.pointee.write else { throw .cancelled }
        let taken = bytes.withUnsafeBytes { write(inspection.pointee.context, $0.baseAddress, $0.count) }
        guard taken == 1 else { throw .cancelled }
    }
}

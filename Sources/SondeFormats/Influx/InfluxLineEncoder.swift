public import SondeDomain

/// Writes InfluxDB line protocol.
public struct InfluxLineEncoder: BatchEncoder {
    /// An encoder.
    public init() {}

    /// Appends a batch.
    public mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport {
        EncodingReport(leftOut: batch.entries.count, documentsLeftOut: batch.documents.count)
    }
}

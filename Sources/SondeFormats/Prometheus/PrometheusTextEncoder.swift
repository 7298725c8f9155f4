public import SondeDomain

/// Writes Prometheus text exposition 0.0.4.
public struct PrometheusTextEncoder: BatchEncoder {
    /// An encoder.
    public init() {}

    /// Appends a batch.
    public mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport {
        EncodingReport(leftOut: batch.entries.count, documentsLeftOut: batch.documents.count)
    }
}

public import SondeDomain

/// Turns batches into the bytes of one format.
///
/// Keeps what it derived from series between batches, so use one per sink, from one thread. The bytes are a pure
/// function of the batch: a batch that is offered again is the same again.
public protocol BatchEncoder {
    /// Appends a batch to the buffer.
    ///
    /// Points in sequence order unless the format wants another, then documents. What cannot be said in the format is
    /// left out and counted.
    mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport
}

public import SondeDomain

/// Keeps batches that were refused permanently, with the reason, so that a person can look at them and resend them.
///
/// One store per sink, called from that sink's thread.
public protocol DeadLetterStore: AnyObject {
    /// Keeps a batch; false when it could not be kept: it is lost then.
    func keep(_ batch: Batch, because error: SondeError, at time: Timestamp) -> Bool
}

internal import SondeDomain
internal import SondeFormats

/// The batch that is being delivered: its messages, and how many of them the brokers have confirmed.
///
/// Kept over failed attempts, so that what is confirmed is not sent again.
struct PendingBatch {
    private let identity: BatchIdentity
    private let entries: Int
    private let documents: Int
    private var messages: ArraySlice<Message>
    private let items: Int
    /// What the format could not express.
    let leftOut: Int
    /// Whether the first message that is not confirmed was handed to the client.
    var isInFlight = false

    init(_ batch: Batch, _ written: WrittenBatch) {
        identity = batch.identity
        entries = batch.entries.count
        documents = batch.documents.count
        messages = written.messages[...]
        (items, leftOut) = (written.items, written.leftOut)
    }

    /// Whether it is this batch, which is offered again.
    ///
    /// An overflow of the log may have taken points out of the same stretch.
    func isAttempt(of batch: Batch) -> Bool {
        identity == batch.identity && entries == batch.entries.count && documents == batch.documents.count
    }

    /// The message to be confirmed next.
    var next: Message? { messages.first }

    /// The next one is confirmed.
    mutating func confirm() {
        messages.removeFirst()
        isInFlight = false
    }

    /// Takes other messages for what is not confirmed.
    mutating func replace(_ written: WrittenBatch) {
        messages = written.messages[...]
        isInFlight = false
    }

    /// Which of the batch's items a message holds, counted from 1: `1-4293/5000`.
    func part(_ message: Message) -> String {
        "\(message.items.lowerBound + 1)-\(message.items.upperBound)/\(items)"
    }
}

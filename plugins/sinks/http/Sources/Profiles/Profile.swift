internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

/// One format of the sink: how a batch becomes a request, and what an answer to it means.
///
/// A value, so that a further format is its own file and an entry in ``all``. What the profiles have in common is
/// written once, in ``StatusRule/common`` and in the sink.
struct Profile: Sendable {
    /// The word of the option `format`.
    let format: String
    /// What it is, to continue with after `format is`.
    let meaning: String
    /// What one instance keeps: its encoder, and what it has learned of the receiver.
    let makeSession: @Sendable (ProfileSettings) -> any ProfileSession
    /// How bodies may be packed; the first is the default.
    var compressions: [Compression] = [.gzip, .zstd, .none]
    /// Refuses a URL that asks the receiver for something else than is sent.
    var checkEndpoint: @Sendable (Endpoint) throws(PluginError) -> Void = { _ in }
    /// Whether requests say which batch they carry, for receivers that find duplicates by it.
    var namesBatches = true
    /// Whether the format has a mark for the end of a series, which `stale_on_stop` may send beside the log.
    var marksEnds = false
    /// How much of an answer is kept.
    var answer = AnswerLimits()
    /// Statuses that mean something else here than in ``StatusRule/common``.
    var rules: [StatusRule] = []
    /// The text in the body of a failure; nil: the body is the text.
    var text: @Sendable ([UInt8]) -> [UInt8]? = { _ in nil }

    /// What an answer means beyond its status.
    enum Reading: Hashable, Sendable {
        /// The receiver has the batch, but for this many points. Where it has all of them, the reason is a warning or empty; it may
        /// be the receiver's own words.
        case delivered(rejected: UInt64, reason: String)
        /// The receiver refuses that many points for what they are, and takes others: they are not sent again. What it says of
        /// them may be a part of its answer.
        case refused(UInt64, words: ReceivedText? = nil)
        /// It means what this rule says.
        case judged(StatusRule)
        /// The receiver wants the batch in another form, which the session writes from now on.
        case again(because: String)
        /// It may be about the points or about the address: the answer to a request without points decides, after which the
        /// session reads this one again.
        case unclear
    }

    /// Every format, the default first.
    static let all: [Profile] = [.json, .influx, .remoteWrite, .otlp]

    /// What a status of a receiver means in this format.
    func rule(for status: Int) -> StatusRule {
        rules.first { $0.statuses.contains(status) } ?? .common(for: status)
    }
}

extension Profile {
    /// Lines of JSON, for any receiver that takes them.
    static let json = Profile(
        format: "json",
        meaning: "one JSON object per line",
        makeSession: { _ in LineSession(.json) }
    )
}

/// What options say of formats, for those that read them.
struct ProfileSettings: Hashable, Sendable {
    /// Which version of a format is written.
    var version = ProfileVersion.auto
    /// How a body of OTLP is written.
    var encoding = OTLPEncoding.protobuf
    /// What counters and histograms of OTLP count.
    var temporality = OTLPTemporality.cumulative
    /// When the sink was made.
    var began = Timestamp(seconds: 0)
    /// What samples are labelled with in Prometheus' formats.
    var target = PrometheusTarget()
    /// Globs of the attributes of a resource that points of OTLP have too.
    var resourceToAttributes: [String] = []
}

/// The words of the option `version`.
enum ProfileVersion: String, CaseIterable, Sendable {
    /// What the receiver takes.
    case auto
    case one = "1"
    case two = "2"
}

/// The words of the option `encoding`.
enum OTLPEncoding: String, CaseIterable, Sendable {
    case protobuf
    case json
}

/// What one instance of a format keeps between deliveries.
///
/// Used from the instance's thread only.
protocol ProfileSession {
    /// The media type of the body that was encoded last.
    var contentType: String { get }
    /// Fields of the request beside those of every format.
    var headers: [HeaderField] { get }
    /// Appends the body of a batch.
    mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport
    /// What an answer means beyond its status; nil: nothing.
    mutating func read(_ transfer: Transfer, of batch: Batch, _ report: EncodingReport) -> Profile.Reading?
    /// The body of a request without points in the form in hand, for answers that are ``Profile/Reading/unclear``.
    var emptyBody: [UInt8] { get }
    /// Takes the answer to a request without points.
    mutating func readEmpty(_ transfer: Transfer)
}

extension ProfileSession {
    var emptyBody: [UInt8] { [] }
    mutating func readEmpty(_ transfer: Transfer) {}
}

/// The session of a format of lines, which learns nothing of the receiver.
struct LineSession: ProfileSession {
    let contentType: String
    var headers: [HeaderField] { [] }
    private var encoder: any BatchEncoder

    /// A session whose answers mean what their status says.
    init(_ format: LineFormat) {
        contentType = format.contentType
        encoder = format.makeEncoder()
    }

    mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport {
        encoder.encode(batch, into: &buffer)
    }

    func read(_ transfer: Transfer, of batch: Batch, _ report: EncodingReport) -> Profile.Reading? { nil }
}

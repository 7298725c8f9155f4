internal import SondeDomain
internal import SondeFormats
internal import SondeGzip
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
    /// The media type of a body.
    let contentType: String
    /// Fields of each request beside those of every format.
    var headers: [HeaderField] = []
    /// A new encoder, for one instance.
    let makeEncoder: @Sendable () -> any BatchEncoder
    /// How bodies may be packed; the first is the default.
    var compressions: [Compression] = [.none, .gzip]
    /// How much of an answer is kept.
    var answer = AnswerLimits()
    /// Statuses that mean something else here than in ``StatusRule/common``.
    var rules: [StatusRule] = []
    /// What an answer means beyond its status; nil: nothing.
    var read: @Sendable (Transfer) -> Reading? = { _ in nil }

    /// What an answer means beyond its status.
    enum Reading: Hashable, Sendable {
        /// The receiver has the batch, but for this many points.
        case delivered(rejected: UInt64, reason: String)
        /// It means what another status means.
        case asStatus(Int)
    }

    /// Every format, the default first.
    static let all: [Profile] = [.json, .influx]

    /// What a status means in this format.
    func rule(for status: Int) -> StatusRule {
        (rules + StatusRule.common).first { $0.statuses.contains(status) } ?? .unknown
    }
}

extension Profile {
    /// Lines of JSON, for any receiver that takes them.
    static let json = Profile(
        format: "json",
        meaning: "one JSON object per line",
        contentType: LineFormat.json.contentType,
        makeEncoder: LineFormat.json.makeEncoder
    )
}

/// How a body is packed, by the word of the option `compression`.
enum Compression: String, CaseIterable, Sendable {
    /// As the encoder has written it.
    case none
    /// RFC 1952.
    case gzip

    /// The value of `Content-Encoding`, or nil for none.
    var contentEncoding: String? { self == .none ? nil : rawValue }

    /// The packed body; the same for the same body.
    func pack(_ body: [UInt8]) throws(PluginError) -> [UInt8] {
        switch self {
        case .none: return body
        case .gzip:
            var packed: [UInt8] = []
            packed.reserveCapacity(body.count / 8)
            let isWhole = Deflater()?.deflate(body[...], isLast: true) { packed += $0 }
            guard isWhole == true else { throw .libcurl("no memory to compress the body") }
            return packed
        }
    }
}

internal import SondeWire

/// Which of the counters of responses one belongs to: by code, records and cache.
struct ResponseCell {
    /// Codes with their own attribute, `other`, and unknown.
    static let codeCount = DNSResponseCode.attributeCount &+ 1
    static let count = codeCount &* 9

    /// Below ``count``.
    let index: Int

    @inline(always)
    init(_ outcome: LogEvent.Outcome) {
        self.init(
            code: outcome.code < 0
                ? Self.codeCount &- 1
                : DNSResponseCode(rawValue: UInt16(truncatingIfNeeded: outcome.code)).attributeIndex,
            outcome.records,
            outcome.cache
        )
    }

    @inline(always)
    private init(code: Int, _ records: LogEvent.Records, _ cache: LogEvent.Cache) {
        index = (code &* 3 &+ records.index) &* 3 &+ cache.index
    }

    /// The cell at an index below ``count``.
    init(index: Int) {
        self.index = index
    }

    static var all: [ResponseCell] { (0..<count).map(ResponseCell.init(index:)) }

    var cache: LogEvent.Cache { LogEvent.Cache(rawValue: UInt8(truncatingIfNeeded: index % 3)) ?? .unknown }

    private var records: LogEvent.Records {
        LogEvent.Records(rawValue: UInt8(truncatingIfNeeded: index / 3 % 3)) ?? .unknown
    }

    /// The attribute of the code; nil when it is not known.
    var codeName: String? {
        let code = index / 9
        guard code < Self.codeCount &- 1 else { return nil }
        return DNSResponseCode.known(at: code)?.attribute ?? "other"
    }

    /// What the response means; nil when that is not known.
    var responseClass: ResponseClass? {
        switch index / 9 {
        case 0: records == .none ? .denial : .success
        case 3: .denial
        case Self.codeCount &- 1: records == .none ? .denial : nil
        default: .error
        }
    }

    /// The value of `error.type`; nil for what is a success or not known.
    var errorType: String? {
        switch responseClass {
        case .success, nil: nil
        case .denial: index / 9 == 3 ? "nxdomain" : "nodata"
        case .error: codeName?.lowercased()
        }
    }
}

/// What a response means for the client.
enum ResponseClass: String {
    case success
    /// The name does not exist, or has no records of the type.
    case denial
    case error
}

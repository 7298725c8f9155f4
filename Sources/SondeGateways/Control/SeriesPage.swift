internal import SondeDomain
internal import SondeEngine
internal import SondeFormats

/// A page of last points, encoded: of at most 1,000 series and about 1 MiB.
struct SeriesPage {
    /// How many series a page has at most.
    static let limit = 1_000
    private static let bytes = 1 << 20

    private let items: [UInt8]
    /// The number after which the next page begins; nil: there is none.
    let next: SeriesID?

    init(_ page: ListSeries.Page) {
        var json = JSONWriter()
        var last: SeriesID?
        var isCut = false
        json.array { json in
            for point in page.points {
                isCut = json.buffer.count >= Self.bytes
                guard !isCut else { return }
                json.value(point)
                last = point.series.id
            }
        }
        items = json.bytes
        next = isCut ? last : page.next
    }

    var answer: ControlAnswer {
        ControlAnswer("series") { [items, next] json in
            json.object { json in
                json.member("items") { $0.raw(items) }
                json.member(ifKnown: "next", next?.rawValue)
            }
        }
    }
}

extension SeriesQuery {
    private static let namesBound = 16
    private static let nameBytes = 255

    /// The query of a request with `names` and `source`.
    init(_ request: JSONValue) throws(SondeError) {
        let arguments = ControlArguments(request)
        let names = try arguments.texts("names")
        guard names.count <= Self.namesBound, names.allSatisfy({ $0.utf8.count <= Self.nameBytes }) else {
            throw ControlArguments.wrong(
                "'names' has more than \(Self.namesBound) globs, or one of more than \(Self.nameBytes) bytes")
        }
        self.init(names: names, source: try arguments.text("source"))
    }
}

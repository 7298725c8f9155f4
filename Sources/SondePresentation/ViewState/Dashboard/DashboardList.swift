internal import SondeFormats

/// The heaviest of something, as a source ranks them.
public struct DashboardList: Hashable, Sendable {
    /// At most so many rows are held.
    public static let rowBound = 1_000

    /// One of them.
    public struct Row: Hashable, Sendable {
        /// What it is called; nothing in it steers a terminal.
        public var label: String
        /// How much.
        public var value: Double?
    }

    /// `talkers.addresses`.
    public var name: String
    /// What it is called.
    public var title: String
    /// The source.
    public var source: String
    /// UCUM.
    public var unit: String
    /// How long the values were counted for, in seconds; nil: they are of that moment.
    public var interval: Double?
    /// Everything, what has no row included.
    public var total: Double?
    /// What is in no row.
    public var rest: Double?
    /// How many rows there are.
    public var count: Int
    /// Those that are known, heaviest first.
    public var rows: [Row]

    /// A list of a snapshot, or a page of the answer to `list`; nil: it has no name.
    init?(_ json: JSONValue) {
        guard let name = json["name"]?.asString else { return nil }
        self.name = name
        title = HarmlessText.line(json["title"]?.asString ?? name)
        source = json["source"]?.asString ?? ""
        unit = json["unit"]?.asString ?? ""
        interval = json["interval_seconds"]?.asDouble.flatMap { $0 > 0 && $0 < 1e6 ? $0 : nil }
        total = json["total"]?.asDouble
        rest = json["rest"]?.asDouble
        rows = (json["rows"]?.asArray ?? []).prefix(Self.rowBound).compactMap { row in
            guard let label = row["label"]?.asString else { return nil }
            return Row(label: HarmlessText.line(label), value: row["value"]?.asDouble)
        }
        count = json["count"]?.asInt64.map { max(0, Int(clamping: $0)) } ?? rows.count
    }

    /// Adds the rows of the next page.
    mutating func add(_ page: DashboardList) {
        rows += page.rows.prefix(max(0, Self.rowBound - rows.count))
    }
}

/// The lists of a snapshot, and those that are not in it.
public struct DashboardLists: Hashable, Sendable {
    private static let mostLists = 256

    /// In the order of the snapshot.
    public var all: [DashboardList]
    /// By name what it takes for a list that no source reports.
    public var needs: [String: String]

    /// What a snapshot has; nil: it is of a version that has no lists.
    init?(_ document: JSONValue?) {
        guard let lists = document?["lists"]?.asArray else { return nil }
        all = lists.prefix(Self.mostLists).compactMap { DashboardList($0) }
        needs = (document?["absent_lists"]?.asArray ?? []).prefix(Self.mostLists).reduce(into: [:]) { needs, list in
            guard let name = list["name"]?.asString else { return }
            needs[name] = HarmlessText.line(list["needs"]?.asString ?? "")
        }
    }

    /// The lists of a name, one for each source that has rows; without any row the first source's.
    func named(_ name: String) -> [DashboardList] {
        let named = all.filter { $0.name == name }
        let known = named.filter { !$0.rows.isEmpty }
        return known.isEmpty ? Array(named.prefix(1)) : known
    }

    /// The list of a name where one source has rows of it; nil: none has, or several.
    func single(_ name: String) -> DashboardList? {
        let named = named(name)
        return named.count == 1 ? named[0] : nil
    }
}

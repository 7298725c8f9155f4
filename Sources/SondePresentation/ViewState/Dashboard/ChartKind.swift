/// How a chart draws its points.
public enum ChartKind: String, Hashable, Sendable, CaseIterable {
    /// Points that are joined.
    case line
    /// What is below them, filled.
    case area
    /// A bar for each stretch of time.
    case bar
}

/// The order of the rows of a table.
public enum DashboardSort: String, Hashable, Sendable, CaseIterable {
    /// What matters most first: what fails, then what is busiest.
    case importance
    /// By name.
    case name
    /// The largest newest value first.
    case current
    /// The largest average first.
    case average
    /// The largest peak first.
    case peak
}

extension CaseIterable where Self: Equatable, AllCases: BidirectionalCollection {
    /// The case after this one, the first after the last.
    public var following: Self {
        let all = Self.allCases
        guard let place = all.firstIndex(of: self), all.index(after: place) < all.endIndex else {
            return all.first ?? self
        }
        return all[all.index(after: place)]
    }
}

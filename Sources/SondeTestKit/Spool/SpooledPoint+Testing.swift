internal import SondeDomain
public import SondeEngine

extension SpooledPoint {
    private static let numbers = Series(
        id: SeriesID(rawValue: 1), source: "test", name: "test.number", kind: .gauge, unit: "1")

    /// A point that carries its own number, observed at that second.
    public static func numbered(_ number: UInt64) -> SpooledPoint {
        SpooledPoint(
            series: numbers,
            time: Timestamp(seconds: Int64(clamping: number)),
            start: nil,
            value: .unsigned(number)
        )
    }

    /// The number of a numbered point; nil for any other.
    public var number: UInt64? {
        guard case .unsigned(let number) = value else { return nil }
        return number
    }
}

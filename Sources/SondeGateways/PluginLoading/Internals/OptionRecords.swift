internal import CSondePlugin
internal import SondeDomain
internal import SondeEngine

/// The options of one instance in the contract's layout; what it returns is valid as long as it exists.
final class OptionRecords {
    enum Record {
        case string(sonde_string)
        case bool(Bool)
        case integer(Int64)
        case double(Double)
        case duration(Int64)
        case size(Int64)
        case list([sonde_string])
        case entries(Int)
        case map([(key: sonde_string, value: sonde_string)])
    }

    static let pathLimit = 255
    private let strings = ContractStrings()
    private var records: [String: Record] = [:]

    init(_ options: OptionValues) {
        for (path, value) in options.values { records[path] = record(value) }
    }

    /// The option at a plugin's path, or nil.
    subscript(path: sonde_string) -> Record? {
        String(path, limit: Self.pathLimit).flatMap { records[$0] }
    }

    private func record(_ value: OptionValues.Value) -> Record {
        switch value {
        case .string(let text): .string(strings.store(text))
        case .secret(let secret): .string(strings.store(secret.reveal()))
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        case .duration(let span): .duration(span.value)
        case .size(let bytes): .size(bytes)
        case .list(let items): .list(items.map(strings.store))
        case .entries(let count): .entries(count)
        case .map(let pairs): .map(pairs.map { (strings.store($0.name), strings.store($0.value)) })
        }
    }
}

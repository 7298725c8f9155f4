import SondeDomain
import SondeEngine

extension [String: OptionValues.Value] {
    func string(_ key: String) -> String? {
        guard case .string(let text) = self[key] else { return nil }
        return text
    }

    func bool(_ key: String) -> Bool? {
        guard case .bool(let value) = self[key] else { return nil }
        return value
    }

    /// A whole number or a size.
    func integer(_ key: String) -> Int64? {
        switch self[key] {
        case .integer(let value), .size(let value): value
        default: nil
        }
    }

    func duration(_ key: String) -> Nanoseconds? {
        guard case .duration(let span) = self[key] else { return nil }
        return span
    }

    func list(_ key: String) -> [String] {
        guard case .list(let texts) = self[key] else { return [] }
        return texts
    }

    func map(_ key: String) -> [Attribute] {
        guard case .map(let pairs) = self[key] else { return [] }
        return pairs
    }
}

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

    func list(_ key: String) -> [String] {
        guard case .list(let texts) = self[key] else { return [] }
        return texts
    }

    func map(_ key: String) -> [Attribute] {
        guard case .map(let pairs) = self[key] else { return [] }
        return pairs
    }
}

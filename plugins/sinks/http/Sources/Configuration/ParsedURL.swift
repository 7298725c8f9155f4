internal import SondePluginKit

/// The parts of a URL, as libcurl's parser sees them.
struct ParsedURL {
    /// In small letters.
    let scheme: String
    /// Without the query and the fragment.
    let display: String
    /// Without the question mark.
    let query: String?
}

extension ParsedURL {
    /// Checks that `text` is a URL with one of `schemes`, and without a user or a password in it.
    init(checking text: String, option: String, schemes: [String]) throws(PluginError) {
        func refused(_ message: String, _ hint: String) -> PluginError {
            .refused(.address, message, hint: hint, option: option)
        }
        let example = "Write it like \(schemes[0])://host.example/path."
        guard !text.isEmpty else { throw refused("\(option) is empty", example) }
        if let index = text.utf8.firstOffset(where: { !(0x21...0x7e).contains($0) }) {
            throw refused(
                "\(option) has a space, a control character or a letter beyond ASCII at byte \(index + 1)",
                "Percent-encode it in the path and the query; write an international host name in its xn-- form."
            )
        }
        switch CurlURL.parse(text) {
        case .failure(.userPart):
            throw refused(
                "\(option) holds a user name or a password",
                option == "url"
                    ? "Use auth.basic.username and auth.basic.password."
                    : "Use proxy: env with the credentials in the environment."
            )
        case .failure(.other(let reason)):
            throw refused("\(option) cannot be read: \(reason)", example)
        case .success(let url):
            guard schemes.contains(url.scheme) else {
                throw refused("\(option) has the scheme '\(url.scheme)'", "Use \(schemes.joined(separator: ", ")).")
            }
            // libcurl takes one to three slashes, and then the first part of the path for the host.
            let authority = text.utf8.dropFirst(url.scheme.utf8.count)
            guard authority.starts(with: "://".utf8), !authority.starts(with: ":///".utf8) else {
                throw refused("\(option) has not two slashes after its scheme", example)
            }
            self = url
        }
    }
}

extension Collection where Element == UInt8 {
    /// How many bytes come before the first that matches, or nil when none does.
    func firstOffset(where matches: (UInt8) -> Bool) -> Int? {
        firstIndex(where: matches).map { distance(from: startIndex, to: $0) }
    }
}

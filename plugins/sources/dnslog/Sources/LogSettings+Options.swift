internal import Glibc
internal import SondeDomain
internal import SondePluginKit
internal import SondeWire

extension LogSettings {
    /// Throws `SND-DLG001` for what cannot be used.
    init(_ options: Options) throws(PluginError) {
        format = options.string("format").flatMap(LogFormat.init(rawValue:))
        top = Int(clamping: options.integer("top") ?? 20)
        switch options.string("privacy") {
        case "hashed": privacy = .hashed(SipKey(first: .random(in: 0 ... .max), second: .random(in: 0 ... .max)))
        case "domain": privacy = .domain
        case "none": privacy = .none
        default: privacy = .full
        }
        if let timeout = options.duration("timeout") { self.timeout = timeout }
        resolvers = try Self.resolvers(options)
        let names = options.list("failures")
        switch FailureRule.parse(names) {
        case .success(let rule): failures = rule
        case .failure(let unknown):
            let place = names.firstIndex(of: unknown.name) ?? 0
            throw PluginError(
                "SND-DLG001",
                .configuration,
                "'\(unknown.name)' is neither a class nor a response code",
                hint: "Classes are \(FailureRule.classes.joined(separator: ", ")); codes are as in SERVFAIL.",
                optionPath: "failures[\(place)]"
            )
        }
    }
}

extension LogSettings {
    /// No resolver listens at more.
    private static let mostResolvers = 16

    private static func resolvers(_ options: Options) throws(PluginError) -> [ResolverAddress] {
        let several = options.list("resolvers")
        let key = several.isEmpty ? "resolver" : "resolvers"
        let texts = several.isEmpty ? options.string("resolver").map { [$0] } ?? [] : several
        guard texts.count <= mostResolvers else {
            throw refusedResolver("\(texts.count) addresses are more than \(mostResolvers)", key)
        }
        var found: [ResolverAddress] = []
        for (index, text) in texts.enumerated() {
            guard let address = ResolverAddress(text) else {
                let place = several.isEmpty ? key : "\(key)[\(index)]"
                throw refusedResolver("'\(text)' is no address with a port", place)
            }
            found.append(address)
        }
        return found
    }

    private static func refusedResolver(_ message: String, _ path: String) -> PluginError {
        DNSLogSource.refused(
            message, path, hint: "Write 127.0.0.1:53 or [::1]:53; 0.0.0.0 and [::] stand for every one.")
    }
}

extension TailSettings {
    /// Nil without a log: an instance that only inspects files needs none.
    ///
    /// Throws `SND-DLG001` for what cannot be used.
    init?(_ options: Options) throws(PluginError) {
        let several = options.list("paths")
        let key = several.isEmpty ? "path" : "paths"
        let names = several.isEmpty ? options.string("path").map { [$0] } ?? [] : several
        guard !names.isEmpty else { return nil }
        for (index, name) in names.enumerated() {
            let place = several.isEmpty ? key : "\(key)[\(index)]"
            guard name == Self.standardInput || name.hasPrefix("/") else {
                throw DNSLogSource.refused("'\(name)' is no absolute path", place)
            }
            guard LogPattern.isUsable(name) else {
                throw DNSLogSource.refused(
                    "'\(name)' has a wildcard in a directory", place, hint: "Only the last component may have one.")
            }
            guard names.firstIndex(of: name) == index else {
                throw DNSLogSource.refused("'\(name)' is there twice, its lines would count twice", place)
            }
        }
        self.init(paths: names)
        if options.string("start") == "beginning" { start = .beginning }
        switch options.string("links") {
        case "follow": links = .follow
        case "refuse": links = .refuse
        default: links = .sameOwner
        }
    }
}

extension DnstapSettings {
    /// Nil without a path: an instance that only inspects files needs none.
    ///
    /// Throws `SND-DLG001` for what cannot be used.
    init?(_ options: Options) throws(PluginError) {
        guard options.list("paths").isEmpty else {
            throw DNSLogSource.refused("one source listens at one socket", "paths", hint: "Name it as path.")
        }
        guard let path = options.string("path") else { return nil }
        guard path.hasPrefix("/") else {
            throw DNSLogSource.refused("'\(path)' is no absolute path", "path", hint: "Name the socket from / on.")
        }
        let mode: mode_t =
            switch options.string("socket_access") {
            case "owner": 0o600
            case "everyone": 0o666
            default: 0o660
            }
        self.init(path: path, mode: mode)
    }
}

extension DNSLogSource {
    /// An option that cannot be used.
    static func refused(
        _ message: String,
        _ path: String,
        hint: String = "Name the resolver's log as an absolute path, or - for standard input."
    ) -> PluginError {
        PluginError("SND-DLG001", .configuration, message, hint: hint, optionPath: path)
    }
}

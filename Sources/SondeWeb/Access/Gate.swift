internal import SondeDomain
internal import SondeEngine

/// Checks tokens and remembers browsers that have shown one; wrong ones are answered slowly and counted.
actor Gate {
    /// What comes of a token.
    enum Verdict: Sendable {
        case right
        case wrong
        /// Too many wrong ones are being answered.
        case tooMany
    }

    private static let slowness = Duration.seconds(1)
    private static let mostSlow = 16
    private static let mostBrowsers = 1_000
    private static let life = Nanoseconds.seconds(86_400)

    private let token: Token
    private let clock: any Clock
    private let report: @Sendable (String) -> Void
    private var browsers: [String: MonotonicInstant] = [:]
    private var slow = 0
    /// How many tokens were wrong.
    private(set) var wrongTokens = 0
    private var lastReport: MonotonicInstant?

    init(_ token: Token, clock: any Clock, report: @escaping @Sendable (String) -> Void) {
        (self.token, self.clock, self.report) = (token, clock, report)
    }

    /// Checks a token.
    func check(_ text: String, from address: String) async -> Verdict {
        if token.matches(text) { return .right }
        wrongTokens += 1
        reportWrongToken(from: address)
        guard slow < Self.mostSlow else { return .tooMany }
        slow += 1
        try? await Task.sleep(for: Self.slowness)
        slow -= 1
        return .wrong
    }

    /// Remembers a browser that has shown the token; returns what its cookie says.
    func admit() -> String {
        let now = clock.monotonicTime
        browsers = browsers.filter { now.since($0.value) < Self.life }
        if browsers.count >= Self.mostBrowsers, let oldest = browsers.min(by: { $0.value < $1.value })?.key {
            browsers[oldest] = nil
        }
        let name = RandomText.make()
        browsers[name] = now
        return name
    }

    /// Whether a cookie is that of a browser that has shown the token within a day.
    func isAdmitted(_ cookie: String) -> Bool {
        guard let time = browsers[cookie] else { return false }
        return clock.monotonicTime.since(time) < Self.life
    }

    /// At most a line a minute.
    private func reportWrongToken(from address: String) {
        let now = clock.monotonicTime
        if let lastReport, now.since(lastReport) < .seconds(60) { return }
        lastReport = now
        report("a wrong token came from \(address); \(wrongTokens) since the start")
    }
}

internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

/// Gets access tokens from a token endpoint by client credentials (RFC 6749, section 4.4), and keeps each until it ends.
///
/// Used from the instance's thread only.
final class AccessTokens {
    /// How the client authenticates itself (RFC 6749, section 2.3.1): by Basic, or in the body where the endpoint refuses that.
    private enum Style {
        case basic
        case body
    }

    // So that none ends on its way to the receiver.
    private static let margin = Nanoseconds.seconds(30)
    private static let longestLife: Int64 = 30 * 86_400

    private let client: OAuth2Settings
    private let settings: TransportSettings
    private let now: () -> MonotonicInstant
    private var style = Style.basic
    private var streak = FaultStreak()
    private var token: (secret: Secret, end: MonotonicInstant?)?
    /// Whether the token was fetched for the request under way.
    private var isFresh = false

    /// Tokens for `client`; `now` is the clock that their ends are on.
    init(
        _ client: OAuth2Settings, _ settings: TransportSettings, now: @escaping () -> MonotonicInstant = { .now }
    ) {
        self.now = now
        self.client = client
        self.settings = settings.directed(to: client.endpoint)
    }

    /// The token, fetched if there is none or it is about to end.
    func token(
        _ secret: Secret, _ session: CurlSession, until deadline: MonotonicInstant, cancel: Int32
    ) throws(PluginError) -> Secret {
        if let token, token.end.map({ now() < $0 }) ?? true {
            isFresh = false
            return token.secret
        }
        token = nil
        var transfer = try ask(secret, session, until: deadline, cancel)
        if style == .basic, let status = transfer.status, [400, 401].contains(status) {
            style = .body
            transfer = try ask(secret, session, until: deadline, cancel)
            if transfer.status != 200 { style = .basic }
        }
        let taken = try take(transfer, secret)
        token = taken
        isFresh = true
        return taken.secret
    }

    /// Drops the token; false: there is none, or it was fetched for the request that was refused.
    func drop() -> Bool {
        guard token != nil else { return false }
        token = nil
        return !isFresh
    }

    private func ask(
        _ secret: Secret, _ session: CurlSession, until deadline: MonotonicInstant, _ cancel: Int32
    ) throws(PluginError) -> Transfer {
        var pairs = [Attribute("grant_type", "client_credentials")] + client.parameters
        var field = Authorization.Field.none
        switch style {
        case .basic:
            field = .basic(
                username: Self.formEncoded(client.clientID), password: Secret(Self.formEncoded(secret.reveal())))
        case .body:
            pairs += [Attribute("client_id", client.clientID), Attribute("client_secret", secret.reveal())]
        }
        let body = pairs.map { "\(Self.formEncoded($0.name))=\(Self.formEncoded($0.value))" }.joined(separator: "&")
        let request = Request(
            fields: [
                HeaderField(name: "Content-Type", value: "application/x-www-form-urlencoded"),
                HeaderField(name: "Accept", value: "application/json"),
            ],
            body: Array(body.utf8))
        return try session.post(request, settings, field, until: deadline, cancel: cancel)
    }

    private func take(_ transfer: Transfer, _ secret: Secret) throws(PluginError) -> (
        secret: Secret, end: MonotonicInstant?
    ) {
        let failure = DeliveryError(
            address: "\(client.endpoint.display) (auth.oauth2.token_url)",
            redaction: Redaction([secret.reveal(), Self.formEncoded(secret.reveal())] + client.endpoint.secrets))
        guard let status = transfer.status else {
            let fault = TransferFault(transfer)
            throw failure.forFault(fault, streak.failureClass(of: fault), of: transfer)
        }
        streak.end()
        if let error = failure.forStatus(status, Self.rule(status), of: transfer) { throw error }
        guard let answer = try? JSONReader.parse(transfer.body.bytes), let text = answer["access_token"]?.asString,
            !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw PluginError(
                Self.noToken, .configuration,
                "\(client.endpoint.display) has answered \(status) without an access_token",
                hint: "Check auth.oauth2.token_url.", optionPath: "auth.oauth2.token_url")
        }
        let life = answer["expires_in"]?.asInt64 ?? answer["expires_in"]?.asString.flatMap { Int64($0) }
        let end = life.map { life in
            let span = Nanoseconds.seconds(min(max(0, life), Self.longestLife))
            return now().advanced(by: max(.seconds(1), Nanoseconds(span.value - Self.margin.value)))
        }
        return (Secret(text), end)
    }

    /// 400 is an answer about the client here (RFC 6749, section 5.2), and no batch can be the cause of any.
    private static func rule(_ status: Int) -> StatusRule {
        if status == 400 {
            return StatusRule(
                400, .failed(.accessRefused), "The token endpoint refuses the client.",
                "Check auth.oauth2.client_id, client_secret and scopes.")
        }
        let rule = StatusRule.common(for: status)
        return switch rule.failureClass(asksToWait: false) {
        case .permanentData?, .tooLarge?:
            StatusRule(
                status, .failed(.configuration), "The token endpoint refuses the request.",
                "Check auth.oauth2.token_url.")
        default: rule
        }
    }

    /// The code of an answer without a token.
    static let noToken = "SND-AUT002"

    /// `application/x-www-form-urlencoded`, with `%20` for a space.
    private static func formEncoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
                encoded.unicodeScalars.append(UnicodeScalar(byte))
            default:
                encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}

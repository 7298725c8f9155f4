internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import SondeFormats
internal import SondePresentation

/// Answers requests.
struct PageResponder: Sendable {
    private static let mostBytes = 4_096
    private static let cookie = "sonde"

    let hub: PageHub
    let gate: Gate
    let rules: AccessRules
    let version: String
    private let assets = Asset.all()

    init(hub: PageHub, gate: Gate, rules: AccessRules, version: String) {
        (self.hub, self.gate, self.rules, self.version) = (hub, gate, rules, version)
    }

    /// Answers one request; throws where the connection is of no more use.
    func respond(to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel) async throws {
        if let refusal = refusal(of: request, channel) { return try await send(refusal, writer) }
        let path = request.uri.path
        switch (request.method, path) {
        case (.get, "/healthz"): try await send(Answer(.ok, "ok\n"), writer)
        case (.get, _) where assets[path] != nil:
            try await send(assets[path]?.answer(to: request.head) ?? Answer(.notFound), writer)
        case (.post, "/login"): try await send(await login(request, channel), writer)
        case (.get, "/events"):
            switch await visitor(request, channel) {
            case .refused(let answer): try await send(answer, writer)
            case .welcome(let permission): try await stream(request, permission, writer, channel)
            }
        case (.post, "/intent"):
            switch await visitor(request, channel) {
            case .refused(let answer): try await send(answer, writer)
            case .welcome(let permission): try await send(await intent(request, permission), writer)
            }
        case (.get, "/export"):
            switch await visitor(request, channel) {
            case .refused(let answer): try await send(answer, writer)
            case .welcome: try await export(request, writer)
            }
        case (_, "/login"), (_, "/events"), (_, "/intent"), (_, "/export"), (_, "/healthz"):
            try await send(Answer(.methodNotAllowed, "this is not asked so\n"), writer)
        default:
            try await send(
                Answer(assets[path] == nil ? .notFound : .methodNotAllowed, "there is no such page\n"), writer)
        }
    }

    private func send(_ answer: Answer, _ writer: consuming ResponseWriter) async throws {
        try await writer.write(response: answer.head, body: ResponseBody(byteBuffer: answer.body))
    }

    // MARK: Who asks

    /// The answer to a request that is not for this server, or comes from elsewhere than its page.
    private func refusal(of request: Request, _ channel: any Channel) -> Answer? {
        guard request.uri.path != "/healthz" else { return nil }
        guard rules.isAddressed(request.head, at: channel.localAddress?.ipAddress) else {
            return Answer(
                .forbidden, code: "host", message: "this server does not go by that name; start it with --host NAME")
        }
        guard assets[request.uri.path] != nil || rules.isFromOwnPage(request.head) else {
            return Answer(.forbidden, code: "origin", message: "this request comes from the page of another site")
        }
        return nil
    }

    /// What a request may do, or the answer to one that may nothing.
    private enum Visitor {
        case welcome(PagePermission)
        case refused(Answer)
    }

    private func visitor(_ request: Request, _ channel: any Channel) async -> Visitor {
        if let text = bearer(request) {
            switch await gate.check(String(text), from: Self.address(channel)) {
            case .right: return .welcome(.order)
            case .wrong: return .refused(Self.unauthorized("this token is wrong"))
            case .tooMany: return .refused(Self.tooMany)
            }
        }
        if let cookie = cookie(request), await gate.isAdmitted(cookie) { return .welcome(.order) }
        switch rules.looking {
        case .isFree: return .welcome(.look)
        case .needsToken: return .refused(Self.unauthorized("this server answers requests with its token only"))
        }
    }

    private func bearer(_ request: Request) -> Substring? {
        guard let field = request.headers[.authorization], field.lowercased().hasPrefix("bearer ") else { return nil }
        return field.dropFirst("bearer ".count)
    }

    private func cookie(_ request: Request) -> String? {
        request.headers[values: .cookie].flatMap { $0.split(separator: ";") }.lazy
            .map { $0.drop { $0 == " " } }
            .first { $0.hasPrefix("\(Self.cookie)=") }
            .map { String($0.dropFirst(Self.cookie.count + 1)) }
    }

    private static func unauthorized(_ message: String) -> Answer {
        var answer = Answer(.unauthorized, code: "token", message: message)
        answer.fields[.wwwAuthenticate] = "Bearer"
        return answer
    }

    private static var tooMany: Answer {
        var answer = Answer(.tooManyRequests, code: "token", message: "too many wrong tokens; wait a second")
        answer.fields[.retryAfter] = "1"
        return answer
    }

    private static func address(_ channel: any Channel) -> String {
        channel.remoteAddress?.ipAddress ?? "an unknown address"
    }

    /// Exchanges the token for a cookie, since a browser's stream of events carries no other field.
    private func login(_ request: Request, _ channel: any Channel) async -> Answer {
        let text: String
        switch await body(request) {
        case .refused(let answer): return answer
        case .json(let json):
            guard let token = json["token"]?.asString else {
                return Answer(.badRequest, code: "request", message: "'token' has to be a text")
            }
            text = token
        }
        switch await gate.check(text, from: Self.address(channel)) {
        case .wrong: return Self.unauthorized("this token is wrong")
        case .tooMany: return Self.tooMany
        case .right: break
        }
        var answer = Answer(.noContent)
        // Without a need for it the cookie is not made: other servers of this machine would get it too.
        guard case .needsToken = rules.looking else { return answer }
        let isSecure = rules.isEncrypted || request.headers[.origin]?.hasPrefix("https://") ?? false
        answer.fields[.setCookie] =
            "\(Self.cookie)=\(await gate.admit()); Path=/; Max-Age=86400; HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
        return answer
    }

    // MARK: Intents

    private enum Body {
        case json(JSONValue)
        case refused(Answer)
    }

    private func body(_ request: Request) async -> Body {
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
        guard type == "application/json" else {
            return .refused(
                Answer(.unsupportedMediaType, code: "request", message: "the body has to be application/json"))
        }
        do {
            let bytes = try await request.body.collect(upTo: Self.mostBytes)
            return .json(try JSONReader.parse(Array(bytes.readableBytesView)))
        } catch is JSONError {
            return .refused(Answer(.badRequest, code: "request", message: "the body is not JSON"))
        } catch {
            return .refused(
                Answer(.contentTooLarge, code: "request", message: "the body may have \(Self.mostBytes) bytes"))
        }
    }

    private func intent(_ request: Request, _ permission: PagePermission) async -> Answer {
        guard let id = request.pageID else { return Self.noPage }
        switch await body(request) {
        case .refused(let answer): return answer
        case .json(let json):
            do {
                try await hub.apply(DashboardIntent.page(json), to: id, by: permission)
                return Answer(.noContent)
            } catch let flaw as DashboardIntent.Flaw {
                return Answer(.badRequest, code: "request", message: flaw.message)
            } catch PageHub.Refusal.tokenNeeded {
                return Self.unauthorized("this needs the token: open the link that 'sonde web' has printed")
            } catch {
                return Self.noPage
            }
        }
    }

    private static let noPage = Answer(.notFound, code: "session", message: "this page is not open any more")

    // MARK: Events

    private func stream(
        _ request: Request, _ permission: PagePermission, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let id: PageID
        do {
            id = try await hub.open { channel.close(promise: nil) }
        } catch {
            var answer = Answer(.serviceUnavailable, code: "full", message: "as many pages are open as there may be")
            answer.fields[.retryAfter] = "10"
            return try await send(answer, writer)
        }
        do {
            var body = try await begin(writer)
            try await request.body.consumeWithInboundCloseHandler { _ in
                try await write(id, permission, to: &body)
            } onInboundClosed: {
                Task { await hub.close(id) }
            }
            await hub.close(id)
            try await body.finish(nil)
        } catch {
            await hub.close(id)
            throw error
        }
    }

    private func begin(_ writer: consuming ResponseWriter) async throws -> any ResponseBodyWriter {
        var fields = SecurityFields.all
        fields[.contentType] = "text/event-stream"
        fields[.cacheControl] = "no-store"
        return try await writer.writeHead(HTTPResponse(status: .ok, headerFields: fields))
    }

    private func write(_ id: PageID, _ permission: PagePermission, to body: inout any ResponseBodyWriter) async throws {
        var json = JSONWriter()
        json.object { json in
            json.member("session", id.description)
            json.member("canOrder", permission == .order)
            json.member("version", version)
        }
        try await body.write(ServerEvent.session(json.bytes))
        while true {
            switch await hub.next(id) {
            case .view(let bytes): try await body.write(ServerEvent.view(bytes))
            case .quiet: try await body.write(ServerEvent.quiet)
            case .end: return
            }
        }
    }

    // MARK: Files

    private func export(_ request: Request, _ writer: consuming ResponseWriter) async throws {
        guard let id = request.pageID else { return try await send(Self.noPage, writer) }
        guard let format = request.query("format"), ["csv", "json"].contains(format) else {
            let answer = Answer(.badRequest, code: "request", message: "'format' has to be csv or json")
            return try await send(answer, writer)
        }
        let download: DownloadID
        do {
            download = try await hub.export(String(format), of: id)
        } catch {
            return try await send(Self.answer(to: error), writer)
        }
        do {
            try await send(download, format, writer)
            await hub.end(download)
        } catch {
            await hub.end(download)
            throw error
        }
    }

    private static func answer(to refusal: PageHub.Refusal) -> Answer {
        switch refusal {
        case .full: Answer(.serviceUnavailable, code: "full", message: "too many files are being written; try again")
        case .nothingToExport: Answer(.conflict, code: "chart", message: "there is no chart to export")
        case .unknownPage, .tokenNeeded: noPage
        }
    }

    private func send(
        _ download: DownloadID, _ format: Substring, _ writer: consuming ResponseWriter
    ) async throws {
        switch await hub.next(download) {
        case .failed(let code, let message):
            try await send(Answer(.badGateway, code: code, message: message), writer)
        case .end:
            try await send(Answer(.noContent), writer)
        case .text(let bytes, let fileName):
            var fields = SecurityFields.all
            fields[.contentType] = format == "csv" ? "text/csv; charset=utf-8" : "application/json"
            fields[.contentDisposition] = "attachment; filename=\"\(fileName)\""
            fields[.cacheControl] = "no-store"
            var body: any ResponseBodyWriter = try await writer.writeHead(
                HTTPResponse(status: .ok, headerFields: fields))
            try await body.write(ByteBuffer(bytes: bytes))
            try await sendRest(of: download, to: &body)
            try await body.finish(nil)
        }
    }

    private func sendRest(of download: DownloadID, to body: inout any ResponseBodyWriter) async throws {
        while true {
            switch await hub.next(download) {
            case .text(let bytes, _): try await body.write(ByteBuffer(bytes: bytes))
            case .end: return
            // Without the end that belongs to it the browser knows that the file is not whole.
            case .failed: throw IncompleteFile()
            }
        }
    }
}

/// A file that was begun and cannot be ended.
private struct IncompleteFile: Error {}

/// Server-sent events.
enum ServerEvent {
    /// What is sent when nothing has changed, so that a dead connection is noticed.
    static let quiet = ByteBuffer(string: ":\n\n")

    /// The first event, with when to connect again.
    static func session(_ json: [UInt8]) -> ByteBuffer { event("retry: 1000\nevent: session\ndata: ", json) }

    /// What has changed.
    static func view(_ json: [UInt8]) -> ByteBuffer { event("event: view\ndata: ", json) }

    private static func event(_ head: String, _ json: [UInt8]) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(head.utf8.count + json.count + 2)
        buffer.writeString(head)
        buffer.writeBytes(json)
        buffer.writeString("\n\n")
        return buffer
    }
}

extension Request {
    /// The value of a parameter.
    fileprivate func query(_ name: String) -> Substring? {
        let text = head.path?.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        return text.split(separator: "&").first { $0.hasPrefix("\(name)=") }?.dropFirst(name.utf8.count + 1)
    }

    /// The page that it is about.
    fileprivate var pageID: PageID? { query("session").flatMap { PageID($0) } }
}

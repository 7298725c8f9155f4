internal import HTTPTypes
internal import NIOCore
internal import SondeFormats

/// A whole answer.
struct Answer: Sendable {
    var status: HTTPResponse.Status
    var fields = HTTPFields()
    var body = ByteBuffer()

    /// Without a body.
    init(_ status: HTTPResponse.Status) {
        self.status = status
    }

    /// Text.
    init(_ status: HTTPResponse.Status, _ text: String) {
        self.status = status
        fields[.contentType] = "text/plain; charset=utf-8"
        body = ByteBuffer(string: text)
    }

    /// A failure, for programs and for people.
    init(_ status: HTTPResponse.Status, code: String, message: String) {
        var json = JSONWriter()
        json.object { json in
            json.member("code", code)
            json.member("message", message)
        }
        self.status = status
        fields[.contentType] = "application/json"
        body = ByteBuffer(bytes: json.bytes)
    }

    /// The head, with what a browser must hold to.
    var head: HTTPResponse {
        var fields = SecurityFields.all
        if self.fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
        for field in self.fields { fields.append(field) }
        if status != .noContent, status != .notModified { fields[.contentLength] = "\(body.readableBytes)" }
        return HTTPResponse(status: status, headerFields: fields)
    }
}

/// What every answer says to a browser: nothing runs but the scripts of this server, and nobody else shows or reads the page.
enum SecurityFields {
    /// The fields.
    static let all: HTTPFields = {
        var fields = HTTPFields()
        for (name, value) in pairs {
            guard let name = HTTPField.Name(name) else { continue }
            fields[name] = value
        }
        return fields
    }()

    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
        form-action 'none'; base-uri 'none'; frame-ancestors 'none'
        """

    private static let pairs = [
        ("Content-Security-Policy", policy),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}

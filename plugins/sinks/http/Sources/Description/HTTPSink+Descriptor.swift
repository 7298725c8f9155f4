internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

extension HTTPSink {
    static let descriptor = PluginDescriptor(
        name: "http",
        kind: .sink,
        version: "0.1.0",
        summary: "Posts each batch to an HTTP receiver as lines of JSON.",
        needs: ["libcurl 7.87 or later", "A way to the receiver over TCP"],
        options: requestOptions + credentialOptions + connectionOptions,
        errors: refusals + faults + statuses,
        delivery: .durable
    )
}

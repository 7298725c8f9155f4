internal import SondeFormats

extension Profile {
    /// Lines of JSON, for any receiver that takes them.
    static let json = Profile(
        format: "json",
        meaning: "one JSON object per line",
        contentType: LineFormat.json.contentType,
        makeEncoder: LineFormat.json.makeEncoder
    )
}

/// A condition that did not come true in time.
struct TimedOut: Error, CustomStringConvertible {
    let condition: String
    let limit: Duration

    var description: String { "not within \(limit): \(condition)" }
}

/// Polls until `body` has a value, and throws when it has none within the limit.
func eventually<Value>(
    _ condition: String,
    within limit: Duration = .seconds(40),
    _ body: () async throws -> Value?
) async throws -> Value {
    let end = ContinuousClock.now + limit
    while true {
        if let value = try await body() { return value }
        guard ContinuousClock.now < end else { throw TimedOut(condition: condition, limit: limit) }
        try await Task.sleep(for: .milliseconds(20))
    }
}

/// Polls until `body` is true.
func eventually(
    _ condition: String,
    within limit: Duration = .seconds(40),
    _ body: () async throws -> Bool
) async throws {
    let _: Void = try await eventually(condition, within: limit) { try await body() ? () : nil }
}

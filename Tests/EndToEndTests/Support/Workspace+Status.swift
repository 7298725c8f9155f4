import Foundation
import Testing

extension Workspace {
    /// What an agent whose control socket is `s` in the workspace says of itself.
    func status(of agent: Agent) async throws -> [String: Any] {
        try await eventually("the control socket") { FileManager.default.fileExists(atPath: path("s")) }
        let answer = try await run([Checkout.sonde, "status", "--format", "json", "--socket", path("s")])
        let object = try JSONSerialization.jsonObject(with: Data(answer.output.utf8))
        return try #require(object as? [String: Any], "\(answer.output)")
    }
}

import Foundation
import Testing

/// What a quiet host with one uplink sends at each level.
struct LevelTests {
    @Test(.enabled(if: getuid() == 0, "root, for a network namespace"))
    func coreOfAHostWithOneUplinkIsSmall() async throws {
        try await Workspace.use { workspace in
            var counts: [String: Int] = [:]
            for level in ["core", "extended", "all"] {
                let text = """
                    version: 1
                    agent: { interval: 300ms }
                    sources:
                      - { id: kernel, plugin: procnet, level: \(level) }
                    sinks:
                      - { id: lines, plugin: file, path: \(workspace.path(level)) }

                    """
                let file = try workspace.write("sonde.yaml", text)
                let setup =
                    "ip link set lo up; ip link add up0 type veth peer name far; ip link set up0 up; "
                    + "ip link set far up; ip address add 192.0.2.2/24 dev up0; ip route add default via 192.0.2.1"
                let process = try workspace.start(
                    ["/usr/bin/unshare", "--net", "/bin/sh", "-c", "\(setup); exec \"$@\"", "sh"]
                        + [Checkout.sonde, "run", "-c", file] + Workspace.pluginDirectory, as: "agent")
                let agent = Agent(process: process, workspace: workspace)
                try await agent.waitForTimes(6, in: level)
                #expect(try await agent.stop() == .exited(0))
                let points = try PointLine.all(agent.lines(in: level).joined(separator: "\n") + "\n")
                counts[level] =
                    Set(points.map { "\($0.name) \(($0.attributes ?? [:]).sorted { $0.key < $1.key })" }).count
                let interfaces = Set(
                    points.filter { $0.name == "system.network.io" }.compactMap {
                        $0.attributes?["network.interface.name"]
                    })
                #expect(interfaces == (level == "core" ? ["up0"] : ["up0", "far", "lo"]))
            }
            let core = try #require(counts["core"])
            #expect((80...150).contains(core), "\(counts)")
            #expect(core < counts["extended"] ?? 0 && counts["extended"] ?? 0 < counts["all"] ?? 0, "\(counts)")
        }
    }
}

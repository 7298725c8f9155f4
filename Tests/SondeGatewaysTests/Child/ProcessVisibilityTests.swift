import Testing

@testable import SondeGateways

@Suite struct ProcessVisibilityTests {
    private static let root = "22 1 0:20 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"

    private static func proc(_ options: String) -> String {
        "26 22 0:24 / /proc rw,nosuid shared:13 - proc proc rw\(options)\n"
    }

    @Test(arguments: [
        ("", false), (",hidepid=invisible", true), (",hidepid=2", true), (",hidepid=ptraceable,subset=pid", true),
        (",hidepid=0", false), (",gid=4,hidepid=off", false),
    ])
    func anOptionOfTheMountHidesProcesses(_ options: String, _ isHidden: Bool) {
        #expect(ProcessVisibility.isHiding(Self.root + Self.proc(options)) == isHidden)
    }

    /// What systemd mounts over it is what the agent sees.
    @Test func theLastMountCounts() {
        #expect(ProcessVisibility.isHiding(Self.proc("") + Self.proc(",hidepid=invisible")))
        #expect(!ProcessVisibility.isHiding(Self.proc(",hidepid=invisible") + Self.proc("")))
        #expect(!ProcessVisibility.isHiding(""))
    }
}

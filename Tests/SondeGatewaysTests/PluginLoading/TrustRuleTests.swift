import Testing

@testable import SondeGateways

struct TrustRuleTests {
    private let rule = TrustRule(user: 1_000, group: 1_000)

    private func file(_ owner: UInt32, _ group: UInt32, _ permissions: UInt32, accessList: Bool = false) -> FileStatus {
        FileStatus(
            owner: owner,
            group: group,
            permissions: permissions,
            kind: .regular,
            hasAccessList: accessList
        )
    }

    @Test(arguments: [0, 1_000] as [UInt32])
    func acceptsFilesOfRootAndOfTheUser(_ owner: UInt32) {
        #expect(rule.objection(toFile: file(owner, 0, 0o755)) == nil)
    }

    @Test func objectsToFilesOfOthers() {
        #expect(rule.objection(toFile: file(1_001, 0, 0o755)) != nil)
    }

    @Test func objectsToFilesThatOthersCanWrite() {
        #expect(rule.objection(toFile: file(0, 0, 0o646)) != nil)
        #expect(rule.objection(toFile: file(1_000, 50, 0o664)) != nil)
    }

    @Test func acceptsThePrivateGroupOfTheUser() {
        #expect(rule.objection(toFile: file(1_000, 1_000, 0o664)) == nil)
    }

    @Test func takesASharedPrimaryGroupForSomebodyElse() {
        let shared = TrustRule(user: 1_000, group: 100)
        #expect(shared.objection(toFile: file(1_000, 100, 0o664)) != nil)
    }

    @Test func objectsToAnAccessListBehindThePrivateGroup() {
        #expect(rule.objection(toFile: file(1_000, 1_000, 0o664, accessList: true)) != nil)
        #expect(rule.objection(toFile: file(1_000, 1_000, 0o644, accessList: true)) == nil)
    }

    @Test func acceptsTheStickyDirectoryOfRootOnly() {
        #expect(rule.objection(toDirectory: file(0, 0, 0o1777)) == nil)
        #expect(rule.objection(toDirectory: file(1_000, 1_000, 0o1777)) != nil)
        #expect(rule.objection(toDirectory: file(0, 0, 0o777)) != nil)
        #expect(rule.objection(toFile: file(0, 0, 0o1777)) != nil)
    }

    @Test func listsEveryDirectoryAbove() {
        #expect(PluginFile.parents(of: "/a/b/c.so") == ["/a/b", "/a", "/"])
        #expect(PluginFile.parents(of: "/c.so") == ["/"])
    }
}

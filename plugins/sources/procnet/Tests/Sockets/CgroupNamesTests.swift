import Foundation
import Testing

@testable import ProcNetPlugin

@Suite struct CgroupNamesTests {
    private static let id = String(repeating: "0123456789abcdef", count: 4)

    @Test(arguments: [
        ("", "/"), ("/system.slice/nginx.service", "nginx.service"),
        ("/system.slice/nginx.service/worker/1", "nginx.service"),
        ("/user.slice/user-1000.slice/user@1000.service/app.slice/shell.scope", "shell.scope"),
        ("/system.slice/docker-\(id).scope", "docker-0123456789ab"), ("/docker/\(id)", "docker-0123456789ab"),
        ("/kubepods.slice/kubepods-pod1.slice/cri-containerd-\(id).scope", "cri-containerd-0123456789ab"),
        ("/\(id)", "container-0123456789ab"), ("/machine.slice", "machine.slice"), ("/lxc/web", "web"),
    ])
    func aCgroupIsCalledByItsUnitOrContainer(path: String, word: String) {
        #expect(CgroupNames.word(path) == word)
    }

    @Test func theNumberOfADirectoryIsItsName() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "cgroups-\(UUID().uuidString)").path
        let unit = root + "/system.slice/a.service"
        try FileManager.default.createDirectory(atPath: unit, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        let number = try #require(FileManager.default.attributesOfItem(atPath: unit)[.systemFileNumber] as? UInt64)
        let names = CgroupNames(roots: ["/nowhere", root])
        names.learn([number])
        #expect(names[number] == nil, "no tree of version 2")
        try Data().write(to: URL(filePath: root + "/cgroup.controllers"))
        names.learn([number])
        #expect(names[number] == "a.service")
    }
}

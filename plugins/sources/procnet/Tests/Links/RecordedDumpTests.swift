import Foundation
import SondeDomain
import SondeNetlink
import SondeTestKit
import Testing

@testable import ProcNetPlugin

/// What a kernel answered once, byte by byte.
@Suite struct RecordedDumpTests {
    private func links(_ file: String) throws -> [LinkDescription] {
        let dump = try LinkReader(NetlinkScript(file)).links(limit: 100)
        #expect(dump.isWhole)
        return dump.value.links
    }

    @Test func everyDeviceOfTheHostIsRead() throws {
        let links = try links("links")
        let kinds = Dictionary(uniqueKeysWithValues: links.map { ($0.link.name, LinkKind.word(of: $0.link)) })
        #expect(
            kinds == [
                "lo": "loopback", "br0": "bridge", "va": "veth", "vb": "veth", "mac0": "macvlan", "vx0": "tunnel",
                "tap0": "tun", "ifb9": "ifb", "lxdoor": "veth",
            ]
        )
        let byName = Dictionary(uniqueKeysWithValues: links.map { ($0.link.name, $0) })
        let bridge = try #require(byName["br0"]?.link.index)
        #expect(byName["va"]?.link.master == bridge)
        #expect(byName["tap0"]?.link.master == bridge)
        #expect(byName["mac0"]?.link.lower == byName["vb"]?.link.index)
        #expect(byName["va"]?.link.lower == byName["vb"]?.link.index)
        #expect(byName["va"]?.link.hasForeignPeer == false)
        #expect(byName["lxdoor"]?.link.hasForeignPeer == true)
        #expect(byName["vb"]?.alias == "to the bridge")
        #expect(byName["vb"]?.operationalState == .up)
        #expect(byName["vb"]?.isRunning == true)
        #expect(byName["ifb9"]?.isRunning == false)
        #expect(byName["lo"]?.mtu == 65_536)
    }

    @Test func theCountsAreThoseOfTheFramesThatWereSent() throws {
        let names = Dictionary(uniqueKeysWithValues: try links("links").map { ($0.link.name, $0.link.index) })
        let counters = try LinkReader(NetlinkScript("counters")).counters(from: [Int32: LinkCounters]()) {
            $0[$1] = $2
        }.value
        #expect(counters.count == 9)
        let member = try #require(names["va"].flatMap { counters[$0] })
        #expect(member.count == 25)
        #expect(member[.receivedBytes] == 50_000)
        #expect(member[.receivedPackets] == 100)
    }

    @Test func theUplinksOfTheHostFollowItsDefaultRoute() throws {
        let links = try links("links").map(\.link)
        let bridge = try #require(links.first { $0.name == "br0" })
        let routed = UplinkChoice(among: links, defaultRoutes: [bridge.index])
        #expect(routed.rule == .defaultRoute)
        #expect(Set(routed.links.map(\.name)) == ["va", "tap0"])
        let unrouted = UplinkChoice(among: links)
        #expect(unrouted.rule == .container)
        #expect(unrouted.links.map(\.name) == ["lxdoor"])
    }

    @Test func theContainersUplinkIsItsDoor() throws {
        let links = try links("container").map(\.link)
        #expect(Set(links.map(\.name)) == ["lo", "eth0"])
        let choice = UplinkChoice(among: links)
        #expect(choice.rule == .container)
        #expect(choice.links.map(\.name) == ["eth0"])
    }

    private func count(_ file: String, _ datagrams: [[UInt8]]) -> Int {
        let reader = LinkReader(NetlinkScript(datagrams))
        if file == "counters" { return (try? reader.counters(from: 0) { count, _, _ in count += 1 })?.value ?? 0 }
        return (try? reader.links(limit: 100))?.value.links.count ?? 0
    }

    @Test(arguments: ["links", "counters", "container"])
    func aRecordedAnswerCutAtAnyByteIsReadWithoutATrap(file: String) throws {
        let whole = try NetlinkScript.datagrams(file)
        for (position, datagram) in whole.enumerated() {
            for length in 0..<datagram.count {
                let cut = Array(whole[..<position]) + [Array(datagram.prefix(length))]
                #expect(count(file, cut) <= 9)
            }
        }
    }
}

extension NetlinkScript {
    /// The answer that a file has, its length before each datagram.
    fileprivate convenience init(_ file: String) throws {
        self.init(try Self.datagrams(file))
    }

    fileprivate static func datagrams(_ file: String) throws -> [[UInt8]] {
        var bytes = try Data(contentsOf: URL(filePath: "\(ProcTree.directory)/Fixtures/netlink/\(file).bin"))[...]
        var datagrams: [[UInt8]] = []
        while bytes.count >= 4 {
            let length = bytes.prefix(4).enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
            datagrams.append([UInt8](bytes.dropFirst(4).prefix(length)))
            bytes = bytes.dropFirst(4 + length)
        }
        return datagrams
    }
}

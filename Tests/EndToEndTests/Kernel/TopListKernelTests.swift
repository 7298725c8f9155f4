import Foundation
import Glibc
import Testing

/// Talkers, names, failing names and clients, as a snapshot has them, beside what was sent through a veth pair to a real resolver.
@Suite struct TopListKernelTests {
    private static let dnsmasq = "/usr/sbin/dnsmasq"
    private static var canSend: Bool { Iproute.isInstalled && getuid() == 0 && access(dnsmasq, X_OK) == 0 }

    /// What was sent in one go, in less than an interval.
    private struct Sent: Decodable {
        /// Bytes of whole frames by the address at the other end, by port of the server, and by conversation.
        var addresses: [String: Double]
        var ports: [String: Double]
        /// Queries by name and client, and those that were denied or refused.
        var names: [String: Double]
        var clients: [String: Double]
        var denied: [String: Double]
        var refused: [String: Double]
        /// How many queries there were, those for names that cannot be printed among them.
        var queries: Double
    }

    private struct List: Decodable {
        struct Row: Decodable {
            var label: String
            var value: Double
            var attributes: [String: String]
        }

        var number: Int?
        var name: String
        var source: String
        var unit: String
        var intervalSeconds: Double?
        var total: Double
        var rest: Double
        var count: Int
        var rows: [Row]
        var next: Int?

        var values: [String: Double] { Dictionary(uniqueKeysWithValues: rows.map { ($0.label, $0.value) }) }
    }

    private struct Document: Decodable {
        struct Absent: Decodable { var name: String }

        var schema: String
        var lists: [List]
        var absentLists: [Absent]
    }

    /// Takes what is sent to port 9 and keeps connections open that come to port 7777.
    private static let receiver = """
        import select, socket
        datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        datagrams.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        datagrams.bind(("10.98.0.1", 9))
        listener = socket.create_server(("10.98.0.1", 7777))
        kept = []
        while True:
            for ready in select.select([datagrams, listener], [], [])[0]:
                if ready is datagrams:
                    datagrams.recv(65536)
                else:
                    kept.append(listener.accept())
        """

    /// Opens three connections, then sends a burst whenever the next file asks for one.
    private static let sender = """
        import json, os, socket, struct, sys, time
        folder = sys.argv[1]
        kept = [socket.create_connection(("10.98.0.1", 7777)) for _ in range(3)]
        HEADERS = 14 + 20 + 8
        plan = [
            ("10.98.0.2", 20, [([b"a", b"example"], 6)]),
            ("10.98.0.3", 10, [([b"missing", b"example"], 3)]),
            ("10.98.0.4", 5, [([b"elsewhere", b"test"], 2), ([b"\\x1b[2J\\"<\\xff", b"example"], 2)]),
        ]
        def burst(number):
            sent = {key: {} for key in ["addresses", "ports", "names", "clients", "denied", "refused"]}
            sent["queries"] = 0
            def add(table, key, value):
                sent[table][key] = sent[table].get(key, 0) + value
            def frame(address, port, size):
                add("addresses", address, size + HEADERS)
                add("ports", "udp %d" % port, size + HEADERS)
            for address, frames, questions in plan:
                out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                out.bind((address, 0))
                out.settimeout(0.5)
                for _ in range(frames):
                    out.sendto(bytes(1000), ("10.98.0.1", 9))
                    frame(address, 9, 1000)
                for labels, times in questions:
                    for _ in range(times):
                        name = b"".join(bytes([len(label)]) + label for label in labels) + b"\\0"
                        query = struct.pack(">6H", os.getpid() + sent["queries"] & 0xffff, 0x100, 1, 0, 0, 0)
                        query += name + struct.pack(">2H", 1, 1)
                        out.sendto(query, ("10.98.0.1", 53))
                        frame(address, 53, len(query))
                        sent["queries"] += 1
                        add("clients", address, 1)
                        try:
                            answer = out.recv(4096)
                        except TimeoutError:
                            continue
                        frame(address, 53, len(answer))
                        code = answer[3] & 15
                        text = b".".join(labels)
                        if text.isascii() and text.replace(b".", b"").isalnum():
                            text = text.decode()
                            add("names", text, 1)
                            if code == 3: add("denied", text, 1)
                            if code == 5: add("refused", text, 1)
            with open(f"{folder}/new", "w") as file:
                json.dump(sent, file)
            os.rename(f"{folder}/new", f"{folder}/sent{number}")
        number = 0
        while True:
            if os.path.exists(f"{folder}/burst{number}"):
                burst(number)
                number += 1
            elif os.path.exists(f"{folder}/steady"):
                burst(1000)
            time.sleep(0.01)
        """

    private static let ask = """
        import socket, sys
        out = socket.socket(socket.AF_UNIX)
        out.connect(sys.argv[1])
        lines = out.makefile()
        for request in sys.argv[2:]:
            out.sendall(request.encode() + b"\\n")
        for request in sys.argv[2:]:
            print(lines.readline(), end="")
        """

    private let near: String
    private let far: String

    init() {
        // Tests of this suite run beside each other.
        let number = "\(getpid())-\(UInt16.random(in: .min ... .max))"
        (near, far) = ("sonde-l\(number)", "sonde-m\(number)")
    }

    private func inside(_ name: String, _ command: [String]) -> [String] {
        ["/usr/sbin/ip", "netns", "exec", name] + command
    }

    private func makeWire(_ workspace: Workspace) async throws {
        for words in [
            ["netns", "add", near], ["netns", "add", far],
            ["link", "add", "vl", "netns", near, "type", "veth", "peer", "name", "vm", "netns", far],
            // Without addresses of IPv6 nobody looks for neighbours.
            ["-n", near, "link", "set", "vl", "addrgenmode", "none"],
            ["-n", far, "link", "set", "vm", "addrgenmode", "none"],
            ["-n", near, "addr", "add", "10.98.0.1/24", "dev", "vl"],
            ["-n", far, "addr", "add", "10.98.0.2/24", "dev", "vm"],
            ["-n", far, "addr", "add", "10.98.0.3/24", "dev", "vm"],
            ["-n", far, "addr", "add", "10.98.0.4/24", "dev", "vm"],
            ["-n", near, "link", "set", "vl", "up"], ["-n", far, "link", "set", "vm", "up"],
        ] {
            let result = try await workspace.run(["/usr/sbin/ip"] + words)
            #expect(result.end == .exited(0), "\(words): \(result.errors)")
        }
    }

    private func removeWire(_ workspace: Workspace) async {
        for name in [near, far] { _ = try? await workspace.run(["/usr/sbin/ip", "netns", "del", name]) }
    }

    private func configuration(_ workspace: Workspace, privacy: String) -> String {
        """
        version: 1
        agent: { interval: 3s, control_socket: \(workspace.path("sonde.sock")), shutdown_grace: 1s }
        sources:
          - { id: kernel, plugin: procnet, sockets: detail }
          - { id: wire, plugin: pcap, interface: vl, buffer_size: 4MiB, filter: "ip and not tcp", privacy: \(privacy) }
          - { id: resolver, plugin: dnslog, path: \(workspace.path("q.log")), format: dnsmasq, privacy: \(privacy) }
        sinks: [{ id: local, plugin: file, path: \(workspace.path("local")) }]

        """
    }

    private func start(_ workspace: Workspace, privacy: String = "full") async throws -> Agent {
        let python = try #require(Python.path)
        let log = workspace.path("q.log")
        _ = try workspace.start(
            inside(
                near,
                [
                    Self.dnsmasq, "--keep-in-foreground", "--conf-file=/dev/null", "--no-resolv", "--no-hosts",
                    "--user=root", "--local=/example/", "--host-record=a.example,192.0.2.1", "--bind-interfaces",
                    "--listen-address=10.98.0.1", "--pid-file=\(workspace.path("dnsmasq.pid"))", "--log-queries=extra",
                    "--log-facility=\(log)",
                ]), as: "dnsmasq")
        _ = try workspace.start(
            inside(near, [python, try workspace.write("receiver.py", Self.receiver)]), as: "receiver")
        try await eventually("the resolver writes its log") { access(log, F_OK) == 0 }
        let file = try workspace.write("sonde.yaml", configuration(workspace, privacy: privacy))
        let command = [Checkout.sonde, "run", "-c", file] + Workspace.pluginDirectory
        let agent = Agent(process: try workspace.start(inside(near, command), as: "agent"), workspace: workspace)
        try await agent.waitForLines(in: "local")
        let script = try workspace.write("sender.py", Self.sender)
        _ = try workspace.start(inside(far, [python, script, workspace.directory]), as: "sender")
        return agent
    }

    private var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    private func document(_ workspace: Workspace) async throws -> Document {
        let result = try await workspace.run(
            [Checkout.sonde, "snapshot", "--format", "json", "--socket", workspace.path("sonde.sock")])
        return try decoder.decode(Document.self, from: Data(result.output.utf8))
    }

    /// The answers to requests for lists, those that are errors left out.
    private func lists(_ workspace: Workspace, _ requests: [String]) async throws -> [List] {
        struct Answer: Decodable { var list: List? }
        let python = try #require(Python.path)
        let script = try workspace.write("ask.py", Self.ask)
        let answer = try await workspace.run(
            [python, script, workspace.path("sonde.sock")] + requests.map { "{\"request\":\"list\",\($0)}" })
        return try answer.output.split(separator: "\n").compactMap {
            try decoder.decode(Answer.self, from: Data($0.utf8)).list
        }
    }

    /// Sends bursts until each list has had, within one interval, all of one of them; a burst may fall into two intervals.
    private func burst(
        _ workspace: Workspace, until matches: (Document, Sent) throws -> Set<String>, of wanted: Set<String>
    ) async throws -> Set<String> {
        var best: Set<String> = []
        for number in 0..<6 {
            _ = try workspace.write("burst\(number)", "")
            let path = workspace.path("sent\(number)")
            try await eventually("a burst is sent", within: .seconds(20)) { access(path, F_OK) == 0 }
            let sent = try JSONDecoder().decode(Sent.self, from: Data(workspace.read("sent\(number)").utf8))
            var found: Set<String> = []
            let end = ContinuousClock.now + .seconds(9)
            while found != wanted, ContinuousClock.now < end {
                found.formUnion(try matches(try await document(workspace), sent))
                try await Task.sleep(for: .milliseconds(200))
            }
            if found == wanted { return found }
            if found.count > best.count { best = found }
        }
        return best
    }

    /// The lists that have exactly what was sent.
    private func matches(_ document: Document, _ sent: Sent) -> Set<String> {
        let bytes = sent.addresses.values.reduce(0, +)
        let expected: [(key: String, rows: [String: Double], total: Double)] = [
            ("talkers.addresses wire", sent.addresses, bytes), ("talkers.ports wire", sent.ports, bytes),
            ("talkers.protocols wire", ["udp": bytes], bytes),
            ("dns.names wire", sent.names, sent.queries), ("dns.names resolver", sent.names, sent.queries),
            ("dns.clients wire", sent.clients, sent.queries), ("dns.clients resolver", sent.clients, sent.queries),
            ("dns.failing_names wire", sent.denied, .nan), ("dns.failing_names resolver", sent.refused, .nan),
        ]
        var found: Set<String> = []
        for list in document.lists {
            let key = "\(list.name) \(list.source)"
            guard let wanted = expected.first(where: { $0.key == key }) else { continue }
            let values = list.values
            // Of what cannot be printed only the sum is known here.
            let isEqual = !wanted.rows.isEmpty && wanted.rows.allSatisfy { values[$0.key] == $0.value }
            if isEqual, wanted.total.isNaN || list.total == wanted.total, list.rest == 0 { found.insert(key) }
        }
        return found
    }

    private static let wanted: Set = [
        "talkers.addresses wire", "talkers.ports wire", "talkers.protocols wire", "dns.names wire",
        "dns.names resolver",
        "dns.clients wire", "dns.clients resolver", "dns.failing_names wire", "dns.failing_names resolver",
    ]

    @Test(.enabled(if: canSend, "namespaces need root and iproute2, names need dnsmasq"))
    func listsHaveWhatWasSent() async throws {
        try await use { workspace in
            let agent = try await start(workspace)
            var last: Document?
            var named: [String] = []
            let found = try await burst(
                workspace,
                until: { document, sent in
                    last = document
                    named += document.lists.filter { $0.name == "dns.names" }.flatMap { $0.rows.map(\.label) }
                    return matches(document, sent)
                }, of: Self.wanted)
            #expect(found == Self.wanted, "\(String(describing: last?.lists))")
            #expect(last?.schema == "sonde.snapshot/2")
            // Names are folded, and what strangers chose reaches no terminal.
            #expect(named.contains { $0.contains("[2j") })
            #expect(named.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f } })
            // Connections of this namespace, by service where the kernel names it.
            let services = try await eventually("connections are counted by service", within: .seconds(60)) {
                try await document(workspace).lists.first { $0.name == "services.connections" && $0.total == 3 }
            }
            #expect(services.source == "kernel")
            #expect(services.intervalSeconds == nil)
            #expect(services.rows.reduce(0) { $0 + $1.value } + services.rest == 3)
            try await checkPages(workspace)
            _ = try await agent.stop()
        }
    }

    /// Pages of one row each of one snapshot, while bursts follow each other.
    private func checkPages(_ workspace: Workspace) async throws {
        _ = try workspace.write("steady", "")
        let pages = try await eventually("three clients are in one snapshot") { () -> [List]? in
            let pages = try await lists(
                workspace, (0..<4).map { #""name":"dns.clients","source":"wire","limit":1,"offset":\#($0)"# })
            let isWhole = pages.count == 4 && pages.first?.count == 3
            return isWhole && Set(pages.map(\.number)).count == 1 ? pages : nil
        }
        #expect(pages.map(\.next) == [1, 2, nil, nil])
        #expect(pages.map(\.rows.count) == [1, 1, 1, 0])
        #expect(Set(pages.flatMap { $0.rows.map(\.label) }) == ["10.98.0.2", "10.98.0.3", "10.98.0.4"])
        let values = pages.flatMap { $0.rows.map(\.value) }
        #expect(values.reduce(0, +) == pages.first?.total)
    }

    @Test(
        .enabled(if: canSend, "namespaces need root and iproute2, names need dnsmasq"), arguments: ["hashed", "none"])
    func privacyHoldsForTheLists(_ privacy: String) async throws {
        try await use { workspace in
            let agent = try await start(workspace, privacy: privacy)
            var seen: [List] = []
            var absent: Set<String> = []
            let ports: Set = ["talkers.ports wire"]
            let found = try await burst(
                workspace,
                until: { document, sent in
                    seen += document.lists
                    absent = Set(document.absentLists.map(\.name))
                    return matches(document, sent).intersection(ports)
                }, of: ports)
            #expect(found == ports)
            let labels = seen.flatMap { $0.rows.flatMap { [$0.label] + $0.attributes.values } }
            for word in ["10.98.0", "example", "elsewhere"] { #expect(!labels.contains { $0.contains(word) }) }
            let personal: Set = ["talkers.addresses", "talkers.conversations", "dns.names", "dns.clients"]
            #expect(absent.isSuperset(of: personal) == (privacy == "none"), "\(absent)")
            _ = try await agent.stop()
        }
    }

    private func use(_ body: (Workspace) async throws -> Void) async throws {
        try await Workspace.use { workspace in
            do {
                try await makeWire(workspace)
                try await body(workspace)
            } catch {
                await removeWire(workspace)
                throw error
            }
            await removeWire(workspace)
        }
    }
}

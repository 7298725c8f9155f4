import FilePlugin
import SondePluginKit
import SondeTestKit
import Testing

/// Whether a file could be written, without touching it.
@Suite struct ProbeTests {
    private func probe(_ path: String) throws -> String? {
        do {
            try PluginHarness(sonde_plugin_file(), options: ["path": .string(path)]).probe()
            return nil
        } catch let error as PluginError {
            return error.code
        }
    }

    @Test func aFileThatCanBeWrittenIsNotMade() throws {
        let directory = try TemporaryDirectory()
        #expect(try probe(directory.file("m.log")) == nil)
        #expect(directory.names == [])
    }

    @Test func whatCannotBeWrittenIsSaid() throws {
        let directory = try TemporaryDirectory()
        #expect(try probe(directory.file("missing/m.log")) == "SND-FIL002")
        #expect(try probe(directory.path) == "SND-FIL004")
    }
}

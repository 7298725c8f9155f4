import SondePluginKit
import SondeTestKit
import Testing

@testable import ProcNetPlugin

@Suite struct NamespaceOptionTests {
    @Test(arguments: [
        ("self", NamespaceOption.own), ("pid:1", .process(1)), ("pid:2147483647", .process(.max)),
        ("name:blue", .named("blue")), ("name:a b", .named("a b")),
    ])
    func whatIsWrittenIsRead(text: String, option: NamespaceOption) {
        #expect(NamespaceOption(text) == option)
        #expect(option.text == text)
    }

    @Test(arguments: [
        "", "own", "pid:", "pid:0", "pid:-1", "pid:+1", "pid:x", "pid:2147483648", "name:", "name:.", "name:..",
        "name:../../etc", "name:a/b", "Self", "blue",
    ])
    func anythingElseIsRefused(text: String) throws {
        #expect(NamespaceOption(text) == nil)
        let error = #expect(throws: PluginError.self) {
            try PluginHarness(sonde_plugin_procnet(), options: ["netns": .string(text)])
        }
        #expect(error?.code == "SND-PRC006")
        #expect(error?.optionPath == "netns")
    }

    @Test func aNamespaceThatIsNotThereIsNamed() throws {
        let harness = try PluginHarness(
            sonde_plugin_procnet(), options: ["netns": .string("name:no-such-namespace")])
        let error = #expect(throws: PluginError.self) { try harness.start() }
        #expect(error?.code == "SND-PRC008")
        #expect(error?.optionPath == "netns")
        #expect(error?.message.contains("no-such-namespace") == true)
    }

    @Test func aProcessThatIsNotThereIsNamed() throws {
        let harness = try PluginHarness(sonde_plugin_procnet(), options: ["netns": .string("pid:2147483647")])
        let error = #expect(throws: PluginError.self) { try harness.start() }
        #expect(error?.code == "SND-PRC008")
        #expect(error?.message.contains("pid:2147483647") == true)
        #expect(error?.hint.contains("process") == true)
    }
}

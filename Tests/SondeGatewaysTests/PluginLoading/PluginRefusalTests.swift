import Foundation
import SondeDomain
import Testing

@testable import SondeGateways

/// Every way to be no plugin, each made with the compiler.
struct PluginRefusalTests {
    struct Variant: CustomTestStringConvertible {
        let testDescription: String
        let arguments: [String]
        let code: ErrorCode
        let message: String

        init(_ description: String, _ arguments: [String], _ code: ErrorCode, _ message: String) {
            testDescription = description
            self.arguments = arguments
            self.code = code
            self.message = message
        }
    }

    static let beforeCode = [
        Variant("another major version", ["-DMAJOR=9"], .pluginVersionUnknown, "version 9"),
        Variant("another Swift runtime", ["-DRUNTIME=\"swift-1.0\""], .pluginRuntimeDiffers, "swift-1.0"),
        Variant("a record of 32 bytes", ["-DRECORD_SIZE=32"], .pluginVersionBroken, "32 bytes"),
        Variant("a record larger than the section", ["-DRECORD_SIZE=96"], .pluginVersionBroken, "64 bytes"),
        Variant("a section too small", ["-DHALF_RECORD"], .pluginVersionBroken, "32 bytes"),
        Variant("two records that differ", ["-DDIFFERENT_TWICE"], .pluginVersionBroken, "128 bytes"),
        Variant("the same record twice", ["-DSAME_TWICE"], .pluginVersionBroken, "128 bytes"),
        Variant("an executable stack", ["-Wl,-z,execstack"], .pluginObjectForeign, "executable stack"),
        Variant("no record", ["-DNO_RECORD"], .pluginVersionMissing, "sonde_abi"),
    ]

    @Test(arguments: beforeCode)
    func refusesBeforeAnyOfItsCodeRuns(_ variant: Variant) throws {
        let workshop = try PluginWorkshop()
        try workshop.compile("variant", ["-shared"] + variant.arguments)
        let error = try #require(workshop.refusal(of: "variant"))
        #expect(error.code == variant.code)
        #expect(error.message.contains(variant.message), "\(error.message)")
        #expect(!workshop.hasMark)
    }

    static let afterLinking = [
        Variant("no entry function", ["-DNO_ENTRY"], .pluginEntryMissing, "sonde_plugin_variant"),
        Variant("no table", ["-DNO_TABLE"], .pluginTableBroken, "no table"),
        Variant("a table too short", ["-DTABLE_SIZE=40"], .pluginTableBroken, "40 bytes"),
        Variant("an unknown kind", ["-DKIND=7"], .pluginTableBroken, "kind 7"),
        Variant("collect and run", ["-DBOTH"], .pluginTableBroken, "both"),
        Variant("no describe", ["-DWITHOUT=describe"], .pluginFunctionMissing, "describe"),
        Variant("no create", ["-DWITHOUT=create"], .pluginFunctionMissing, "create"),
        Variant("no destroy", ["-DWITHOUT=destroy"], .pluginFunctionMissing, "destroy"),
        Variant("neither collect nor run", ["-DWITHOUT=collect"], .pluginFunctionMissing, "collect or run"),
        Variant("a sink without deliver", ["-DKIND=2"], .pluginFunctionMissing, "deliver"),
        Variant("a description that is no JSON", ["-DDESCRIPTION=\"{\""], .pluginDescriptionMalformed, "byte"),
        Variant("an empty description", ["-DDESCRIPTION=\"\""], .pluginDescriptionMalformed, "nothing"),
        Variant("a huge description", ["-DHUGE_DESCRIPTION"], .pluginDescriptionMalformed, "1048577"),
        Variant("another name", description(name: "other"), .pluginNameDiffers, "'other'"),
        Variant("another kind", description(kind: "sink"), .pluginKindDiffers, "sink"),
    ]

    @Test(arguments: afterLinking)
    func refusesWhatTheLinkedObjectOffers(_ variant: Variant) throws {
        let workshop = try PluginWorkshop()
        try workshop.compile("variant", ["-shared"] + variant.arguments)
        let error = try #require(workshop.refusal(of: "variant"))
        #expect(error.code == variant.code)
        #expect(error.message.contains(variant.message), "\(error.message)")
        #expect(error.stage == .loading)
        #expect(!error.recovery.isEmpty)
    }

    @Test func loadsTheVariantWithNothingWrong() throws {
        let workshop = try PluginWorkshop()
        try workshop.compile("variant")
        #expect(workshop.refusal(of: "variant") == nil)
        #expect(workshop.hasMark)
    }

    @Test func statesWhatTheLinkerMisses() throws {
        let workshop = try PluginWorkshop()
        try workshop.compile("variant", ["-shared", "-DUNDEFINED"])
        let error = try #require(workshop.refusal(of: "variant"))
        #expect(error.code == .pluginLinkFailed)
        #expect(error.message.contains("sonde_no_such_function"))
    }

    @Test func namesThePackageThatHasTheLibrariesOfSwift() throws {
        let workshop = try PluginWorkshop()
        let library = try workshop.compile(
            "loadavg", as: "libswiftNowhere.so", ["-shared", "-Wl,-soname,libswiftNowhere.so"])
        try workshop.compile("variant", ["-shared", "-Wl,--no-as-needed", library, "-Wl,--as-needed"])
        try FileManager.default.removeItem(atPath: library)
        let error = try #require(workshop.refusal(of: "variant"))
        #expect(error.code == .pluginLinkFailed)
        #expect(error.message.contains("libswiftNowhere.so"))
        #expect("\(error.recovery)".contains("sonde-swift-runtime"))
    }

    @Test func refusesAFileUnderAnotherName() throws {
        let workshop = try PluginWorkshop()
        try workshop.compile("loadavg", as: "renamed.so")
        #expect(workshop.refusal(of: "renamed")?.code == .pluginEntryMissing)
    }

    @Test func refusesAnObjectFileThatIsNotLinked() throws {
        let workshop = try PluginWorkshop()
        try workshop.compile("variant", ["-c"])
        let error = try #require(workshop.refusal(of: "variant"))
        #expect(error.code == .pluginObjectForeign)
        #expect(error.message.contains("no shared object"))
    }

    @Test func refusesTextAndEmptyFiles() throws {
        let workshop = try PluginWorkshop()
        try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: workshop.path("script.so")))
        try Data().write(to: URL(fileURLWithPath: workshop.path("empty.so")))
        #expect(workshop.refusal(of: "script")?.code == .pluginNotAnObject)
        #expect(workshop.refusal(of: "empty")?.code == .pluginNotAnObject)
    }

    @Test func refusesAnObjectThatIsCutShort() throws {
        let workshop = try PluginWorkshop()
        let path = try workshop.compile("variant")
        truncate(path, 5_000)
        let error = try #require(workshop.refusal(of: "variant"))
        #expect(error.code == .pluginObjectBroken)
        #expect(!workshop.hasMark)
    }

    @Test(arguments: ["", "9lives", "Upper", "with-hyphen", "../escape", "a/b", String(repeating: "a", count: 33), "é"])
    func refusesANameThatIsNone(_ name: String) throws {
        let workshop = try PluginWorkshop()
        #expect(workshop.refusal(of: name)?.code == .pluginNameInvalid)
    }

    @Test func refusesWhatIsNoRegularFile() throws {
        let workshop = try PluginWorkshop()
        _ = try workshop.folder("folder.so")
        mkfifo(workshop.path("fifo.so"), 0o600)
        symlink("/nowhere/at/all.so", workshop.path("dangling.so"))
        for name in ["folder", "fifo", "dangling"] {
            #expect(workshop.refusal(of: name)?.code == .pluginUnreadable, "\(name)")
        }
    }

    private static func description(name: String = "variant", kind: String = "source") -> [String] {
        let json = #"{\"name\":\"\#(name)\",\"kind\":\"\#(kind)\",\"version\":\"1\",\"summary\":\"A variant.\"}"#
        return ["-DDESCRIPTION=\"\(json)\""]
    }
}

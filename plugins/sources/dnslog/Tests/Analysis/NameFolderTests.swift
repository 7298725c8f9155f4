import Testing

@testable import DNSLogPlugin

@Suite struct NameFolderTests {
    private func fold(_ name: String, _ form: LogName.Form = .plain) -> (text: String, hash: UInt64) {
        var folder = NameFolder(seed: 3)
        return Array(name.utf8).withUnsafeBytes { bytes in
            let (text, hash) = folder.fold(LogName(LogBytes(bytes), form))
            return (String(decoding: text.buffer, as: UTF8.self), hash)
        }
    }

    @Test(arguments: [
        ("WWW.Example.COM.", "www.example.com"), ("a.", "a"), (".", "."), ("x", "x"),
        ("a-name-of-more-than-eight-bytes.Example", "a-name-of-more-than-eight-bytes.example"),
    ])
    func namesAreInLowerCaseWithoutTheLastDot(_ name: String, _ text: String) {
        #expect(fold(name).text == text)
    }

    @Test(arguments: [
        (#"sp\032ace.test"#, #"sp\032ace.test"#), (#"dot\.in.test"#, #"dot\.in.test"#), (#"\097.test"#, "a.test"),
        (#"qu\"ote\;\(\).test"#, #"qu"ote;().test"#), (#"\255.test."#, #"\255.test"#),
        (#"back\\.test"#, #"back\\.test"#), (#"end\"#, #"end\\"#), (#"\03"#, "03"),
    ])
    func escapesAreUndoneWhereTheyAreNotNeeded(_ name: String, _ text: String) {
        #expect(fold(name, .escaped).text == text)
    }

    @Test func aQuotedValueIsUndoneTwice() {
        #expect(fold(#"nl\\010x.test"#, .doubled).text == #"nl\010x.test"#)
        #expect(fold(#"\u003cscript\u003e.test"#, .doubled).text == "<script>.test")
    }

    @Test func rawBytesOfOddNamesAreEscaped() {
        #expect(fold("sp ace.test").text == #"sp\032ace.test"#)
        #expect(fold("caf\u{e9}.test").text == #"caf\195\169.test"#)
    }

    @Test func aNameHasOneHashHoweverItIsWritten() {
        #expect(fold("a.example.com").hash == fold(#"\097.EXAMPLE.com."#, .escaped).hash)
        #expect(fold("a.example.com").hash != fold("b.example.com").hash)
    }

    @Test func namesThatAreTooLongHaveNoText() {
        #expect(fold(String(repeating: "x", count: 256)).text == "")
        #expect(fold(String(repeating: " ", count: 255)).text == "")
    }
}

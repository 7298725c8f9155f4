private typealias Fixture = ConfigurationFixture

extension ConfigurationProblemTests.Case {
    static let values: [Self] = [
        Self(
            Fixture.every("flag: yes"),
            "6:11 SND-CFG015 'flag' must be true or false, not 'yes'; write true or false"),
        Self(
            Fixture.every("flag: On"),
            "6:11 SND-CFG015 'flag' must be true or false, not 'On'; write true or false"),
        Self(
            Fixture.every("flag: \"true\""),
            "6:11 SND-CFG015 'flag' must be true or false, not 'true'; write true without quotes"),
        Self(
            Fixture.every("count: 1:30"),
            "6:12 SND-CFG015 'count' must be a whole number, not '1:30'"),
        Self(
            Fixture.every("count: \"5\""),
            "6:12 SND-CFG015 'count' must be a whole number, not a text; write it without quotes"),
        Self(
            Fixture.every("count: 101"),
            "6:12 SND-CFG018 'count' must be between 1 and 100, not '101'"),
        Self(
            Fixture.every("count: 99999999999999999999"),
            "6:12 SND-CFG018 'count' is more than 64 bits hold: '99999999999999999999'"),
        Self(
            Fixture.every("count: 1_0"),
            "6:12 SND-CFG015 'count' must be a whole number, not '1_0'"),
        Self(
            Fixture.every("ratio: .nan"),
            "6:12 SND-CFG015 'ratio' must be a number, not '.nan'"),
        Self(
            Fixture.every("ratio: 1.5"),
            "6:12 SND-CFG018 'ratio' must be between 0.0 and 1.0, not '1.5'"),
        Self(
            Fixture.every("span: 10"),
            "6:11 SND-CFG016 'span' is '10' without a unit; write 10s for seconds"),
        Self(
            Fixture.every("span: -5s"),
            "6:11 SND-CFG016 'span' cannot be negative, it is '-5s'"),
        Self(
            Fixture.every("span: 5 s"),
            "6:11 SND-CFG016 'span' must be a duration, not '5 s'; write 10s, 1m30s or 100ms"),
        Self(
            Fixture.every("span: 1s1m"),
            "6:11 SND-CFG016 'span' must be a duration, not '1s1m'; write 10s, 1m30s or 100ms"),
        Self(
            Fixture.every("span: 999999999d"),
            "6:11 SND-CFG018 'span' is more than 64 bits hold: '999999999d'"),
        Self(
            Fixture.every("bytes: 5 MB"),
            "6:12 SND-CFG017 'bytes' must be a size, not '5 MB'; write 512, 10kB or 64MiB"),
        Self(
            Fixture.every("bytes: -1"),
            "6:12 SND-CFG017 'bytes' cannot be negative, it is '-1'"),
        Self(
            Fixture.every("bytes: 99999999TiB"),
            "6:12 SND-CFG018 'bytes' is more than 64 bits hold: '99999999TiB'"),
        Self(
            Fixture.every("word: gren"),
            "6:11 SND-CFG019 'word' must be 'red', 'green' or 'blue', not 'gren'; did you mean 'green'?"),
        Self(
            Fixture.every("word: ~"),
            "6:5 SND-CFG014 'word' has no value; write one or remove the key"),
        Self(
            Fixture.every("text: \"a\\0b\""),
            "6:11 SND-CFG015 'text' holds a NUL character"),
        Self(
            Fixture.every("hosts: [a, , b]"),
            "6:16 SND-CFG004 did not find expected node content while parsing a flow node"),
        Self(
            Fixture.every("hosts: [a, [b]]"),
            "6:16 SND-CFG013 'hosts[1]' must be a single value, not a list"),
        Self(
            Fixture.every("pairs: { a: ~ }"),
            "6:14 SND-CFG014 'pairs.a' has no value; write one or remove the key"),
        Self(
            Fixture.every("deep: { er: { txt: a } }"),
            "6:19 SND-CFG012 unknown key 'deep.er.txt' in source 'all' (every); did you mean 'text'?"),
    ]

    static let references: [Self] = [
        Self(
            Fixture.every("text: a ${env:NOWHERE}"),
            notSet("6:13")),
        Self(
            Fixture.every("text: ${env:WORD} ${env:NOWHERE}"),
            notSet("6:23")),
        Self(
            Fixture.every("text: $${env:A} ${env:NOWHERE}"),
            notSet("6:21")),
        Self(
            Fixture.every("text: \"\\t ${env:NOWHERE}\""),
            notSet("6:15")),
        Self(
            Fixture.every("text: |", "  first", "  and ${env:NOWHERE}"),
            notSet("8:11")),
        Self(
            Fixture.every("pairs: { a: ${env:TEN} }"),
            "6:18 SND-CFG004 did not find expected ',' or '}' while parsing a flow mapping; "
                + "quote values with '${' inside { } and [ ]"),
        Self(
            Fixture.every("text: ${env:}"),
            "6:11 SND-CFG027 the reference names no variable; write ${env:NAME}"),
        Self(
            Fixture.every("text: ${env:A-B}"),
            "6:11 SND-CFG027 'A-B' is no name of an environment variable; "
                + "names consist of letters, digits and '_'; a default follows ':-'"),
        Self(
            Fixture.every("text: ${WORD}"),
            "6:11 SND-CFG027 a reference begins with 'env:', 'file:', 'cred:' or 'host:'; "
                + "write ${env:NAME}, ${file:/path}, ${cred:name} or ${host:name}, or '$${' for a literal '${'"),
        Self(
            Fixture.every("text: ${env:WORD"),
            "6:11 SND-CFG027 the reference that begins here has no '}'; write '$${' for a literal '${'"),
        Self(
            Fixture.every("text: ${env:A:-${env:B}}"),
            "6:11 SND-CFG027 references cannot stand inside references; set the variable to the whole value"),
        Self(
            Fixture.every("text: ${file:}"),
            "6:11 SND-CFG027 the reference names no file; write ${file:/path}"),
        Self(
            Fixture.every("text: ${file:token}"),
            "6:11 SND-CFG027 the path 'token' does not begin with '/'; write the whole path of the file"),
        Self(
            Fixture.every("text: ${file:/run/none}"),
            "6:11 SND-CFG029 cannot read '/run/none': it does not exist"),
        Self(
            Fixture.every("text: ${file:/run/nul}"),
            "6:11 SND-CFG029 '/run/nul' does not hold UTF-8 text"),
        Self(
            Fixture.every("text: ${file:/run/large}"),
            "6:11 SND-CFG029 cannot read '/run/large': it is larger than 65536 bytes"),
        Self(
            Fixture.every("span: ${env:TEN}"),
            "6:11 SND-CFG016 'span' is '${env:TEN}' without a unit; write 10s for seconds"),
        Self(
            Fixture.every("word: ${env:TEN}"),
            "6:11 SND-CFG019 'word' must be 'red', 'green' or 'blue', not '${env:TEN}'"),
        Self(
            Fixture.every("hosts: [a, \"${env:NOWHERE}\"]"),
            notSet("6:17")),
        Self(
            Fixture.http("auth: { bearer: \"${env:NOWHERE}\" }"),
            notSet("7:22")),
        Self(
            Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: snmp, x: \"${env:NOWHERE}\" }]\n",
            "3:28 SND-CFG023 there is no plugin 'snmp'; there are 'every', 'file', 'http', 'procnet' and 'stdout'",
            notSet("3:38")),
    ]

    private static func notSet(_ place: String) -> String {
        "\(place) SND-CFG028 the environment variable 'NOWHERE' is not set; "
            + "set it, or write a default: ${env:NOWHERE:-default}"
    }
}

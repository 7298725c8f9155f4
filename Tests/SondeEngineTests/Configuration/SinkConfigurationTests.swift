import SondeEngine
import Testing

@Suite struct SinkConfigurationTests {
    @Test func aSinkIsAskedNeitherToBeConfinedNorNotToBe() {
        for isolation in [nil, .inProcess, .process] as [Isolation?] {
            var sink = SinkConfiguration(id: "central", plugin: "http")
            sink.isolation = isolation
            #expect(sink.sandbox == nil)
        }
    }
}

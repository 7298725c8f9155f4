import SondeFormats
import SondePresentation
import Testing

@Suite struct SpoolStatusViewTests {
    @Test func eachSinkIsALineWithWhatWaitsAndWhatWasLost() throws {
        let json = """
            {"time":"2026-01-01T00:00:10.000Z","kind":"memory","max_bytes":1048576,"overflow":"drop_oldest","epoch":"e",
             "sinks":[{"id":"local","points":0,"bytes":0},
              {"id":"central","points":12,"bytes":1536,"oldest":"2026-01-01T00:00:00.000Z",
               "losses":[{"component":"central","reason":"spool_overflow","count":7,"reports":1}]}]}
            """
        var buffer = ByteBuffer()
        for line in SpoolStatusView(SpoolStatusState(try JSONReader.parse(json)), columns: 80).lines {
            line.append(to: &buffer, color: .none)
            buffer.append(0x0a)
        }
        #expect(
            String(decoding: buffer.bytes, as: UTF8.self) == """
                spool in memory, at most 1 MiB, at the bound: drop_oldest
                epoch e

                SINK     WAITING    BYTES  OLDEST  LOST
                local          0      0 B       –  nothing
                central       12  1.5 KiB     10s  7 spool_overflow

                """)
    }
}

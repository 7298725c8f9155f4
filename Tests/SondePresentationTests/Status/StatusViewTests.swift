import SondeDomain
import SondeFormats
import SondePresentation
import Testing

@Suite struct StatusViewTests {
    private static let healthy = """
        {"time":"2026-01-01T03:12:05.000Z",
         "agent":{"version":"1.2.3","pid":7,"id":"a","started":"2026-01-01T00:00:00.000Z","config":"/etc/sonde/sonde.yaml"},
         "spool":{"kind":"memory","max_bytes":16777216,"overflow":"drop_oldest","epoch":"e"},
         "sources":[{"id":"kernel","plugin":"procnet","state":"running","since":"2026-01-01T00:00:00.000Z",
           "last_success":"2026-01-01T03:12:01.000Z","next_attempt":"2026-01-01T03:12:11.000Z",
           "error":{"code":"SND-NET001","message":"old","ended":"2026-01-01T01:00:00.000Z"}}],
         "sinks":[{"id":"local","plugin":"file","state":"idle","last_success":"2026-01-01T03:12:02.000Z",
           "queue":{"points":0,"bytes":0}}],
         "losses":[]}
        """

    private static let broken = """
        {"time":"2026-01-01T03:12:05.000Z",
         "agent":{"version":"1.2.3","pid":7},
         "spool":{"kind":"memory","max_bytes":16777216},
         "sources":[{"id":"a-source-with-a-rather-long-name","plugin":"procnet","state":"held",
           "next_attempt":"2026-01-01T03:16:05.000Z",
           "error":{"code":"SND-PRC001","class":"configuration","message":"/proc/net does not exist","since":
             "2026-01-01T03:12:00.000Z","count":1,"recovery":["Mount /proc."]}}],
         "sinks":[{"id":"central","plugin":"http","state":"backing_off","last_success":"2026-01-01T02:00:00.000Z",
           "next_attempt":"2026-01-01T03:12:17.000Z","queue":{"points":1234567,"bytes":16777000,
             "oldest":"2026-01-01T02:00:00.000Z"},
           "error":{"code":"SND-CRL003","class":"transient","message":
             "https://metrics.example.net/api/v1/write: No connection to the receiver (libcurl 7: Failed to connect)",
             "cause":["the route is gone"],"since":"2026-01-01T02:00:00.000Z","count":88,
             "recovery":["Check host and port of url, that the receiver runs, and the firewalls between."]}}],
         "losses":[{"component":"central","reason":"spool_overflow","count":5000,"reports":2,
           "to":"2026-01-01T03:11:05.000Z"},{"component":"wire","reason":"kernel_drop","reports":1}]}
        """

    @Test func aWaitThatTheReceiverAskedForIsSaidToBeOne() throws {
        let asked = Self.broken.replacing(#""count":88,"#, with: #""count":88,"retry_after_ms":3000,"#)
        #expect(
            try text(asked, columns: 200).contains(
                "next attempt: in 12s (asked to wait 3s; that or a longer backoff, and up to 5s to spread hosts)"))
    }

    @Test func aSinkThatHangsIsOverdueAndFails() throws {
        let hanging = Self.healthy.replacing(
            #""state":"idle","#,
            with: #"""
                "state":"overdue","hang":{"code":"SND-RUN001","class":"transient","message":"a call has not returned",
                  "since":"2026-01-01T03:11:05.000Z","count":1},
                """#)
        let shown = try text(hanging)
        #expect(shown.contains("overdue") && !shown.contains("idle"))
        #expect(StatusState(try JSONReader.parse(hanging)).isFailing)
    }

    @Test func aPartThatDoesNotWorkAndWhatWasRejectedAreShown() throws {
        let troubled = Self.healthy.replacing(
            #""last_success":"2026-01-01T03:12:01.000Z""#,
            with: #"""
                "troubles":[{"code":"SND-DLG001","class":"resource","message":"one log of two cannot be read",
                  "option":"paths[1]","place":"sonde.yaml:9:13","since":"2026-01-01T03:11:05.000Z","count":1,
                  "recovery":["Let the agent read it."]}],
                "rejected":[{"what":"sample","metric":"acme.load","reason":"not_finite","count":3}]
                """#)
        let shown = try text(troubled)
        #expect(shown.contains("SND-DLG001"))
        #expect(shown.contains("option at sonde.yaml:9:13"))
        #expect(shown.contains("acme.load") && shown.contains("not_finite"))
        #expect(StatusState(try JSONReader.parse(troubled)).isFailing)
    }

    private func text(_ json: String, columns: Int = 80) throws -> String {
        var buffer = ByteBuffer()
        for line in StatusView(StatusState(try JSONReader.parse(json)), columns: columns).lines {
            line.append(to: &buffer, color: .none)
            buffer.append(0x0a)
        }
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test func anAgentThatWorksIsALineForEachInstance() throws {
        #expect(
            try text(Self.healthy) == """
                sonde 1.2.3  process 7  up 3h12m  /etc/sonde/sonde.yaml
                spool in memory, at most 16 MiB

                ID      PLUGIN   STATE    LAST OK  WAITING  BYTES  OLDEST  NEXT
                kernel  procnet  running       4s                            6s
                local   file     idle          3s        0    0 B       –     –

                """)
    }

    @Test func whatIsBrokenIsToldWithWhatToDo() throws {
        #expect(
            try text(Self.broken) == """
                sonde 1.2.3  process 7  built-in configuration
                spool in memory, at most 16 MiB

                ID                PLUGIN   STATE        LAST OK    WAITING   BYTES  OLDEST  NEXT
                a-source-with-a…  procnet  held               –                               4m
                central           http     backing off    1h12m  1 234 567  16 MiB   1h12m   12s

                FAILURES
                a-source-with-a-rather-long-name  SND-PRC001  configuration
                  /proc/net does not exist
                  since 2026-01-01 03:12:00 UTC (5s)
                  lost: nothing; next attempt: in 4m
                  do: Mount /proc.
                  then: sonde reload
                central  SND-CRL003  transient
                  https://metrics.example.net/api/v1/write: No connection to the receiver
                  (libcurl 7: Failed to connect); because the route is gone
                  since 2026-01-01 02:00:00 UTC (1h12m), 88 in a row
                  lost: 5 000 (spool_overflow); next attempt: in 12s
                  do: Check host and port of url, that the receiver runs, and the firewalls
                  between.

                LOST BY  REASON            COUNT  LAST
                central  spool_overflow    5 000    1m
                wire     kernel_drop     unknown     –

                """)
    }

    @Test func aConfigurationThatWasNotTakenIsAFailureOfTheAgent() throws {
        let error = #"{"code":"SND-RUN007","class":"configuration","message":"sonde.yaml:3:1: no","count":2}"#
        let refused = Self.healthy.replacing(#""pid":7"#, with: #""pid":7,"errors":[\#(error)]"#)
        #expect(try text(refused).contains("FAILURES\nagent  SND-RUN007  configuration\n  sonde.yaml:3:1: no\n"))
        #expect(StatusState(try JSONReader.parse(refused)).isFailing)
    }

    @Test(arguments: [60, 72, 80, 120])
    func noLineIsWiderThanTheTerminal(_ columns: Int) throws {
        for line in try text(Self.broken, columns: columns).split(separator: "\n") {
            #expect(line.count <= columns, "\(line)")
        }
    }

    @Test func aTextOfAPluginCannotSteerTheTerminal() throws {
        let hostile = Self.broken.replacing("does not exist", with: "\\u001b[2J\\u202e\\nx")
        let text = try text(hostile)
        #expect(!text.unicodeScalars.contains { $0.value == 0x1b || $0.value == 0x202e })
    }

    @Test func failingIsWhatIsHeldBackingOffOrHasAFailureThatLasts() throws {
        #expect(!StatusState(try JSONReader.parse(Self.healthy)).isFailing)
        #expect(StatusState(try JSONReader.parse(Self.broken)).isFailing)
        // A state that this version does not know is reported rather than passed.
        let other = Self.healthy.replacing(#""state":"running""#, with: #""state":"melting""#)
        #expect(other != Self.healthy)
        #expect(StatusState(try JSONReader.parse(other)).isFailing)
        let hanging = #"{"sources":[{"id":"a","state":"running","hang":{"code":"SND-RUN002"}}]}"#
        #expect(StatusState(try JSONReader.parse(hanging)).isFailing)
    }

    @Test func whatFailsOnTheStorageOfTheQueueIsAFailure() throws {
        let full =
            #"{"spool":{"kind":"disk","errors":[{"code":"SND-SPL006","message":"full","recovery":["Make room."]}]}}"#
        #expect(StatusState(try JSONReader.parse(full)).isFailing)
        let text = try text(full)
        #expect(text.contains("spool  SND-SPL006"))
        #expect(text.contains("do: Make room."))
    }

    @Test func whatFailsOfTheHistoryIsNotSaidOfTheQueue() throws {
        let failing =
            #"{"spool":{"errors":[{"code":"SND-HIS004","stage":"history","class":"corrupt_input","message":"set aside"}]}}"#
        #expect(StatusState(try JSONReader.parse(failing)).isFailing)
        #expect(try text(failing).contains("history  SND-HIS004  corrupt_input"))
    }

    @Test(arguments: ["{}", "[]", "1", #"{"sources":[1,{}],"sinks":{},"losses":[{}],"time":"x","agent":[]}"#])
    func anAnswerOfAnotherFormIsShownAsFarAsItGoes(_ json: String) throws {
        #expect(try text(json).hasPrefix("sonde –"))
    }
}

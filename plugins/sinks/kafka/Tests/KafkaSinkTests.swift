import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import KafkaPlugin

/// Tests with a mock cluster, one at a time: they look at threads of the process.
@Suite(.serialized) enum ClusterTests {}

extension ClusterTests {
    /// What arrives in a topic.
    @Suite struct KafkaSinkTests {
        @Test func aBatchIsOneMessageWithItsIdentity() throws {
            let cluster = try MockCluster()
            let sink = try SinkDriver(cluster)
            let batch = Batch.sample()
            #expect(try sink.deliver(batch) == .completed)
            let message = try cluster.received(1)[0]
            #expect(message.body == batch.lines)
            #expect(
                message.headers == [
                    "partition": "0", "offset": "0", "key": Batch.agent, "content-type": "application/x-ndjson",
                    "Sonde-Format": "json", "Sonde-Agent": Batch.agent, "Sonde-Batch": "\(Batch.agent)/e1/41-42",
                    "Sonde-Sink": "central", "Sonde-Part": "1-2/2", "Sonde-Points": "2",
                ])
        }

        @Test func otlpIsARequestPerMessage() throws {
            let cluster = try MockCluster()
            let sink = try SinkDriver(cluster, ["format": .string("otlp")])
            let batch = Batch.sample(40)
            #expect(try sink.deliver(batch) == .completed)
            let message = try cluster.received(1)[0]
            #expect(message.body == batch.request)
            #expect(message.headers["content-type"] == "application/x-protobuf")
            #expect(message.headers["Sonde-Part"] == "1-40/40")
        }

        @Test(arguments: ["none", "gzip", "snappy", "lz4", "zstd"])
        func everyCompressionIsUnpackedByAConsumer(_ compression: String) throws {
            let cluster = try MockCluster()
            let sink = try SinkDriver(cluster, ["compression": .string(compression)])
            let batch = Batch.sample(500)
            #expect(try sink.deliver(batch) == .completed)
            #expect(try cluster.received(1)[0].body == batch.lines)
        }

        @Test func aLongBatchBecomesMessagesThatAreLines() throws {
            let cluster = try MockCluster()
            let sink = try SinkDriver(cluster, ["max_message": .size(1_024)])
            let batch = Batch.sample(100)
            #expect(try sink.deliver(batch) == .completed)
            let messages = try cluster.received(points: 100)
            #expect(messages.flatMap(\.body) == batch.lines)
            #expect(messages.allSatisfy { $0.body.count <= 1_024 && $0.body.last == 0x0a })
            expectParts(messages, of: 100)
        }

        @Test func aLongBatchOfOTLPBecomesRequests() throws {
            let cluster = try MockCluster()
            let sink = try SinkDriver(cluster, ["max_message": .size(1_024), "format": .string("otlp")])
            let batch = Batch.sample(100)
            #expect(try sink.deliver(batch) == .completed)
            let messages = try cluster.received(points: 100)
            #expect(messages.allSatisfy { $0.body.count <= 1_024 && $0.body.first == 0x0a })
            #expect(messages.map(\.points).reduce(0, +) == 100)
            expectParts(messages, of: 100)
        }

        /// Each begins where the one before ends, and the last ends with the batch.
        private func expectParts(_ messages: [MockCluster.Received], of count: Int) {
            var next = 1
            for message in messages {
                let part = (message.headers["Sonde-Part"] ?? "").split { $0 == "-" || $0 == "/" }.compactMap { Int($0) }
                #expect(part.count == 3 && part[0] == next && part[2] == count, "\(part) after \(next)")
                #expect(part.count == 3 && message.points == part[1] - part[0] + 1)
                next = part.count == 3 ? part[1] + 1 : -1
            }
            #expect(next == count + 1)
        }

        @Test func anAgentHasOnePartition() throws {
            let cluster = try MockCluster(brokers: 3, partitions: 12)
            let sink = try SinkDriver(cluster)
            for first in stride(from: 1, to: 40, by: 2) {
                #expect(try sink.deliver(.sample(first: UInt64(first))) == .completed)
            }
            let messages = try cluster.received(20)
            #expect(Set(messages.map { $0.headers["partition"] }).count == 1)
            #expect(messages.map { $0.headers["offset"] } == (0..<20).map { "\($0)" })
        }

        @Test func aBatchWithNothingToSendNeedsNoBroker() throws {
            let sink = try SinkDriver(["127.0.0.1:1"], ["format": .string("otlp")])
            #expect(try sink.deliver(.document(10)) == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 1)
        }

        @Test func aBatchThatIsTooLongForMemoryIsHalvedBeforeAnythingIsSent() throws {
            let sink = try SinkDriver(["127.0.0.1:1"], ["max_body": .size(64 << 10)])
            let error = try sink.failure(.sample(1_000))
            #expect(error.code == "SND-KAF004")
            #expect(error.failureClass == .tooLarge)
        }

        @Test(arguments: ["json", "otlp"])
        func aSampleThatNoMessageHoldsIsTooLarge(_ format: String) throws {
            let sink = try SinkDriver(["127.0.0.1:1"], ["max_message": .size(128), "format": .string(format)])
            let error = try sink.failure(.sample(1))
            #expect(error.code == "SND-KAF004")
            #expect(error.failureClass == .tooLarge)
            #expect(error.optionPath == "max_message")
        }
    }
}

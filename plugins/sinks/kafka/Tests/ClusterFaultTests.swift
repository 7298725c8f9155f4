import Foundation
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import KafkaPlugin

extension ClusterTests {
    /// Brokers that are lost, and errors that they answer with.
    @Suite struct ClusterFaultTests {
        private static let produce = 0
        private static let short: [String: FakeHost.Option] = ["timeout": .duration(.seconds(2))]

        private func stretches(_ messages: [MockCluster.Received]) -> [String] {
            messages.map { ($0.headers["Sonde-Batch"]?.split(separator: "/").last).map(String.init) ?? "" }
        }

        @Test func withoutBrokersABatchWaitsAndArrivesOnce() throws {
            let cluster = try MockCluster(brokers: 3)
            let sink = try SinkDriver(cluster)
            #expect(try sink.deliver(.sample(first: 1)) == .completed)
            for broker in 1...3 { try cluster.command("down \(broker)") }
            for attempt in 0..<3 {
                let error = try sink.failure(.sample(first: 3, attempt: attempt), timeout: .seconds(2))
                #expect(error.code == "SND-KAF001")
                #expect(error.failureClass == .transient)
            }
            for broker in 1...3 { try cluster.command("up \(broker)") }
            #expect(try sink.deliver(.sample(first: 3, attempt: 3)) == .completed)
            #expect(try sink.deliver(.sample(first: 5)) == .completed)
            #expect(try stretches(cluster.received(3)) == ["1-2", "3-4", "5-6"])
        }

        @Test func aBrokerThatWasNeverThereIsUnreachable() throws {
            let error = try SinkDriver(["127.0.0.1:1"], Self.short).failure(.sample())
            #expect(error.code == "SND-KAF001")
            #expect(error.failureClass == .transient)
            #expect(error.message.contains("127.0.0.1:1"))
        }

        @Test func aLeaderThatMovesDelaysAndLosesNothing() throws {
            let cluster = try MockCluster(brokers: 3)
            let sink = try SinkDriver(cluster)
            for round in 0..<6 {
                try cluster.command("leader sonde 0 \(round % 3 + 1)")
                #expect(try sink.deliver(.sample(first: UInt64(round * 2 + 1))) == .completed)
            }
            #expect(try stretches(cluster.received(6)) == (0..<6).map { "\($0 * 2 + 1)-\($0 * 2 + 2)" })
        }

        // NOT_LEADER_FOR_PARTITION, REQUEST_TIMED_OUT, NOT_ENOUGH_REPLICAS, and a connection that ends.
        @Test(arguments: [6, 7, 19, -195])
        func whatLibrdkafkaRetriesIsNoFailure(_ code: Int) throws {
            let cluster = try MockCluster()
            let sink = try SinkDriver(cluster)
            #expect(try sink.deliver(.sample(first: 1)) == .completed)
            try cluster.command("errors \(Self.produce) \(code) \(code)")
            #expect(try sink.deliver(.sample(first: 3)) == .completed)
            #expect(try stretches(cluster.received(2)) == ["1-2", "3-4"])
        }

        @Test(arguments: [
            (29, "SND-KAF005", FailureClass.accessRefused), (31, "SND-KAF005", .accessRefused),
            (89, "SND-KAF008", .rateLimited), (87, "SND-KAF010", .permanentData), (32, "SND-KAF010", .permanentData),
            (44, "SND-KAF010", .permanentData), (76, "SND-KAF012", .configuration), (43, "SND-KAF012", .configuration),
            (17, "SND-KAF003", .configuration), (58, "SND-KAF006", .accessRefused), (95, "SND-KAF014", .transient),
        ])
        func whatABrokerAnswersHasACode(_ answer: Int, _ code: String, _ failureClass: FailureClass) throws {
            let cluster = try MockCluster()
            let sink = try SinkDriver(cluster, Self.short)
            #expect(try sink.deliver(.sample(first: 1)) == .completed)
            try cluster.command("errors \(Self.produce) \(answer)")
            let error = try sink.failure(.sample(first: 3))
            #expect(error.code == code, "\(error)")
            #expect(error.failureClass == failureClass, "\(error)")
            // The one that is offered again is there, once.
            #expect(try sink.deliver(.sample(first: 3, attempt: 1)) == .completed)
            #expect(try stretches(cluster.received(2)) == ["1-2", "3-4"])
        }

        // INVALID_PRODUCER_EPOCH, OUT_OF_ORDER_SEQUENCE_NUMBER, UNKNOWN_PRODUCER_ID, PRODUCER_FENCED
        @Test(arguments: [47, 45, 59, 90])
        func aProducerThatIsRefusedBeginsAnewAndLosesNothing(_ answer: Int) throws {
            let cluster = try MockCluster()
            let sink = try SinkDriver(cluster, Self.short)
            #expect(try sink.deliver(.sample(first: 1)) == .completed)
            try cluster.command("errors \(Self.produce) \(answer)")
            for attempt in 0..<3 {
                do {
                    if try sink.deliver(.sample(first: 3, attempt: attempt)) == .completed { break }
                } catch let error as PluginError {
                    #expect(error.code == "SND-KAF009", "\(error)")
                    #expect(error.failureClass == .transient)
                }
            }
            #expect(try sink.deliver(.sample(first: 5)) == .completed)
            #expect(try stretches(cluster.received(3)) == ["1-2", "3-4", "5-6"])
        }

        @Test func aTopicThatIsMissingHoldsTheSink() throws {
            let cluster = try MockCluster()
            try cluster.command("refuse sonde 3")
            let sink = try SinkDriver(cluster, ["timeout": .duration(.seconds(8))])
            let error = try sink.failure(.sample())
            #expect(error.code == "SND-KAF003", "\(error)")
            #expect(error.failureClass == .configuration)
            #expect(error.optionPath == "topic")
            try cluster.command("refuse sonde 0")
            #expect(try sink.deliver(.sample(attempt: 1)) == .completed)
            #expect(try cluster.received(1).count == 1)
        }

        @Test func whatABrokerFindsTooLargeIsSplitInOrder() throws {
            let cluster = try MockCluster()
            let sink = try SinkDriver(cluster)
            let batch = Batch.sample(100, first: 1)
            // Twice: a quarter is small enough.
            try cluster.command("errors \(Self.produce) 10 10")
            #expect(try sink.deliver(batch) == .completed)
            let messages = try cluster.received(points: 100)
            #expect(messages.flatMap(\.body) == batch.lines)
            #expect(messages.allSatisfy { $0.body.count <= batch.lines.count / 4 })
            // The bound stays.
            #expect(try sink.deliver(.sample(100, first: 101)) == .completed)
            let later = try cluster.received(points: 200).dropFirst(messages.count)
            #expect(later.allSatisfy { $0.body.count <= batch.lines.count / 4 })
            #expect(later.flatMap(\.body) == Batch.sample(100, first: 101).lines)
        }

        @Test func aSampleThatABrokerFindsTooLargeIsLeftToTheAgent() throws {
            let cluster = try MockCluster()
            let sink = try SinkDriver(cluster)
            try cluster.command("errors \(Self.produce) 10")
            let error = try sink.failure(.sample(1))
            #expect(error.code == "SND-KAF004")
            #expect(error.failureClass == .tooLarge)
        }

        @Test func whatIsConfirmedIsNotSentAgain() throws {
            let cluster = try MockCluster()
            let sink = try SinkDriver(cluster, ["max_message": .size(1_024)])
            let batch = Batch.sample(20, first: 1)
            // The third of its messages.
            try cluster.command("errors \(Self.produce) 0 0 29")
            #expect(try sink.failure(batch).code == "SND-KAF005")
            #expect(try sink.deliver(batch.offered(attempt: 1)) == .completed)
            let messages = try cluster.received(points: 20)
            #expect(messages.flatMap(\.body) == batch.lines)
            #expect(try sink.deliver(.sample(2, first: 21)) == .completed)
            #expect(try cluster.received(messages.count + 1).count == messages.count + 1)
        }

        @Test func aMessageThatIsLateIsWaitedForAndNotSentAgain() throws {
            let cluster = try MockCluster()
            let sink = try SinkDriver(cluster)
            #expect(try sink.deliver(.sample(first: 1)) == .completed)
            try cluster.command("rtt 1 1500")
            let error = try sink.failure(.sample(first: 3), timeout: .seconds(1))
            #expect(error.code == "SND-KAF002")
            #expect(error.failureClass == .transient)
            #expect(try sink.deliver(.sample(first: 3, attempt: 1)) == .completed)
            try cluster.command("rtt 1 0")
            #expect(try sink.deliver(.sample(first: 5)) == .completed)
            #expect(try stretches(cluster.received(3)) == ["1-2", "3-4", "5-6"])
        }

        /// As after an overflow of the log: what was under way is given up.
        @Test func anotherBatchMayFollowOneThatFailed() throws {
            let cluster = try MockCluster()
            let sink = try SinkDriver(cluster)
            #expect(try sink.deliver(.sample(first: 1)) == .completed)
            try cluster.command("down 1")
            #expect(try sink.failure(.sample(first: 3), timeout: .seconds(1)).code == "SND-KAF001")
            try cluster.command("up 1")
            #expect(try sink.deliver(.sample(first: 5)) == .completed)
            #expect(try stretches(cluster.received(2)) == ["1-2", "5-6"])
        }

        @Test func aCancelledDeliveryEndsAtOnceAndItsThreadsWithTheInstance() throws {
            #expect(clientThreads() == [])
            let start: Date
            do {
                let sink = try SinkDriver(["127.0.0.1:1"])
                _ = try sink.failure(.sample(), timeout: .seconds(1))
                #expect(clientThreads() != [])
                sink.harness.cancel()
                start = Date()
                #expect(try sink.deliver(.sample(attempt: 1)) == .cancelled)
            }
            #expect(Date().timeIntervalSince(start) < 1)
            #expect(clientThreads() == [])
        }

        /// Names of librdkafka's threads in this process.
        private func clientThreads() -> [String] {
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            return tasks.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
                .filter { $0.hasPrefix("rdk:") }
        }
    }
}

internal import SondeDomain
internal import SondeFormats

/// What a chart on a page draws: it changes when a point comes, not when time passes.
struct DashboardPlot: Hashable, JSONWritable {
    private let title: String
    private let unit: String
    private let step: Nanoseconds
    private let points: [HistoryState.Point]
    private let note: String?

    init(_ state: DashboardState, _ subject: DashboardSubject) {
        let chart = state.chart(of: subject)
        title = Self.title(subject)
        unit = subject.metric.unit
        step = chart?.step ?? subject.range.step
        points = chart?.points ?? []
        note = points.isEmpty ? Self.absence(state) : nil
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("title", title)
            json.member("unit", unit)
            json.member("step", step.seconds)
            json.member("note", note)
            json.member("points") { json in
                json.array { json in
                    for point in points { write(point, to: &json) }
                }
            }
        }
    }

    private func write(_ point: HistoryState.Point, to json: inout JSONWriter) {
        json.array { json in
            json.value(point.time.pageSeconds)
            json.value(point.average)
            json.value(point.peak)
        }
    }

    private static func title(_ subject: DashboardSubject) -> String {
        guard let member = subject.member, member != subject.metric.wholeMember else { return subject.metric.title }
        return "\(subject.metric.title) of \(HarmlessText.line(member))"
    }

    /// Why there is no point.
    private static func absence(_ state: DashboardState) -> String {
        switch state.history.loading {
        case .idle, .loading, .loadingMore, .refreshing: "waiting for the agent"
        case .success: "nothing is kept of this yet"
        case .failed: state.history.failure.map { HarmlessText.line($0.message) } ?? "nothing is known"
        }
    }
}

/// The range that a chart shows, which goes on, and its numbers.
struct DashboardSpan: JSONWritable {
    private let chart: DashboardChart?
    private let unit: String

    init(_ state: DashboardState, _ subject: DashboardSubject) {
        chart = state.chart(of: subject)
        unit = subject.metric.unit
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("from", chart?.begin?.pageSeconds)
            json.member("to", chart?.end?.pageSeconds)
            json.member("now", UnitText.text(chart?.values.current, unit))
            json.member("average", UnitText.text(chart?.values.average, unit))
            json.member("highest", UnitText.text(chart?.values.peak, unit))
        }
    }
}

extension DashboardState {
    fileprivate func chart(of subject: DashboardSubject) -> DashboardChart? {
        history.value.flatMap { $0.subject == subject ? $0 : nil }
    }
}

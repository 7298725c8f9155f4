/// Why the agent itself loses something, as the loss ledger, `sonde status` and the metrics name it.
///
/// Plugins and the programs of `exec` report reasons in words of their own.
public enum LossReason: String, Hashable, Sendable, CaseIterable {
    // Of what waited for a sink.
    /// Dropped at the spool's bound, or because the disk was full.
    case spoolOverflow = "spool_overflow"
    /// Older than `max_age`.
    case spoolExpired = "spool_expired"
    /// Memory held it for a full disk when the agent ended.
    case spoolMemoryLost = "spool_memory_lost"
    /// In a part of the spool that could not be read.
    case spoolDamaged = "spool_damaged"
    /// In a spool that another machine wrote.
    case spoolForeign = "spool_foreign"
    /// The configuration has its sink no longer.
    case sinkRemoved = "sink_removed"
    /// In memory when the agent stopped.
    case undeliveredAtStop = "undelivered_at_stop"
    /// A person has dropped it with `sonde spool purge`.
    case purged

    // Of a batch.
    /// The receiver has refused the batch permanently, and it was not kept as a dead letter.
    case refusedByReceiver = "refused_by_receiver"
    /// The receiver or the format does not accept these points of a batch.
    case rejectedByReceiver = "rejected_by_receiver"
    /// A dead letter that was removed for newer ones.
    case deadLetterEvicted = "dead_letter_evicted"
    /// Older than `max_sample_age` when its batch was cut.
    case tooOldForSink = "too_old_for_sink"
    /// Of series beyond `max_series`.
    case sinkSeriesLimit = "sink_series_limit"

    // Of what a source commits.
    /// The spool had no room and takes nothing new.
    case spoolFull = "spool_full"
    /// Committed after the spool was closed.
    case agentStopping = "agent_stopping"
    /// Held for a clock that is wrong: beyond the room for that, or at a stop.
    case clockSuspect = "clock_suspect"
    /// Held for the clock, with a time of its own that is too far ahead.
    case impossibleTime = "impossible_time"

    // Of what a source did not commit.
    /// Its process has ended.
    case processEnded = "process_ended"
    /// Its stream has failed and was started again.
    case streamInterrupted = "stream_interrupted"
    /// Lines of a program beyond the bounds of a commit.
    case outputLimit = "output_limit"
    /// Lines that a program printed and had not committed when it ended.
    case notCommitted = "not_committed"

    // Of all sources, between two agents.
    /// The agent was killed.
    case agentKilled = "agent_killed"
    /// The agent was ended by SIGABRT.
    case agentAborted = "agent_aborted"
    /// The agent crashed.
    case agentCrashed = "agent_crashed"
    /// The machine went down while the agent ran.
    case hostStopped = "host_stopped"
}

package dev.millrace.network.lane;

/** The reasons for which the network itself rejects rows; rules and adapters add their own. */
public final class RejectReason
{
    /** Application time older than that of a row before: correct the source's order. */
    public static final String TIME_BACKWARDS = "time-backwards";
    /** Application time equal to that of a row before, on a channel that promised a total order. */
    public static final String TIME_NOT_INCREASING = "time-not-increasing";
    /** The property of the application time is null. */
    public static final String TIME_MISSING = "time-missing";
    /** A delete or update on a channel that is no relation. */
    public static final String NOT_A_RELATION = "not-a-relation";
    /** Insert of a primary key that is there. */
    public static final String DUPLICATE_KEY = "duplicate-key";
    /** Update or delete of a primary key that is not there. */
    public static final String MISSING_KEY = "missing-key";
    /** Null in a column of the primary key. */
    public static final String NULL_KEY = "null-key";
    /** Update on a relation without primary key. */
    public static final String UPDATE_WITHOUT_KEY = "update-without-key";
    /** The relation holds its greatest number of rows. */
    public static final String RELATION_FULL = "relation-full";
    /** The object is no event of the channel's type. */
    public static final String WRONG_EVENT = "wrong-event";
    /** The sink refused the event. */
    public static final String REFUSED_BY_SINK = "refused-by-sink";
    /** The stage failed on the event: a bug of the stage. */
    public static final String STAGE_FAILED = "stage-failed";
    /** Sent before the network was started. */
    public static final String NOT_STARTED = "not-started";
    /** Sent while the network was suspended. */
    public static final String SUSPENDED = "suspended";
    /** Sent after the network was stopped, or still queued when the time for draining was over. */
    public static final String STOPPED = "stopped";
    /** Takes what comes with a new reason when a stage has used up its number of reasons. */
    public static final String OTHER = "other";

    private RejectReason()
    {
    }
}

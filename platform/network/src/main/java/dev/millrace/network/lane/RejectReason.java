package dev.millrace.network.lane;

import dev.millrace.api.memory.MemoryAccount;
import java.util.Map;
import java.util.Set;

/** The reasons for which the network itself rejects rows; rules and adapters define additional ones. */
public final class RejectReason
{
    /** Application time older than that of a previous row: correct the source's order. */
    public static final String TIME_BACKWARDS = "time-backwards";
    /** Application time equal to that of a previous row, on a channel that promised a total order. */
    public static final String TIME_NOT_INCREASING = "time-not-increasing";
    /** The property of the application time is null. */
    public static final String TIME_MISSING = "time-missing";
    /** A delete or update on a channel that is no relation. */
    public static final String NOT_A_RELATION = "not-a-relation";
    /** Insert of an existing primary key. */
    public static final String DUPLICATE_KEY = "duplicate-key";
    /** Update or delete of a missing primary key. */
    public static final String MISSING_KEY = "missing-key";
    /** Null in a column of the primary key. */
    public static final String NULL_KEY = "null-key";
    /** Update on a relation without primary key. */
    public static final String UPDATE_WITHOUT_KEY = "update-without-key";
    /** The relation holds its maximum number of rows. */
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
    /** Sent after the network was stopped, or still queued when the time for draining had passed. */
    public static final String STOPPED = "stopped";
    /** Would have left the network while the instance was not in its cluster: other members may do its work. */
    public static final String FENCED = "fenced";
    /** The queue of a channel with when-full=reject holds its maximum number of events. */
    public static final String QUEUE_FULL = "queue-full";
    /** Used instead of a new reason when a stage has reached its number of reasons. */
    public static final String OTHER = "other";

    /**
     * Reasons of the network, of processors and of partitioned channels for which valid rows are rejected: a stage or
     * store failed, or a limit is reached. Reasons that end with {@value #FULL} count too.
     */
    private static final Set<String> FAULTS = Set.of(REFUSED_BY_SINK, STAGE_FAILED, FENCED, OTHER, "output-refused",
        "pattern-too-many-candidates", "pipeline-failed", "table-failed", "pull-failed", "cache-loader-failed",
        "unreadable-cache-value", "function-failed", "aggregate-failed", "window-failed", "partition-lost",
        "partition-refused", "too-many-sources", "not-journaled");
    private static final String FULL = "-full";
    /** Rows are rejected for a reason without its own code: read the detail. */
    private static final String UNKNOWN_CODE = "EPN-0632";
    private static final int CODE_CHARS = UNKNOWN_CODE.length();

    private static final Map<String, Advice> ADVICE = Map.ofEntries(
        Map.entry(TIME_BACKWARDS, new Advice("EPN-0601", "let the source send in order of time, or use system time")),
        Map.entry(TIME_NOT_INCREASING, new Advice("EPN-0602", "give each event its own time, or unset is-total-order")),
        Map.entry(TIME_MISSING, new Advice("EPN-0603", "let the source set the property that contains the time")),
        Map.entry(NOT_A_RELATION, new Advice("EPN-0604", "set is-relation=true on the channel, or send inserts only")),
        Map.entry(DUPLICATE_KEY, new Advice("EPN-0605", "send an update, or first delete the row of that key")),
        Map.entry(MISSING_KEY, new Advice("EPN-0606", "first insert a row of that key")),
        Map.entry(NULL_KEY, new Advice("EPN-0607", "let the source set every property of the primary key")),
        Map.entry(UPDATE_WITHOUT_KEY, new Advice("EPN-0608", "give the channel a primary-key, or delete and insert")),
        Map.entry(RELATION_FULL, new Advice("EPN-0609", "delete rows that are not needed any more")),
        Map.entry(WRONG_EVENT, new Advice("EPN-0610", "send events of the channel's event type")),
        Map.entry(REFUSED_BY_SINK, new Advice("EPN-0611", "see the message of the stage; correct the event or the "
            + "stage")),
        Map.entry(STAGE_FAILED, new Advice("EPN-0612", "a bug of the stage: correct its class at the line in the " +
            "trace and update the application")),
        Map.entry(NOT_STARTED, new Advice("EPN-0613", "send from run() or after the application is running")),
        Map.entry(SUSPENDED, new Advice("EPN-0614", "resume the application, and let the source stop in suspend()")),
        Map.entry(STOPPED, new Advice("EPN-0615", "let the source stop in suspend(), then send these rows again")),
        Map.entry(OTHER, new Advice("EPN-0616", "use a small set of reasons; the log contains the previous ones")),
        Map.entry(QUEUE_FULL, new Advice("EPN-0635", "make the stages below faster, raise max-size, or let the " +
            "source wait with when-full=block")),
        Map.entry(MemoryAccount.MEMORY_FULL, new Advice("EPN-0636", "give the rules listed an idle-state-time or " +
            "shorter windows, or the instance more memory: -Xmx in jvm.options and memory in config.xml")),
        Map.entry(FENCED, new Advice("EPN-0617", "none; output resumes when the instance rejoins the cluster")));

    /** Code and next step of a reason. */
    private record Advice(String code, String nextStep)
    {
    }

    private RejectReason()
    {
    }

    /**
     * Whether rows are rejected because of a failed stage or a limit, and not because of their content.
     *
     * @return true when the network does not do all of its work
     */
    static boolean isFault(final String reason)
    {
        return FAULTS.contains(reason) || reason.endsWith(FULL);
    }

    /**
     * The code of a reason: its own, or the one at the beginning of the detail.
     *
     * @return message code
     */
    static String code(final String reason, final String detail)
    {
        final Advice advice = ADVICE.get(reason);
        if (advice != null)
        {
            return advice.code;
        }
        return detail != null && detail.matches("(?s)[A-Z]{3}-\\d{4}\\b.*") ?
            detail.substring(0, CODE_CHARS) : UNKNOWN_CODE;
    }

    /**
     * The line for the log. The details that adapters and processors pass with their reasons already begin with a code
     * and end with the next step; this method adds both to the network's reasons.
     *
     * @param fact where and how many
     * @return code, fact and next step
     */
    static String line(final String reason, final String fact)
    {
        final Advice advice = ADVICE.get(reason);
        return advice == null ? fact : advice.code + ' ' + fact + "; " + advice.nextStep;
    }
}

package dev.millrace.tuning.harness;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.tuning.nexmark.NexmarkData;

/** The options of a run, and the data that workloads share. Not thread-safe. */
public final class BenchContext
{
    /** Seed of all random data, so that each run has the same data. */
    public static final long SEED = 20130917;

    public static final int BATCH = 256;
    public static final int ROWS_PER_FRAME = 10;

    private static final long UNIQUE_EVENTS = 5_000_000;
    private static final long SHORT_UNIQUE_EVENTS = 200_000;
    private static final long WARM_UP_NS = 3_000_000_000L;
    private static final long SHORT_WARM_UP_NS = 1_000_000_000L;
    private static final long ROUND_NS = 60_000_000L;
    private static final long SHORT_ROUND_NS = 30_000_000L;
    private static final long SILENCE_NS = 2_000_000_000L;
    private static final long STEP_NS = 200_000_000L;

    private final int rounds;
    private final int seconds;
    private final boolean brief;
    private final boolean text;
    private final int batchSize;
    private final int rowsPerFrame;
    private final StatusLine progress;
    private TickData data;
    private NexmarkData nexmark;
    private long events;
    private boolean nexmarkMilliseconds;

    /**
     * @param rounds       measured rounds
     * @param seconds      length of a round of workloads that run at a pace; 0: default of the workload
     * @param brief        short form: less of everything, sufficient to detect a factor of two
     * @param text         whether to print generated source text
     * @param batchSize    rows per batch, 1 to 256, for workloads that support other than full batches
     * @param rowsPerFrame rows per frame of the wire
     * @param progress     progress output
     */
    public BenchContext(final int rounds, final int seconds, final boolean brief, final boolean text,
        final int batchSize, final int rowsPerFrame, final StatusLine progress)
    {
        this.rounds = rounds;
        this.seconds = seconds;
        this.brief = brief;
        this.text = text;
        this.batchSize = batchSize;
        this.rowsPerFrame = rowsPerFrame;
        this.progress = progress;
    }

    /** Measured rounds, at least 1. */
    public int rounds()
    {
        return rounds;
    }

    /** Seconds of a round that runs at a pace: the option if set, otherwise the given default. */
    public int seconds(final int usual, final int whenShort)
    {
        return seconds > 0 ? seconds : brief ? whenShort : usual;
    }

    /** Whether the short form was requested. */
    public boolean isShort()
    {
        return brief;
    }

    /** Whether to print generated source text. */
    boolean isText()
    {
        return text;
    }

    public int batchSize()
    {
        return batchSize;
    }

    public int rowsPerFrame()
    {
        return rowsPerFrame;
    }

    /** Options that change the work of a workload, empty for the defaults: such figures cannot be compared. */
    String form()
    {
        return (batchSize == BATCH ? "" : "batch=" + batchSize) +
            (rowsPerFrame == ROWS_PER_FRAME ? "" : "rows-per-frame=" + rowsPerFrame);
    }

    public long warmUpNs()
    {
        return brief ? SHORT_WARM_UP_NS : WARM_UP_NS;
    }

    /** Minimum CPU time of a round of the engine. */
    public long roundNs()
    {
        return brief ? SHORT_ROUND_NS : ROUND_NS;
    }

    public long seed()
    {
        return SEED;
    }

    /** The ticks of the Signal Generation application, created on first use. */
    public TickData ticks()
    {
        if (data == null)
        {
            data = new TickData(SEED);
        }
        return data;
    }

    /** Number of events for workloads whose number is configurable. */
    public long events()
    {
        return events > 0 ? events : brief ? SHORT_UNIQUE_EVENTS : UNIQUE_EVENTS;
    }

    /**
     * Sets the number of events.
     *
     * @param number 0: default of the workload
     */
    public void events(final long number)
    {
        events = number;
    }

    /**
     * The events of Nexmark, cached until others are requested.
     *
     * @param events       per pass
     * @param milliseconds whether their times are truncated to milliseconds
     */
    public NexmarkData nexmark(final int events, final boolean milliseconds)
    {
        if (nexmark == null || nexmark.events != events || nexmarkMilliseconds != milliseconds)
        {
            nexmark = null;
            nexmark = new NexmarkData(events, milliseconds, SEED);
            nexmarkMilliseconds = milliseconds;
        }
        return nexmark;
    }

    public StatusLine progress()
    {
        return progress;
    }

    /** The progress on the terminal of the command, from the second second of a workload on. */
    public static StatusLine progressOfProcess()
    {
        return StatusLine.ofProcess(SILENCE_NS, STEP_NS, System::nanoTime);
    }
}

package dev.millrace.tuning;

import dev.millrace.tuning.nexmark.NexmarkData;

/**
 * What a run was asked for, and the data that workloads share. For one thread.
 */
final class Setting
{
    /** Everything random is made from it, so that each run has the same data. */
    static final long SEED = 20130917;

    static final int BATCH = 256;
    static final int ROWS_PER_FRAME = 10;

    private static final long UNIQUE_EVENTS = 5_000_000;
    private static final long SHORT_UNIQUE_EVENTS = 200_000;
    private static final long WARM_UP_NS = 3_000_000_000L;
    private static final long SHORT_WARM_UP_NS = 1_000_000_000L;
    private static final long ROUND_NS = 60_000_000L;
    private static final long SHORT_ROUND_NS = 30_000_000L;

    private final int rounds;
    private final int seconds;
    private final boolean brief;
    private final boolean text;
    private final int batchSize;
    private final int rowsPerFrame;
    private final Progress progress;
    private TickData data;
    private NexmarkData nexmark;
    private long events;
    private boolean nexmarkMilliseconds;

    /**
     * Says how to measure.
     *
     * @param rounds       measured rounds
     * @param seconds      length of a round of what runs at a pace; 0: as the workload likes
     * @param brief        short form: less of everything, figures good for finding what is twice as slow
     * @param text         whether to print generated text
     * @param batchSize    rows a batch, 1 to 256, for workloads that can have others than full ones
     * @param rowsPerFrame rows a frame of the wire
     * @param progress     where to say how far it is
     */
    Setting(final int rounds, final int seconds, final boolean brief, final boolean text,
        final int batchSize, final int rowsPerFrame, final Progress progress)
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
    int rounds()
    {
        return rounds;
    }

    /** Seconds of a round that runs at a pace: what was asked for, else what is given here. */
    int seconds(final int usual, final int whenShort)
    {
        return seconds > 0 ? seconds : brief ? whenShort : usual;
    }

    /** Whether the short form was asked for. */
    boolean isShort()
    {
        return brief;
    }

    /** Whether generated text is to be printed. */
    boolean isText()
    {
        return text;
    }

    int batchSize()
    {
        return batchSize;
    }

    int rowsPerFrame()
    {
        return rowsPerFrame;
    }

    /** Options that make other work of a workload, empty when there are none: such figures do not compare. */
    String form()
    {
        return (batchSize == BATCH ? "" : "batch=" + batchSize) +
            (rowsPerFrame == ROWS_PER_FRAME ? "" : "rows-per-frame=" + rowsPerFrame);
    }

    long warmUpNs()
    {
        return brief ? SHORT_WARM_UP_NS : WARM_UP_NS;
    }

    /** CPU time that a round of the engine lasts at least. */
    long roundNs()
    {
        return brief ? SHORT_ROUND_NS : ROUND_NS;
    }

    long seed()
    {
        return SEED;
    }

    /** The ticks of the Signal Generation application, made when first asked for. */
    TickData ticks()
    {
        if (data == null)
        {
            data = new TickData(SEED);
        }
        return data;
    }

    /** Events of workloads that have as many as one asks for. */
    long events()
    {
        return events > 0 ? events : brief ? SHORT_UNIQUE_EVENTS : UNIQUE_EVENTS;
    }

    /**
     * Asks for so many events.
     *
     * @param number 0: as the workload likes
     */
    void events(final long number)
    {
        events = number;
    }

    /**
     * The events of Nexmark, kept until others are asked for.
     *
     * @param events       of a pass
     * @param milliseconds whether their times are cut to milliseconds
     */
    NexmarkData nexmark(final int events, final boolean milliseconds)
    {
        if (nexmark == null || nexmark.events != events || nexmarkMilliseconds != milliseconds)
        {
            nexmark = null;
            nexmark = new NexmarkData(events, milliseconds, SEED);
            nexmarkMilliseconds = milliseconds;
        }
        return nexmark;
    }

    Progress progress()
    {
        return progress;
    }
}

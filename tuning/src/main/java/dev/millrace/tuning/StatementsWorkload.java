package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * 1,000 statements over one channel of which no two are equal but for one value, in a whole network: filters by symbol,
 * by price or by both kinds in turn; in the short form 200. Batches of 256 events. What one statement alone costs is
 * told beside it.
 */
final class StatementsWorkload implements Workload
{
    private static final int STATEMENTS = 1000;
    private static final int FEW_STATEMENTS = 200;
    private static final int ROUNDS_OF_ONE = 3;

    private final String variant;
    private final VwapData data;
    private final long seed;
    private final StatementsNetwork network;
    private final EventBatch batch;
    private final StatementsLimit limit;
    private final Tally engineTally = new Tally();
    private final Tally limitTally = new Tally();
    private long engineTimeNs;
    private long limitTimeNs;

    /**
     * Deploys the statements.
     *
     * @param variant {@code equality}, {@code ranges} or {@code mixed}
     * @param setting of the run
     */
    StatementsWorkload(final String variant, final Setting setting)
    {
        this.variant = variant;
        seed = setting.seed();
        data = new VwapData(seed);
        final StatementsData statements = new StatementsData(
            variant, setting.isShort() ? FEW_STATEMENTS : STATEMENTS, data, seed);
        network = new StatementsNetwork(statements.rules(), new AlertCheck(engineTally));
        data.recode(network.dictionary());
        batch = new EventBatch(data.schema);
        limit = new StatementsLimit(statements.alerts(),
            Arrays.stream(data.names).mapToInt(data.dictionary::idOf).toArray(),
            BatchSchema.sharing(StatementsNetwork.ALERT, data.dictionary), new AlertCheck(limitTally));
    }

    @Override
    public int events()
    {
        return VwapData.EVENTS;
    }

    @Override
    public void runEngine()
    {
        engineTimeNs = network.send(data, engineTimeNs);
    }

    @Override
    public void runLimit()
    {
        for (int from = 0; from < VwapData.EVENTS; from += EventBatch.CAPACITY)
        {
            limitTimeNs = data.fill(batch, from, EventBatch.CAPACITY, limitTimeNs);
            limit.onBatch(batch);
        }
    }

    /** How long deploying took, and what an event costs where there is one statement only. */
    @Override
    public void describe(final Result result)
    {
        result.with("deploySeconds", network.deploySeconds());
        try (StatementsNetwork one = new StatementsNetwork(
            new StatementsData(variant, 1, data, seed).rules(), new AlertCheck(new Tally())))
        {
            data.recode(one.dictionary());
            long timeNs = one.send(data, 0);
            final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            final long startNs = threads.getCurrentThreadCpuTime();
            for (int round = 0; round < ROUNDS_OF_ONE; round++)
            {
                timeNs = one.send(data, timeNs);
            }
            result.with("nsWithOneStatement", (threads.getCurrentThreadCpuTime() - startNs) /
                (double)ROUNDS_OF_ONE / VwapData.EVENTS);
        }
    }

    @Override
    public Tally engineTally()
    {
        return engineTally;
    }

    @Override
    public Tally limitTally()
    {
        return limitTally;
    }

    @Override
    public String javaText()
    {
        return "a class for each shape of statement; see the statements instead";
    }

    @Override
    public void close()
    {
        if (network.rejectedRows() > 0)
        {
            throw new IllegalStateException("benchmark data was rejected, rows=" + network.rejectedRows());
        }
        network.close();
    }
}

package dev.millrace.tuning.statements;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.tuning.harness.BatchFeeder;
import dev.millrace.tuning.harness.BatchWorkload;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.SymbolCodes;
import dev.millrace.tuning.harness.Workload;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * 1,000 statements over one channel, no two of which differ in only one value, in a whole network: filters by symbol,
 * by price or alternating; in the short form 200. Batches of 256 events. The cost of a single statement is reported in
 * addition.
 */
public final class StatementsWorkload extends BatchWorkload
{
    private static final int STATEMENTS = 1000;
    private static final int FEW_STATEMENTS = 200;
    private static final int ROUNDS_OF_ONE = 3;

    private final String variant;
    private final VwapData data;
    private final long seed;
    private final StatementsNetwork network;

    private StatementsWorkload(
        final String variant, final VwapData data, final long seed, final StatementsNetwork network,
        final BatchFeeder engine, final BatchFeeder limit)
    {
        super(engine, limit, "a class for each form of statement; see the statements instead");
        this.variant = variant;
        this.data = data;
        this.seed = seed;
        this.network = network;
    }

    /**
     * Deploys the statements.
     *
     * @param variant {@code equality}, {@code ranges} or {@code mixed}
     * @param setting of the run
     */
    public static Workload of(final String variant, final BenchContext setting)
    {
        final VwapData data = new VwapData(setting.seed());
        final StatementsData statements = new StatementsData(
            variant, setting.isShort() ? FEW_STATEMENTS : STATEMENTS, data, setting.seed());
        final ResultChecksum engine = new ResultChecksum();
        final SymbolCodes symbols = new SymbolCodes(data.strings);
        final StatementsNetwork network = new StatementsNetwork(statements.rules(), new AlertCheck(engine, symbols));
        data.useStrings();
        final ResultChecksum tally = new ResultChecksum();
        final StatementsBaseline limit = new StatementsBaseline(statements.alerts(), data.names,
            new BatchSchema(StatementsNetwork.ALERT), new AlertCheck(tally, symbols));
        return new StatementsWorkload(variant, data, setting.seed(), network, network.passes(data, engine),
            new BatchFeeder(data, new EventBatch(data.schema), limit, tally));
    }

    /** Adds the time of deployment, and the cost of an event with one statement only. */
    @Override
    public void describe(final BenchResult result)
    {
        result.with("deploySeconds", network.deploySeconds());
        try (StatementsNetwork one = new StatementsNetwork(
            new StatementsData(variant, 1, data, seed).rules(),
            new AlertCheck(new ResultChecksum(), new SymbolCodes(data.strings))))
        {
            final BatchFeeder passes = one.passes(data, null);
            passes.run();
            final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            final long startNs = threads.getCurrentThreadCpuTime();
            for (int round = 0; round < ROUNDS_OF_ONE; round++)
            {
                passes.run();
            }
            result.with("nsWithOneStatement", (threads.getCurrentThreadCpuTime() - startNs) /
                (double)ROUNDS_OF_ONE / VwapData.EVENTS);
        }
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

package dev.millrace.cql.testkit.command;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryScope;
import dev.millrace.api.time.Clock;
import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.planner.RulePlanner;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs each query of a file alone over stored rows, on one thread, as a server plans it: CPU time and allocation per
 * row, and state at the end. The time of sending the rows is measured without the query and subtracted.
 *
 * <p>Not thread-safe.
 */
final class QueryMeasurement
{
    /** Rounds before the first that counts, while the JVM compiles. */
    private static final int WARM_UP = 3;
    private static final int ROUNDS = 5;
    private static final long MOST_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int FEW_ROWS = 100_000;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final StoredRows rows;
    private final Catalog catalog;
    private final Progress progress;
    private final double feedNs;

    /** Result of one round. */
    private record Round(double nsPerRow, double bytesPerRow)
    {
    }

    QueryMeasurement(final StoredRows rows, final Catalog catalog, final Progress progress)
    {
        this.rows = rows;
        this.catalog = catalog;
        this.progress = progress;
        final List<Round> rounds = new ArrayList<>();
        for (int i = 0; i < WARM_UP + ROUNDS; i++)
        {
            rounds.add(timed(() -> rows.forEach((source, batch) ->
            {
                // Only the feed.
            })));
        }
        feedNs = median(rounds.stream().mapToDouble(Round::nsPerRow).toArray());
    }

    /**
     * Lines about all queries.
     *
     * @param rules views and queries
     * @throws CqlException with all problems
     */
    List<String> lines(final List<RuleText> rules) throws CqlException
    {
        final List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%,d rows%s, each query alone on one thread, CPU time, median of " +
            "up to %d rounds after %d", rows.count(), rows.isCut() ? " (the files have more: --rows)" : "", ROUNDS,
            WARM_UP));
        if (rows.count() < FEW_ROWS)
        {
            lines.add(String.format(Locale.ROOT, "few rows: figures are those of a cold start; use %,d rows or more",
                FEW_ROWS));
        }
        for (final RuleText rule : rules)
        {
            if (!rule.view())
            {
                lines.addAll(measure(rule, rules));
            }
        }
        progress.clear();
        return lines;
    }

    private List<String> measure(final RuleText query, final List<RuleText> rules) throws CqlException
    {
        final List<RuleText> alone = rules.stream().filter(each -> each.view() || each == query).toList();
        final ProcessorPlan plan = new RulePlanner().plan("command", alone, catalog);
        final List<CompiledPipeline> pipelines =
            plan.pipelines().stream().map(new PipelineCompiler()::compile).toList();
        final List<CompiledFlow> flows = plan.flows().stream().map(new FlowCompiler()::compile).toList();
        final MemoryScope memory = new MemoryScope(new MemoryBudget(
            MemoryBudget.defaultBytes(Runtime.getRuntime().maxMemory()), Clock.SYSTEM), "");
        final List<Round> rounds = new ArrayList<>();
        final long start = Clock.SYSTEM.epochNs();
        while (true)
        {
            final MemoryAccount account = memory.open("", query.id(), "state");
            final StatementRun run = new StatementRun(pipelines, flows, account);
            rounds.add(timed(() -> run.run(rows)));
            progress.look(rounds.size(), "rounds of query " + query.id());
            if (rounds.size() == WARM_UP + ROUNDS || Clock.SYSTEM.epochNs() - start >= MOST_NS)
            {
                return lines(query.id(), rounds, run, account.bytes());
            }
            account.close();
        }
    }

    private List<String> lines(final String query, final List<Round> rounds, final StatementRun run, final long bytes)
    {
        final List<Round> counted = rounds.subList(Math.min(WARM_UP, rounds.size() - 1), rounds.size());
        final List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT,
            "%s: %.1f ns per row, %.2f output rows per row, %.1f bytes allocated per row, %,d bytes of state " +
            "at the end", query, Math.max(0, median(counted.stream().mapToDouble(Round::nsPerRow).toArray()) - feedNs),
            (double)run.rowsOut() / rows.count(), median(counted.stream().mapToDouble(Round::bytesPerRow).toArray()),
            bytes));
        if (rounds.size() <= WARM_UP)
        {
            lines.add(String.format(Locale.ROOT, "  slow: only %d rounds in %d s, so the figures are those of a cold " +
                "start; use fewer rows: --rows", rounds.size(), TimeUnit.NANOSECONDS.toSeconds(MOST_NS)));
        }
        for (final Map.Entry<String, Long> kept : run.state().entrySet())
        {
            lines.add(String.format(Locale.ROOT, "  %s stores %,d", kept.getKey(), kept.getValue()));
        }
        if (run.rejected() > 0)
        {
            lines.add(String.format(Locale.ROOT, "  %,d rows are rejected, the last one: %s", run.rejected(),
                run.reason()));
        }
        return lines;
    }

    private Round timed(final Runnable work)
    {
        final long bytes = threads.getCurrentThreadAllocatedBytes();
        final long time = threads.getCurrentThreadCpuTime();
        work.run();
        final double count = Math.max(1, rows.count());
        return new Round((threads.getCurrentThreadCpuTime() - time) / count,
            (threads.getCurrentThreadAllocatedBytes() - bytes) / count);
    }

    private static double median(final double[] values)
    {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}

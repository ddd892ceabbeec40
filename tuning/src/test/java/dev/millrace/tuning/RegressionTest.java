package dev.millrace.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.report.Machine;
import dev.millrace.tuning.report.ReferenceRatioSet;
import dev.millrace.tuning.report.ReferenceRatios;
import dev.millrace.tuning.report.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The short form of the workloads of the guard that run in one thread, compared with it. Ratios of CPU time, medians; a
 * ratio that seems twice as bad is measured again, longer, and only the best of three counts, so that a busy machine
 * causes no failure.
 */
@Tag("slow")
@Tag("optimized")
@Timeout(600)
class RegressionTest
{
    private static final int REPETITIONS = 2;
    /**
     * Workloads that wait for memory most of the time. Their ratios depend on the pages that a process gets, which do
     * not change while it runs: 0.67 to 2.57 in seven processes of the same build on an idle machine.
     */
    private static final Set<String> MEMORY_BOUND =
        Set.of("grouped-sum:1000000", "grouped-sum:1000000-coded", "pair:1000000");
    private static final double MEMORY_BOUND_LIMIT = 3;

    private final Map<String, Double> ratios = new HashMap<>();

    @Test
    void shouldStayUnderTwiceTheRatiosOfTheGuard() throws Exception
    {
        final ReferenceRatios guard = ReferenceRatioSet.builtIn().forMachine(Machine.name());
        try (Report report = new Report(System.out, StatusLine.NONE, null))
        {
            report.head();
            for (final Workloads.Entry entry : entries(guard))
            {
                measure(entry, true, report);
            }
            for (int i = 0; i < REPETITIONS; i++)
            {
                for (final String worse : twiceAsBad(guard))
                {
                    measure(Workloads.named(List.of(worse.contains(":") ? worse : worse + ':')).get(0), false, report);
                }
            }
        }
        System.out.println("guard: " + guard.origin());
        System.out.println(ReferenceRatios.HEAD);
        changes(guard).forEach(change -> System.out.println(change.line()));
        assertThat(twiceAsBad(guard)).as("workloads twice as bad as in tuning/guard.json").isEmpty();
    }

    /** Its ratio depends on the disk, so that the guard does not contain it. */
    @Test
    void shouldMeasureTheJournal() throws Exception
    {
        try (Report report = new Report(System.out, StatusLine.NONE, null))
        {
            measure(Workloads.named(List.of("journal")).get(0), true, report);
        }
        assertThat(ratios.get("journal")).isPositive();
    }

    @Test
    void shouldKnowEveryWorkloadOfTheGuard() throws Exception
    {
        assertThat(Workloads.ALL).extracting(Workloads.Entry::fullName)
            .containsAll(ReferenceRatioSet.builtIn().forMachine("").ratios().keySet());
    }

    private static List<Workloads.Entry> entries(final ReferenceRatios guard)
    {
        return Workloads.ALL.stream().filter(Workloads.Entry::inOneThread)
            .filter(entry -> guard.ratios().containsKey(entry.fullName())).toList();
    }

    private void measure(final Workloads.Entry entry, final boolean brief, final Report report)
        throws InterruptedException, IOException
    {
        final BenchContext setting = new BenchContext(brief ? 3 :
            5, 0, brief, false, BenchContext.BATCH, BenchContext.ROWS_PER_FRAME,
            StatusLine.NONE);
        entry.run(setting, result ->
        {
            report.line(result);
            ratios.merge(entry.fullName(), result.ratioToLimit(), Math::min);
        });
    }

    private List<ReferenceRatios.Change> changes(final ReferenceRatios guard)
    {
        return guard.changes(ratios).stream().filter(change -> !Double.isNaN(change.now())).toList();
    }

    private List<String> twiceAsBad(final ReferenceRatios guard)
    {
        return changes(guard).stream().filter(ReferenceRatios.Change::isTwiceAsBad)
            .filter(change -> !MEMORY_BOUND.contains(change.name()) ||
                change.now() / change.before() >= MEMORY_BOUND_LIMIT)
            .map(ReferenceRatios.Change::name).collect(Collectors.toCollection(ArrayList::new));
    }
}

package dev.millrace.tuning;

import dev.millrace.adapter.loadgen.WireFormatException;
import dev.millrace.tuning.burst.BurstExperiment;
import dev.millrace.tuning.burst.H2BurstStore;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.Experiment;
import dev.millrace.tuning.harness.Measurement;
import dev.millrace.tuning.harness.ResultSink;
import dev.millrace.tuning.harness.Workload;
import dev.millrace.tuning.journal.JournalWorkload;
import dev.millrace.tuning.nexmark.NexmarkQuery;
import dev.millrace.tuning.signal.ColumnWorkload;
import dev.millrace.tuning.signal.LatencyExperiment;
import dev.millrace.tuning.signal.ManyPairsWorkload;
import dev.millrace.tuning.signal.StringSumWorkload;
import dev.millrace.tuning.signal.WireWorkload;
import dev.millrace.tuning.soccer.SoccerWorkload;
import dev.millrace.tuning.statements.StatementsWorkload;
import dev.millrace.tuning.statements.VwapWorkload;
import dev.millrace.tuning.store.StoreExperiment;
import dev.millrace.tuning.store.StoreKind;
import dev.millrace.tuning.ticks.SequenceWorkload;
import dev.millrace.tuning.ticks.TradeWorkload;
import dev.millrace.tuning.ticks.WindowWorkload;
import dev.millrace.tuning.ticks.WorkersExperiment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every workload, one line each: name, variant (empty or one word), description, factory. The names are those of the
 * command line and of the results. A workload is created when it runs.
 */
public final class Workloads
{
    /** All workloads, in the order of the table. */
    static final List<Entry> ALL = Stream.concat(Stream.of(
        beside("grouped-sum", "1", "sum by one group, a string",
            setting -> new StringSumWorkload(1, setting)),
        beside("grouped-sum", "1000", "sum by 1,000 groups that are strings",
            setting -> new StringSumWorkload(1_000, setting)),
        beside("grouped-sum", "1000000", "sum by 1,000,000 groups that are strings",
            setting -> new StringSumWorkload(1_000_000, setting)),
        beside("grouped-sum", "1-coded", "sum by one group that is a number",
            setting -> ColumnWorkload.groupedSum(1, setting)),
        beside("grouped-sum", "1000-coded", "sum by 1,000 groups that are numbers",
            setting -> ColumnWorkload.groupedSum(1_000, setting)),
        beside("grouped-sum", "1000000-coded", "sum by 1,000,000 groups that are numbers",
            setting -> ColumnWorkload.groupedSum(1_000_000, setting)),
        beside("pair", "", "two ticks of a symbol that differ by 2 %; --batch",
            setting -> ColumnWorkload.signal(BenchQueries.PAIR, setting)),
        beside("pair", "1000000", "pair with 1,000,000 symbols, all in the cache", ManyPairsWorkload::of),
        beside("trend", "", "four changes of 2 % in one direction; --batch",
            setting -> ColumnWorkload.signal(BenchQueries.TREND, setting)),
        beside("pass-through", "", "all columns of all rows", TradeWorkload::passThrough),
        beside("filter", "", "a condition that no row meets", TradeWorkload::filter),
        beside("window-1s", "", "mean and sum by symbol over the last second",
            setting -> WindowWorkload.of(1, setting.ticks())),
        beside("window-1m", "", "mean and sum by symbol over the last minute",
            setting -> WindowWorkload.of(60, setting.ticks())),
        beside("vwap-1000", "time", "1,000 statements, one per symbol: mean by volume over 30 s",
            setting -> VwapWorkload.of("time", setting)),
        beside("vwap-1000", "rows", "1,000 statements, one per symbol: mean by volume of 1,000 rows",
            setting -> VwapWorkload.of("rows", setting)),
        beside("statements-1000", "equality", "1,000 different statements, each of a symbol",
            setting -> StatementsWorkload.of("equality", setting)),
        beside("statements-1000", "ranges", "1,000 different statements, each of a narrow range of prices",
            setting -> StatementsWorkload.of("ranges", setting)),
        beside("statements-1000", "mixed", "1,000 different statements of both kinds",
            setting -> StatementsWorkload.of("mixed", setting)),
        new Entry("latency", "", "pair in an open loop of 1 M events per second", new LatencyExperiment()),
        new Entry("burst", "memory", "bursts into a window of 5 s, events in memory",
            new BurstExperiment(() -> null)),
        new Entry("burst", "h2", "the same, every event also into a table of an embedded H2",
            new BurstExperiment(H2BurstStore::open)),
        new Entry("workers", "heavy", "two workers, two sources: a W shape, all matches", new WorkersExperiment()),
        new Entry("workers", "medium", "two workers, two sources: mean of 20 rows", new WorkersExperiment()),
        new Entry("workers", "light", "two workers, two sources: minimum and maximum", new WorkersExperiment()),
        new Entry("workers", "pair", "two workers, two sources: pair", new WorkersExperiment()),
        twoSteps("q4", "mean of winning bids by category"), twoSteps("q5", "auctions with most bids"),
        twoSteps("q5ge", "auctions with most bids, by >="), twoSteps("q7", "highest bids of each 10 s"),
        twoSteps("total", "count, maximum and sum of all bids of 10 s"),
        beside("debs-2013", "q1", "match: running analysis", setting -> SoccerWorkload.of("q1", setting)),
        beside("debs-2013", "q2", "match: ball possession", setting -> SoccerWorkload.of("q2", setting)),
        beside("debs-2013", "q3", "match: heat map", setting -> SoccerWorkload.of("q3", setting)),
        beside("debs-2013", "q4", "match: shots on goal", setting -> SoccerWorkload.of("q4", setting)),
        beside("sequence", "", "a tick and the first of its symbol within a second that is 2 % higher",
            setting -> SequenceWorkload.of(100_000, setting.ticks())),
        store("insert", StoreKind.POSTGRESQL), store("insert", StoreKind.MARIADB), store("insert", StoreKind.H2),
        store("insert", StoreKind.H2_ORACLE), store("insert", StoreKind.H2_MSSQL),
        store("update", StoreKind.POSTGRESQL), store("update", StoreKind.MARIADB), store("update", StoreKind.H2),
        store("update", StoreKind.H2_ORACLE), store("update", StoreKind.H2_MSSQL),
        beside("wire", "", "bytes of frames to signals; --rows-per-frame", Workloads::wire),
        beside("journal", "", "wire in a durable processor; limit: without a journal; --rows-per-frame",
            setting -> new JournalWorkload(setting.ticks(), setting.rowsPerFrame())),
        new Entry("spatial-join", "", "points and 10,000 rectangles; limit: all pairs compared",
            new SpatialJoinExperiment()),
        state("groups", "groups of a sum and a mean"), state("window", "rows of a window with 1,000 groups"),
        state("window-max", "rows of a window with maxima"), state("prev", "partitions with an earlier row"),
        uniqueKeys("carried", "all columns"), uniqueKeys("filter", "four of ten rows"),
        uniqueKeys("group", "groups that live 10 s"),
        uniqueKeys("sliding", "groups of a sliding window of 10 s"), uniqueKeys("pattern", "a pattern within 10 s"),
        uniqueKeys("window", "a window of 10 s")), nexmark()).toList();

    /**
     * A workload's line.
     *
     * @param name        on the command line
     * @param variant     empty or one word
     * @param description for the list, a few words
     * @param experiment  runs it
     * @param inOneThread whether it is measured in CPU time of one thread, compared with a hand-written loop
     */
    record Entry(String name, String variant, String description, Experiment experiment, boolean inOneThread)
    {
        Entry(final String name, final String variant, final String description, final Experiment experiment)
        {
            this(name, variant, description, experiment, false);
        }

        /** Its name on the command line. */
        String fullName()
        {
            return variant.isEmpty() ? name : name + ':' + variant;
        }

        void run(final BenchContext setting, final ResultSink results) throws InterruptedException, IOException
        {
            setting.progress().begin();
            experiment.run(variant, setting, results);
        }
    }

    private Workloads()
    {
    }

    /** The queries of Nexmark, first all with unique times, then all with times of milliseconds. */
    private static Stream<Entry> nexmark()
    {
        final Collection<NexmarkQuery> queries = NexmarkQuery.all().values();
        return Stream.of(false, true).flatMap(milliseconds -> queries.stream().map(query -> new Entry("nexmark",
            query.name() + (milliseconds ? NexmarkExperiment.MILLISECONDS : ""),
            query.what() + (milliseconds ? "; times in milliseconds" : ""),
            new NexmarkExperiment(query, milliseconds))));
    }

    /** State that is written and read again. */
    private static Entry state(final String variant, final String description)
    {
        return new Entry("state", variant, "1,000,000 of state, written and read: " + description,
            new StateExperiment());
    }

    /** Ids that never repeat, in a small heap. */
    private static Entry uniqueKeys(final String variant, final String description)
    {
        return new Entry("unique-keys", variant, "ids that never repeat, 256 MiB of heap: " + description,
            new UniqueKeysExperiment());
    }

    /** A result over all values on two workers, compared with one thread. */
    private static Entry twoSteps(final String variant, final String description)
    {
        return new Entry("workers", variant, "two steps on two workers: " + description, new TwoStepsExperiment());
    }

    /** One that stores events in a database. */
    private static Entry store(final String what, final StoreKind kind)
    {
        return new Entry("store-" + what, kind.variant(), what + " events of 180 bytes by the JDBC sink",
            new StoreExperiment(what.equals("update")));
    }

    /** A workload that is compared with a hand-written loop. */
    private static Entry beside(final String name, final String variant, final String description,
        final Function<BenchContext, Workload> maker)
    {
        return new Entry(name, variant, description, (ignored, setting, results) ->
        {
            try (Workload workload = maker.apply(setting))
            {
                results.line(new Measurement(name, variant, setting).of(workload));
            }
        }, true);
    }

    /**
     * The entries selected by names.
     *
     * @param names {@code W} for all variants of it, {@code W:variant} for one, {@code W:} for the one without a
     *              variant; none for all
     * @return in the order of the table, without duplicates
     * @throws IllegalArgumentException for an unknown name; the message lists the known ones
     */
    static List<Entry> named(final List<String> names)
    {
        if (names.isEmpty())
        {
            return ALL;
        }
        final List<Entry> found = new ArrayList<>();
        for (final String name : names)
        {
            final List<Entry> these = ALL.stream().filter(each -> each.name().equals(name) ||
                (each.name() + ':' + each.variant()).equals(name)).toList();
            if (these.isEmpty())
            {
                throw new IllegalArgumentException("no such workload: " + name + "; there are " +
                    ALL.stream().map(Entry::fullName).collect(Collectors.joining(", ")));
            }
            found.addAll(these);
        }
        return ALL.stream().filter(found::contains).toList();
    }

    private static Workload wire(final BenchContext setting)
    {
        try
        {
            return new WireWorkload(setting.ticks(), setting.rowsPerFrame());
        }
        catch (final WireFormatException e)
        {
            throw new IllegalStateException("the decoder refuses the benchmark's columns", e);
        }
    }
}

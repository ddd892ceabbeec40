package dev.millrace.cql.testkit;

import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.testkit.interpreter.Interpreter;
import dev.millrace.cql.testkit.interpreter.UndefinedResultException;
import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compares the engine with the interpreter over random queries and random input. On every second input, engines whose
 * state can be written are replaced by new ones that restore it. A difference is shrunk and written as a case file
 * whose expectation is the interpreter's output.
 *
 * <p>Threads: {@link #run} starts its own; each has its own queries and engines.
 */
public final class DifferentialTester
{
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final long PROGRESS_NS = 5_000_000_000L;
    private static final List<String> OPTIONS =
        List.of("--seed", "--queries", "--streams", "--threads", "--seconds", "--mode", "--most", "--out");
    private static final long NOT_COMPARED = -1;
    private static final long SKIPPED = -2;
    private static final long LIMITED = -3;

    private final Settings settings;
    private final PrintStream out;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong cases = new AtomicLong();
    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong skipped = new AtomicLong();
    private final AtomicLong limits = new AtomicLong();
    private final AtomicLong unsplit = new AtomicLong();
    private final AtomicLong queries = new AtomicLong();
    private final AtomicLong inUnits = new AtomicLong();
    private final Features features = new Features();
    private final List<Finding> findings = new ArrayList<>();
    private final Map<String, Integer> refusals = new TreeMap<>();
    private volatile long deadlineNs;

    /**
     * Options of a run.
     *
     * @param seed    first seed
     * @param queries number of queries
     * @param streams inputs per query
     * @param threads number of threads
     * @param seconds when to stop early, 0 for never
     * @param least   minimum number of pairs to compare, even when the time has elapsed
     * @param mode    how the engine plans
     * @param most    number of differences after which to stop
     * @param folder  for case files of differences; null for none
     */
    public record Settings(long seed, long queries, int streams, int threads, long seconds, long least,
        CompiledCase.Mode mode, int most, Path folder)
    {
    }

    /**
     * A difference.
     *
     * @param file shrunk case with the interpreter's output as its expectation
     * @param text description of the difference
     */
    public record Finding(CaseFile file, String text)
    {
    }

    /**
     * The result of a run.
     *
     * @param queries  distinct queries
     * @param inUnits  those that run as units, completely or in part
     * @param cases    query-input pairs that were compared
     * @param rows     rows that they emitted
     * @param skipped  pairs that the interpreter could not evaluate
     * @param limits   pairs in which the engine reported that it reached a limit; not compared
     * @param findings differences
     * @param refusals queries that the engine refused although the interpreter accepts them, by message
     */
    public record Report(long queries, long inUnits, long cases, long rows, long skipped, long limits,
        List<Finding> findings,
        Map<String, Integer> refusals)
    {
    }

    /**
     * @param settings options
     * @param out      receives progress
     */
    public DifferentialTester(final Settings settings, final PrintStream out)
    {
        this.settings = settings;
        this.out = out;
    }

    /**
     * Runs until all queries are done, the time has elapsed or enough differences are found.
     *
     * @throws InterruptedException when the caller is interrupted
     */
    public Report run() throws InterruptedException
    {
        out.println("seed " + settings.seed() + ", " + settings.queries() + " queries x " + settings.streams()
            + " inputs, " + settings.mode());
        final long start = System.nanoTime();
        deadlineNs = settings.seconds() == 0 ? Long.MAX_VALUE : start + settings.seconds() * 1_000_000_000L;
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < settings.threads(); i++)
        {
            final Thread thread = new Thread(this::work, "differential-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        for (final Thread thread : threads)
        {
            while (thread.isAlive())
            {
                thread.join(PROGRESS_NS / 1_000_000);
                if (thread.isAlive())
                {
                    out.println(figures() + ", next seed " + (settings.seed() + next.get()));
                }
            }
        }
        out.println(figures() + ", " + refusals.values().stream().mapToInt(Integer::intValue).sum() + " refused, "
            + (System.nanoTime() - start) / 1_000_000 + " ms");
        return new Report(queries.get(), inUnits.get(), cases.get(), rows.get(), skipped.get(), limits.get(),
            List.copyOf(findings), Map.copyOf(refusals));
    }

    private String figures()
    {
        return queries + " queries, " + inUnits + " of them in units, "
            + cases + " cases, " + rows + " rows, " + findings.size() + " differences, "
            + skipped + " skipped, " + limits + " limits reached"
            + (unsplit.get() == 0 ? "" : ", " + unsplit + " queries that cannot be split");
    }

    /** Parts of the language that were used, with counts. */
    public Features features()
    {
        return features;
    }

    private boolean isTimeLeft()
    {
        return System.nanoTime() < deadlineNs || cases.get() < settings.least();
    }

    private void work()
    {
        long index = next.getAndIncrement();
        while (index < settings.queries() && isTimeLeft() && findings.size() < settings.most())
        {
            try
            {
                query(settings.seed() + index);
            }
            catch (final RuntimeException bug)
            {
                found(new Finding(CaseGenerator.rules(settings.seed() + index), "the test kit failed: " + bug));
            }
            index = next.getAndIncrement();
        }
    }

    private void query(final long seed)
    {
        final CaseFile file = CaseGenerator.rules(seed);
        final Reference reference;
        try
        {
            reference = new Reference(file);
        }
        catch (final InvalidStatementException refused)
        {
            found(new Finding(file, "the interpreter refuses a generated query: " + refused.getMessage()));
            return;
        }
        final CompiledCase.Variant variant = variant(seed);
        final EngineRunner engine;
        try
        {
            engine = new EngineRunner(file, variant);
        }
        catch (final CqlException refused)
        {
            refused(file, refused);
            return;
        }
        catch (final RuntimeException bug)
        {
            found(new Finding(file, "planning or compiling failed: " + bug));
            return;
        }
        queries.incrementAndGet();
        inUnits.addAndGet(Math.min(1, engine.queriesInUnits()));
        final List<String> used = used(file, variant, engine);
        features.query(used);
        for (int i = 0; i < settings.streams() && isTimeLeft(); i++)
        {
            final CaseFile input = file.over(
                CaseGenerator.arrivals(file, seed * GOLDEN + i, variant.totalOrder()));
            final long[] given = {NOT_COMPARED};
            final String difference = difference(input, reference, engine, 1 + i % 3 * 7, i % 2 > 0, given);
            count(used, given[0]);
            if (difference != null)
            {
                found(shrunk(input, variant, difference));
                return;
            }
        }
    }

    private void count(final List<String> used, final long given)
    {
        if (given == SKIPPED)
        {
            skipped.incrementAndGet();
        }
        else if (given == LIMITED)
        {
            limits.incrementAndGet();
        }
        else
        {
            cases.incrementAndGet();
            rows.addAndGet(Math.max(0, given));
            features.add(used, given > 0);
        }
    }

    private CompiledCase.Variant variant(final long seed)
    {
        return new CompiledCase.Variant(settings.mode(), Math.floorMod(seed, 7) == 3, Math.floorMod(seed, 5) == 2);
    }

    private static List<String> used(
        final CaseFile file, final CompiledCase.Variant variant, final EngineRunner engine)
    {
        final List<String> used = Features.of(file);
        if (variant.bound())
        {
            used.add("bindings");
        }
        if (variant.totalOrder())
        {
            used.add("total order");
        }
        if (engine.plan().flows().stream().anyMatch(flow -> flow.ordering() != OrderingConstraint.ORDERED))
        {
            used.add("split");
        }
        if (!engine.plan().flows().isEmpty())
        {
            used.add("planned as flows");
        }
        if (!engine.plan().pipelines().isEmpty())
        {
            used.add("planned fused");
        }
        return used;
    }

    private synchronized void refused(final CaseFile file, final CqlException refused)
    {
        if (settings.mode() == CompiledCase.Mode.SPLIT && refused.problems().get(0).code().startsWith("CQL-60"))
        {
            unsplit.incrementAndGet();
            return;
        }
        final String message = refused.problems().get(0).code() + " " + refused.problems().get(0).text();
        if (refusals.merge(message, 1, Integer::sum) == 1)
        {
            out.println("refused: " + message + "\n  " + file.rules().get(file.rules().size() - 1).text());
        }
    }

    /**
     * Null when engine and interpreter agree.
     *
     * @param restarts whether new engines restore the state of others during the run
     */
    private String difference(
        final CaseFile input, final Reference reference, final EngineRunner engine, final int batchSize,
        final boolean restarts, final long[] given)
    {
        final Reference.Outcome wanted;
        try
        {
            wanted = reference.run(input.arrivals());
        }
        catch (final UndefinedResultException undefined)
        {
            given[0] = SKIPPED;
            return null;
        }
        final Reference.Outcome got;
        try
        {
            final int size = input.arrivals().size();
            got = engine.run(input.arrivals(), batchSize,
                restarts ? Set.of(size / 3 + 1, size * 2 / 3 + 2) : Set.of(), false);
        }
        catch (final RuntimeException | LinkageError bug)
        {
            final StackTraceElement[] trace = bug.getStackTrace();
            return "the engine failed: " + bug + (trace.length > 0 ? " at " + trace[0] : "");
        }
        if (got.limit() != null)
        {
            if (limits.get() == 0)
            {
                out.println("limit reached: " + got.limit());
            }
            given[0] = LIMITED;
            return null;
        }
        given[0] = wanted.rows().values().stream().mapToLong(List::size).sum();
        final StringBuilder text = new StringBuilder();
        final Map<String, Boolean> streams = engine.streams();
        wanted.rows().forEach((query, list) -> {
            if (streams.get(query) != reference.isStream(query))
            {
                text.append("stream or relation? ").append(query).append(" is planned as a ")
                    .append(Boolean.TRUE.equals(streams.get(query)) ? "stream" : "relation").append('\n');
                return;
            }
            final boolean isSplit = settings.mode() == CompiledCase.Mode.SPLIT;
            final String difference = Comparison.difference(got.rows().getOrDefault(query, List.of()), list,
                reference.isStream(query), input.ordered() && !isSplit);
            text.append(difference == null ? "" : difference);
            if (isSplit && input.ordered() && reference.isStream(query))
            {
                engine.lastParts().getOrDefault(query, List.of()).forEach(part ->
                    text.append(Comparison.isSubsequence(part, list) ? "" : "out of order in an engine: " + part));
            }
        });
        if (text.length() == 0 && isWronglyRejected(input.arrivals(), reference, wanted, got))
        {
            text.append("the engine rejected rows: ").append(got.rejected()).append('\n');
        }
        return text.length() == 0 ? null : text.toString();
    }

    /** Whether the engine rejected rows all of which can be worked out, whether an instant shows them or not. */
    static boolean isWronglyRejected(final List<Interpreter.Arrival> arrivals, final Reference reference,
        final Reference.Outcome wanted, final Reference.Outcome got)
    {
        return wanted.rejected() == 0 && got.rejected() > 0 && !reference.mayReject(arrivals);
    }

    private Finding shrunk(final CaseFile input, final CompiledCase.Variant variant, final String difference)
    {
        final boolean failed = difference.startsWith("the engine failed");
        final CaseFile small = new Shrinker(file -> {
            final String text = again(file, variant);
            return text != null && failed == text.startsWith("the engine failed");
        }).shrink(input);
        final String text = again(small, variant);
        final Map<String, List<CaseRow>> expected = new Reference(small).run(small.arrivals()).rows();
        return new Finding(small.expecting(expected), variant + "\n" + (text == null ? difference : text));
    }

    private String again(final CaseFile file, final CompiledCase.Variant variant)
    {
        try
        {
            final Reference reference = new Reference(file);
            final EngineRunner engine = new EngineRunner(file, variant);
            final String text = difference(file, reference, engine, 1, false, new long[1]);
            return text != null ? text : difference(file, reference, engine, 1, true, new long[1]);
        }
        catch (final CqlException | RuntimeException other)
        {
            return null;
        }
    }

    private synchronized void found(final Finding finding)
    {
        findings.add(finding);
        out.println("DIFFERENCE " + finding.file().name() + "\n" + finding.text() + finding.file().toYaml());
        if (settings.folder() != null)
        {
            try
            {
                Files.createDirectories(settings.folder());
                Files.writeString(settings.folder().resolve(finding.file().name() + ".yaml"),
                    finding.file().toYaml(), StandardCharsets.UTF_8);
            }
            catch (final IOException unwritable)
            {
                out.println("cannot write the case file: " + unwritable);
            }
        }
    }

    /** Next to a server's jars, Calcite would log each step of planning. Must be called before anything is logged. */
    private static void silenceLibraries()
    {
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.setProperty("slf4j.provider", "org.slf4j.helpers.NOP_FallbackServiceProvider");
    }

    /**
     * Compares: {@code [--seed S] [--queries N] [--streams M] [--threads T] [--seconds S] [--mode flows|default|split]
     * [--most N] [--out DIR]}.
     *
     * @param arguments options
     * @throws InterruptedException when interrupted
     */
    public static void main(final String[] arguments) throws InterruptedException
    {
        silenceLibraries();
        final Map<String, String> options = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i += 2)
        {
            if (!OPTIONS.contains(arguments[i]) || i + 1 == arguments.length)
            {
                System.err.println("unknown option or no value: " + arguments[i] + "; options: "
                    + String.join(" VALUE, ", OPTIONS) + " VALUE");
                System.exit(2);
            }
            options.put(arguments[i], arguments[i + 1]);
        }
        final String folder = options.get("--out");
        final Settings settings = new Settings(Long.parseLong(options.getOrDefault("--seed", "1")),
            Long.parseLong(options.getOrDefault("--queries", "50000")),
            Integer.parseInt(options.getOrDefault("--streams", "20")),
            Integer.parseInt(options.getOrDefault("--threads", "2")),
            Long.parseLong(options.getOrDefault("--seconds", "0")), 0,
            CompiledCase.Mode.valueOf(options.getOrDefault("--mode", "flows").toUpperCase(Locale.ROOT)),
            Integer.parseInt(options.getOrDefault("--most", "20")), folder == null ? null : Path.of(folder));
        final DifferentialTester differential = new DifferentialTester(settings, System.out);
        final Report report = differential.run();
        differential.features().lines().forEach(System.out::println);
        report.refusals().forEach((message, count) -> System.out.println(count + " x " + message));
        System.exit(report.findings().isEmpty() ? 0 : 1);
    }

    /** A copy of a case that the interpreter can run, with the interpreter's output as its expectation. */
    public static CaseFile answered(final CaseFile file)
    {
        final List<Interpreter.Arrival> arrivals = file.arrivals();
        return file.expecting(new Reference(file).run(arrivals).rows());
    }
}

package dev.millrace.cql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.compiler.janino.JavacClassMaker;
import dev.millrace.cql.plan.PipelinePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random plans over random rows: generated code compared with the interpreter, Janino with javac. */
@Tag("slow")
@Timeout(120)
class RandomPlanTest
{
    private static final int PLANS = Integer.getInteger("millrace.random.plans", 150);
    /** Fixed, so that a commit always gives the same result; {@code -Dseed} tries another. */
    private static final long SEED = Long.getLong("seed", 20_261_123L);

    @Test
    void shouldAgreeWithInterpreterWhenPlansAndRowsAreRandom()
    {
        System.out.println("seed " + SEED + ", set -Dseed to repeat");
        int results = 0;
        int rejected = 0;
        for (int i = 0; i < PLANS; i++)
        {
            final PlanInterpreter expected = check(new PipelineCompiler(), SEED + i);
            results += expected.results.values().stream().mapToInt(List::size).sum();
            rejected += expected.rejected();
        }
        System.out.println(PLANS + " plans, " + results + " results, " + rejected + " rejected rows");
        assertThat(results).isGreaterThan(PLANS);
    }

    @Test
    void shouldAgreeWithInterpreterWhenCompiledByJavacWithAllWarnings()
    {
        System.out.println("seed " + SEED + ", set -Dseed to repeat");
        for (int i = 0; i < Math.max(1, PLANS / 20); i++)
        {
            check(new PipelineCompiler(new JavacClassMaker(), 1 << 24), SEED + i);
        }
    }

    @Test
    void shouldGoOnWithWhatOtherInstancesHaveWritten()
    {
        System.out.println("seed " + SEED + ", set -Dseed to repeat");
        for (int i = 0; i < PLANS; i++)
        {
            check(new PipelineCompiler(), SEED + i, new Random(SEED + i));
        }
    }

    private static PlanInterpreter check(final PipelineCompiler compiler, final long seed)
    {
        return check(compiler, seed, null);
    }

    private static PlanInterpreter check(final PipelineCompiler compiler, final long seed, final Random restarts)
    {
        final RandomPlans plans = new RandomPlans(seed);
        final PipelinePlan plan = plans.plan();
        final Random random = new Random(seed);
        final CompiledPipeline compiled;
        try
        {
            compiled = compiler.compile(plan);
        }
        catch (final RuntimeException e)
        {
            throw new AssertionError("seed=" + seed + " plan=" + plan, e);
        }
        final PlanInterpreter expected = new PlanInterpreter(plan, plans.relations());
        try
        {
            final PipelineHarness actual = new PipelineHarness(compiled, plans.relations());
            actual.restarts(restarts);
            feed(plans, random, expected, actual);
            assertThat(actual.rejected()).as("rejected rows").isEqualTo(expected.rejected());
            expected.results.forEach(
                (query, rows) -> assertSame(withZeroOrigins(actual.results.get(query)), withZeroOrigins(rows), query));
        }
        catch (final RuntimeException | AssertionError e)
        {
            throw new AssertionError("seed=" + seed + " plan=" + plan + "\n" + compiled.javaText() +
                "\nrelations=" + plans.relations(), e);
        }
        return expected;
    }

    private static void feed(final RandomPlans plans, final Random random, final PlanInterpreter expected,
        final PipelineHarness actual)
    {
        long time = 1000;
        final boolean origins = random.nextBoolean();
        for (int batch = 0; batch < 12; batch++)
        {
            final int size = random.nextInt(5) == 0 ? 1 + random.nextInt(256) : 1 + random.nextInt(20);
            final boolean strict = random.nextBoolean();
            final List<PlanInterpreter.Row> rows =
                plans.rows(size, time, strict, origins, random.nextInt(3) != 0);
            rows.forEach(expected::onRow);
            actual.texts(PipelineHarness.TextForm.values()[random.nextInt(3)]);
            actual.onRows(rows, strict);
            time = rows.get(rows.size() - 1).timeNs() + random.nextInt(3);
            if (random.nextInt(4) == 0)
            {
                expected.onHeartbeat(time);
                actual.onHeartbeat(time);
            }
        }
        expected.onHeartbeat(time + 10);
        actual.onHeartbeat(time + 10);
    }

    private static void assertSame(final List<PlanInterpreter.Result> actual,
        final List<PlanInterpreter.Result> expected, final String query)
    {
        for (int i = 0; i < Math.min(actual.size(), expected.size()); i++)
        {
            assertThat(actual.get(i)).as("query %s result %d", query, i).isEqualTo(expected.get(i));
        }
        assertThat(actual).as("number of results of query %s", query).hasSameSizeAs(expected);
    }

    /** The first row of a relation has no separate origin. */
    private static List<PlanInterpreter.Result> withZeroOrigins(final List<PlanInterpreter.Result> rows)
    {
        final List<PlanInterpreter.Result> plain = new ArrayList<>();
        rows.forEach(row -> plain.add(new PlanInterpreter.Result(row.kind(), row.values(), row.timeNs(),
            row.timeNs() == Long.MIN_VALUE ? null : row.origin())));
        return plain;
    }
}

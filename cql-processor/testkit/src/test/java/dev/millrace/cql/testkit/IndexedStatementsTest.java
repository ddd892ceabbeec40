package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.index.IndexedPipeline;
import dev.millrace.cql.runtime.index.StatementIndex;
import dev.millrace.cql.runtime.state.PartitionSelection;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Statements whose conditions an index tests emit the rows that satisfy the whole condition, as Java evaluates it:
 * nulls, NaN, zeros of both signs, the ends of each type, and conditions of which the index tests only a part.
 */
@Tag("slow")
@Timeout(120)
class IndexedStatementsTest
{
    private static final EventType TYPE = EventType.tuple("Row", new EventProperty("id", CqlType.INT),
        new EventProperty("c", CqlType.CHAR), new EventProperty("i", CqlType.INT),
        new EventProperty("l", CqlType.BIGINT), new EventProperty("f", CqlType.FLOAT),
        new EventProperty("d", CqlType.DOUBLE));
    private static final String[] TEXTS = {"x", "y", "é", "a string that is longer than a head", ""};
    private static final int[] INTS = {Integer.MIN_VALUE + 1, -1, 0, 1, 2, 3, Integer.MAX_VALUE};
    private static final long[] LONGS = {Long.MIN_VALUE + 1, -1, 0, 1, 2, 3, Long.MAX_VALUE};
    private static final double[] DOUBLES = {-1.5, -0.0, 0.0, 1.5, 2.5, Double.NaN, Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY};

    private final Random random = new Random();
    private final Map<String, List<Integer>> rows = new HashMap<>();

    /** Values of a row; {@code null} is null. */
    private record Row(int id, String c, Integer i, Long l, Float f, Double d)
    {
    }

    /**
     * A condition and its meaning.
     *
     * @param text  in CQL
     * @param holds the same in Java; null never satisfies a comparison
     */
    private record Condition(String text, Predicate<Row> holds)
    {
        Condition and(final Condition other)
        {
            return new Condition(text + " and " + other.text, holds.and(other.holds));
        }
    }

    private Condition text()
    {
        final String text = TEXTS[random.nextInt(TEXTS.length - 1)];
        return new Condition("c = '" + text + "'", row -> text.equals(row.c));
    }

    private Condition whole()
    {
        final int value = random.nextInt(5) - 1;
        return switch (random.nextInt(5))
        {
            case 0 -> new Condition("i = " + value, row -> row.i != null && row.i == value);
            case 1 -> new Condition("i > " + value, row -> row.i != null && row.i > value);
            case 2 -> new Condition(value + " >= i", row -> row.i != null && row.i <= value);
            case 3 -> new Condition("l < " + value + "L", row -> row.l != null && row.l < value);
            default -> new Condition("l between " + value + "L and 2L",
                row -> row.l != null && row.l >= value && row.l <= 2);
        };
    }

    private Condition floating()
    {
        final double value = new double[] {-1.5, 0.0, 1.5}[random.nextInt(3)];
        return switch (random.nextInt(6))
        {
            case 0 -> new Condition("d = " + value, row -> row.d != null && row.d == value);
            case 1 -> new Condition("d > " + value, row -> row.d != null && row.d > value);
            case 2 -> new Condition("d <= " + value, row -> row.d != null && row.d <= value);
            case 3 -> new Condition("d >= " + value, row -> row.d != null && row.d >= value);
            case 4 -> new Condition("f < " + value + "F", row -> row.f != null && row.f < value);
            default -> new Condition("f between " + value + "F and 2.5F",
                row -> row.f != null && row.f >= value && row.f <= 2.5);
        };
    }

    private Condition comparison()
    {
        final int kind = random.nextInt(3);
        return kind == 0 ? text() : kind == 1 ? whole() : floating();
    }

    private Condition condition()
    {
        Condition all = comparison();
        for (int more = random.nextInt(4); more > 0; more--)
        {
            all = all.and(comparison());
        }
        return random.nextInt(3) > 0 ? all : all.and(
            new Condition("(i < 2 or d > 0.0)", row -> row.i != null && row.i < 2 || row.d != null && row.d > 0));
    }

    private Row row(final int id)
    {
        final boolean hasNull = random.nextInt(3) == 0;
        final String c = TEXTS[random.nextInt(TEXTS.length)];
        return new Row(id, c.isEmpty() ? null : c, hasNull && random.nextBoolean() ? null :
            Integer.valueOf(INTS[random.nextInt(INTS.length)]),
            hasNull && random.nextBoolean() ? null : Long.valueOf(LONGS[random.nextInt(LONGS.length)]),
            hasNull && random.nextBoolean() ? null : Float.valueOf((float)DOUBLES[random.nextInt(DOUBLES.length)]),
            hasNull && random.nextBoolean() ? null : Double.valueOf(DOUBLES[random.nextInt(DOUBLES.length)]));
    }

    private static void write(final Row row, final EventBatch batch)
    {
        final int at = batch.size();
        batch.ints(0)[at] = row.id;
        batch.texts(1).set(at, row.c);
        batch.ints(2)[at] = row.i == null ? 0 : row.i;
        batch.longs(3)[at] = row.l == null ? 0 : row.l;
        batch.floats(4)[at] = row.f == null ? 0 : row.f;
        batch.doubles(5)[at] = row.d == null ? 0 : row.d;
        final Object[] values = {row.id, "", row.i, row.l, row.f, row.d};
        IntStream.range(0, values.length).filter(column -> values[column] == null)
            .forEach(column -> batch.setNull(column, at));
        batch.size(at + 1);
    }

    private StatementIndex index(final List<Condition> conditions) throws CqlException
    {
        final Catalog catalog = Catalog.builder().stream("S", TYPE).build();
        final List<RuleText> rules = IntStream.range(0, conditions.size()).mapToObj(i -> RuleText.query("q" + i,
            "select id, " + i + " as n from S where " + conditions.get(i).text)).toList();
        final PipelineCompiler compiler = new PipelineCompiler();
        final List<IndexedPipeline> pipelines = new ArrayList<>();
        for (final PipelinePlan plan : new RulePlanner().plan("p", rules, catalog).pipelines())
        {
            final CompiledPipeline compiled = compiler.compile(plan);
            final Map<String, BatchSchema> schemas = new HashMap<>();
            plan.outputs().forEach(output -> schemas.put(output.queryId(), new BatchSchema(output.type())));
            pipelines.add(new IndexedPipeline(compiled.instantiate(new PipelineBindings(new BatchSchema(TYPE), schemas,
                sinks(schemas), Map.of(), (count, reason, detail) -> assertThat(detail).isNull())), compiled.filter()));
        }
        assertThat(pipelines).as("statements that have their own pipeline").hasSizeGreaterThan(conditions.size() / 2);
        return new StatementIndex(pipelines);
    }

    private Map<String, EventBatchSink> sinks(final Map<String, BatchSchema> schemas)
    {
        final Map<String, EventBatchSink> sinks = new HashMap<>();
        schemas.keySet().forEach(query -> sinks.put(query, out -> IntStream.range(0, out.size())
            .forEach(row -> rows.computeIfAbsent(query, name -> new ArrayList<>()).add(out.ints(0)[row]))));
        return sinks;
    }

    private void check(final List<Condition> conditions, final int batches) throws CqlException
    {
        final StatementIndex index = index(conditions);
        for (int batch = 0; batch < batches; batch++)
        {
            rows.clear();
            final EventBatch in = new EventBatch(new BatchSchema(TYPE));
            final List<Row> given = new ArrayList<>();
            for (int id = random.nextInt(batch % 2 == 0 ? EventBatch.CAPACITY : 5); id >= 0; id--)
            {
                given.add(row(id));
                write(given.get(given.size() - 1), in);
            }
            in.baseTimestampNs(batch);
            index.onBatch(in);
            for (int i = 0; i < conditions.size(); i++)
            {
                assertThat(rows.getOrDefault("q" + i, List.of())).as(conditions.get(i).text)
                    .isEqualTo(given.stream().filter(conditions.get(i).holds).map(Row::id).toList());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldEmitExactlyTheRowsOfTheCondition(final long seed) throws CqlException
    {
        random.setSeed(seed);
        check(IntStream.range(0, 60).mapToObj(i -> condition()).toList(), 30);
    }

    @Test
    void shouldTestNoRowTwiceWhenOnlyOneStatementAsksForAColumn() throws CqlException
    {
        random.setSeed(1);
        final List<Condition> conditions = new ArrayList<>();
        IntStream.range(0, 40).forEach(i -> conditions.add(new Condition("c = 'x' and l > " + i + "L",
            row -> "x".equals(row.c) && row.l != null && row.l > i)));
        conditions.add(new Condition("i = 3", row -> row.i != null && row.i == 3));
        conditions.add(new Condition("d between 0.0 and 1.5", row -> row.d != null && row.d >= 0 && row.d <= 1.5));
        check(conditions, 30);
    }

    /** The first of many pipelines, each of which groups the rows of one number. */
    private Pipeline grouped(final int number) throws CqlException
    {
        final List<RuleText> rules = IntStream.range(0, 40).mapToObj(i -> RuleText.query("q" + i,
            "select c, sum(l) as s from S where i = " + (number + i) + " and l > " + i + "L group by c")).toList();
        final PipelinePlan plan = new RulePlanner().plan("p", rules,
            Catalog.builder().stream("S", TYPE).build()).pipelines().get(0);
        final Map<String, BatchSchema> schemas = new HashMap<>();
        plan.outputs().forEach(output -> schemas.put(output.queryId(), new BatchSchema(output.type())));
        return new PipelineCompiler().compile(plan).instantiate(new PipelineBindings(new BatchSchema(TYPE), schemas,
            sinks(schemas), Map.of(), (count, reason, detail) -> assertThat(detail).isNull()));
    }

    @Test
    void shouldRefuseStateOfRowsThatTheIndexDoesNotPass() throws CqlException
    {
        final StateOutput state = new StateOutput(1 << 20);
        grouped(1).write(state, PartitionSelection.ALL);
        grouped(1).read(new StateInput(state.toBytes()));
        final Pipeline other = grouped(2);
        assertThatThrownBy(() -> other.read(new StateInput(state.toBytes()))).isInstanceOf(StateException.class)
            .hasMessageContaining("state of another plan");
    }
}

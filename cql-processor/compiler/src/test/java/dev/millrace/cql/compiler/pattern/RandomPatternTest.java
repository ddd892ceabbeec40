package dev.millrace.cql.compiler.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Expression.Call;
import dev.millrace.cql.plan.expression.Expression.Column;
import dev.millrace.cql.plan.expression.Expression.Literal;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.PatternExpression.Aggregate;
import dev.millrace.cql.plan.expression.PatternExpression.Classifier;
import dev.millrace.cql.plan.expression.PatternExpression.End;
import dev.millrace.cql.plan.expression.PatternExpression.MatchNumber;
import dev.millrace.cql.plan.expression.PatternExpression.Navigation;
import dev.millrace.cql.plan.expression.PatternExpression.RowColumn;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.plan.flow.PatternSpec.RowsPerMatch;
import dev.millrace.cql.plan.flow.PatternSpec.Skip;
import dev.millrace.cql.plan.flow.PatternSpec.Term;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random patterns over random rows find what {@link Labellings} enumerates. */
@Tag("slow")
@Timeout(300)
class RandomPatternTest
{
    private static final long MS = 1_000_000;
    private static final long DEFAULT_SEED = 20261121;
    private static final int ROUNDS = 1500;
    /** Compiling a pattern takes most of a round. */
    private static final int SEQUENCES_PER_PATTERN = 3;
    private static final int VARIABLES = 3;
    private static final long ANY = -1L;
    private static final EventType TYPE = EventType.tuple("Row", new EventProperty("p", CqlType.INT),
        new EventProperty("c1", CqlType.INT), new EventProperty("c2", CqlType.INT));
    private static final RowType ROWS = new RowType(List.of("p", "c1", "c2"),
        List.of(CqlType.INT, CqlType.INT, CqlType.INT));
    /** Satisfies no condition. */
    private static final int NOTHING = 99;
    /** The measure that counts distinct values. */
    private static final int DISTINCT = 9;

    private record CompiledPattern(CompiledFlow flow, EventType output)
    {
    }

    private final List<String> lines = new ArrayList<>();
    private final Map<String, Integer> rejected = new TreeMap<>();

    @Test
    void shouldFindWhatTheDefinitionSays()
    {
        final long seed = Long.getLong("seed", DEFAULT_SEED);
        final int rounds = Integer.getInteger("rounds", ROUNDS);
        int rowsOut = 0;
        for (int i = 0; i < rounds; i++)
        {
            rowsOut += check(seed + i);
        }
        assertThat(rowsOut).as("rows found in all, seed=%s", seed).isGreaterThan(rounds);
    }

    private int check(final long seed)
    {
        final Random random = new Random(seed);
        final PatternSpec spec = spec(random);
        CompiledPattern compiled = null;
        int rowsOut = 0;
        for (int i = 0; i < SEQUENCES_PER_PATTERN; i++)
        {
            final List<Labellings.Row> rows = rows(random, spec);
            final long endNs = rows.get(rows.size() - 1).timeNs() + (random.nextInt(3) == 0 ? 0 : 100_000 * MS);
            final List<String> expected = expected(spec, rows, endNs);
            if (expected != null)
            {
                compiled = compiled == null ? compile(spec) : compiled;
                check(seed, spec, compiled, rows, endNs, expected);
                rowsOut += expected.size();
            }
        }
        return rowsOut;
    }

    /** What the definition says; {@code null} if there are too many labellings to enumerate. */
    private static List<String> expected(final PatternSpec spec, final List<Labellings.Row> rows, final long endNs)
    {
        final List<String> expected = new ArrayList<>();
        try
        {
            for (final Labellings.Found found : Labellings.find(spec, rows, endNs))
            {
                expected.add(found.timeNs() + " " + found.values());
            }
            return expected;
        }
        catch (final Labellings.TooManyException tooMany)
        {
            return null;
        }
    }

    private void check(final long seed, final PatternSpec spec, final CompiledPattern compiled,
        final List<Labellings.Row> rows, final long endNs, final List<String> expected)
    {
        lines.clear();
        rejected.clear();
        final FlowEngine engine = compiled.flow().instantiate(new FlowBindings(
            Map.of("q", new BatchSchema(compiled.output())), Map.of("q", this::collect), Map.of(), Map.of(),
            (count, reason, detail) -> rejected.merge(reason, count, Integer::sum), 100_000));
        for (final Labellings.Row row : rows)
        {
            send(engine, row);
        }
        final EventBatch heartbeat = new EventBatch(new BatchSchema(TYPE));
        heartbeat.baseTimestampNs(endNs);
        engine.onBatch(0, heartbeat);
        assertThat(lines).as("seed=%s spec=%s rows=%s rejected=%s", seed, spec, rows, rejected)
            .containsExactlyElementsOf(expected);
    }

    private static CompiledPattern compile(final PatternSpec spec)
    {
        final FlowNode.Source source = new FlowNode.Source("S", TYPE, ROWS, false, List.of(),
            FlowNode.TimeKind.APPLICATION, false, false);
        final FlowNode match = new FlowNode.Match(source, spec);
        final EventProperty[] columns = new EventProperty[match.rows().size()];
        Arrays.setAll(columns, i -> new EventProperty("c" + i, match.rows().types().get(i)));
        final EventType type = EventType.tuple("Out", columns);
        return new CompiledPattern(new FlowCompiler().compile(new FlowPlan("test", List.of(source),
            List.of(new FlowPlan.Output("q", match, true, type)))), type);
    }

    private void collect(final EventBatch out)
    {
        for (int row = 0; row < out.size(); row++)
        {
            final List<Object> values = new ArrayList<>();
            for (int column = 0; column < out.schema().columnCount(); column++)
            {
                values.add(out.value(column, row));
            }
            lines.add(out.timestampNs(row) + " " + values);
        }
    }

    private void send(final FlowEngine engine, final Labellings.Row row)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
        for (int i = 0; i < row.values().size(); i++)
        {
            if (row.values().get(i) == null)
            {
                batch.setNull(i, 0);
            }
            else
            {
                batch.ints(i)[0] = row.values().get(i);
            }
        }
        batch.useTimestampPerRow()[0] = row.timeNs();
        batch.size(1);
        engine.onBatch(0, batch);
    }

    private static List<Labellings.Row> rows(final Random random, final PatternSpec spec)
    {
        final List<Labellings.Row> rows = new ArrayList<>();
        final int count = 4 + random.nextInt(9);
        long timeMs = 1000;
        final int partitions = spec.partitionBy().isEmpty() ? 1 : 2;
        for (int i = 0; i < count; i++)
        {
            timeMs += random.nextInt(4) * 500L;
            final int partition = random.nextInt(partitions);
            rows.add(new Labellings.Row(timeMs * MS, Arrays.asList(partition == 0 ? null : (Integer)partition, i,
                random.nextInt(12) == 0 ? null : (Integer)random.nextInt(8))));
        }
        for (int i = 0; i < partitions; i++)
        {
            rows.add(new Labellings.Row((timeMs + 500) * MS, Arrays.asList(i == 0 ? null : (Integer)i, count + i,
                NOTHING)));
        }
        return rows;
    }

    // Patterns.

    private static PatternSpec spec(final Random random)
    {
        final boolean isLocal = random.nextInt(3) == 0;
        final List<Expression> conditions = new ArrayList<>();
        for (int i = 0; i < VARIABLES; i++)
        {
            conditions.add(condition(random, i, isLocal));
        }
        if (isLocal)
        {
            return localSpec(random, conditions);
        }
        final boolean all = random.nextInt(3) == 0;
        final boolean hasDuration = random.nextInt(5) == 0;
        final boolean isExtended = !all && !hasDuration && random.nextInt(3) == 0;
        final Skip skip = isExtended ? Skip.values()[random.nextInt(4)] : Skip.PAST_LAST_ROW;
        final RowsPerMatch output = isExtended ? RowsPerMatch.values()[random.nextInt(5)] :
            RowsPerMatch.ONE_WITHOUT_EMPTY;
        final boolean isFixed = random.nextInt(4) == 0;
        final Term pattern = isFixed ? fixed(random) :
            term(random, 0, output.name().startsWith("ALL_S") || output.name().startsWith("ALL_O"));
        final List<Field> measures = new ArrayList<>(measures(!all && !hasDuration));
        if (isFixed)
        {
            measures.subList(8, measures.size()).clear();
        }
        else if (random.nextBoolean())
        {
            // Without measures that need the rows of the match.
            measures.remove(DISTINCT);
        }
        else
        {
            ofOtherRows(random).forEach(each -> measures.add(new Field("m" + measures.size(), each)));
        }
        return new PatternSpec(random.nextBoolean() ? List.of() : List.of(0), List.of("A", "B", "C"), conditions,
            pattern, measures, all,
            !hasDuration && random.nextInt(4) == 0 ? (1 + random.nextInt(6)) * 500L * MS : 0, random.nextBoolean(),
            hasDuration ? (1 + random.nextInt(6)) * 500L * MS : 0,
            hasDuration && random.nextInt(3) == 0 ? 2 : -1, hasDuration && random.nextBoolean(), skip,
            1L << random.nextInt(VARIABLES), output);
    }

    /** Conditions that read only the row and the one before it, measures that read single rows. */
    private static PatternSpec localSpec(final Random random, final List<Expression> conditions)
    {
        final List<Field> measures = new ArrayList<>(measures(false).subList(0, 6));
        measures.add(new Field("m6", new Navigation(3, End.LAST, 0, 1, -1, true, 1, CqlType.INT)));
        measures.add(new Field("m7", new Navigation(6, End.FIRST, 0, 1, -1, false, 1, CqlType.INT)));
        return new PatternSpec(random.nextBoolean() ? List.of() : List.of(0), List.of("A", "B", "C"), conditions,
            term(random, 0, false), measures, random.nextInt(3) == 0,
            random.nextInt(4) == 0 ? (1 + random.nextInt(6)) * 500L * MS : 0, random.nextBoolean(), 0, -1, false,
            random.nextInt(3) == 0 ? Skip.TO_NEXT_ROW : Skip.PAST_LAST_ROW, 0, RowsPerMatch.ONE_WITHOUT_EMPTY);
    }

    /** Measures that read rows which need not be in the match; the last rows of partitions end each wait for them. */
    private static List<Expression> ofOtherRows(final Random random)
    {
        final List<Expression> found = new ArrayList<>();
        if (random.nextInt(3) == 0)
        {
            found.add(new RowColumn(1, CqlType.INT));
        }
        if (random.nextInt(3) == 0)
        {
            final boolean isRunning = random.nextBoolean();
            found.add(new Navigation(ANY, End.LAST, 0, -1, -1, isRunning, 1, CqlType.INT));
            found.add(new Navigation(1L << random.nextInt(VARIABLES), End.FIRST, random.nextInt(2), -1, -1, isRunning,
                1, CqlType.INT));
            found.add(new Classifier(ANY, End.LAST, 0, -1, -1, true));
        }
        if (random.nextInt(3) == 0)
        {
            found.add(new Classifier(1L << random.nextInt(VARIABLES), random.nextBoolean() ? End.FIRST : End.LAST,
                random.nextInt(2), random.nextInt(2), -1, random.nextBoolean()));
        }
        return found;
    }

    private static Term fixed(final Random random)
    {
        final List<Term> terms = new ArrayList<>();
        final int count = 2 + random.nextInt(3);
        for (int i = 0; i < count; i++)
        {
            terms.add(new PatternSpec.Variable(random.nextInt(VARIABLES)));
        }
        return new PatternSpec.Sequence(terms);
    }

    private static Term term(final Random random, final int depth, final boolean withExclusion)
    {
        final int kind = random.nextInt(20);
        Term term;
        if (depth >= 2 || kind < 7)
        {
            term = new PatternSpec.Variable(random.nextInt(VARIABLES));
        }
        else if (kind < 14)
        {
            term = new PatternSpec.Sequence(terms(random, depth, withExclusion));
        }
        else if (kind < 17)
        {
            term = new PatternSpec.Alternation(terms(random, depth, withExclusion));
        }
        else if (kind < 18)
        {
            term = new PatternSpec.Permute(terms(random, depth, withExclusion));
        }
        else if (kind < 19 && withExclusion)
        {
            term = new PatternSpec.Exclude(term(random, depth + 1, withExclusion));
        }
        else
        {
            term = new PatternSpec.Empty();
        }
        if (random.nextInt(5) < 2)
        {
            final int min = random.nextInt(3);
            term = new PatternSpec.Repeat(term, min, switch (random.nextInt(3))
            {
                case 0 -> Math.max(min, 1);
                case 1 -> min + 1;
                default -> Integer.MAX_VALUE;
            }, random.nextBoolean());
        }
        return term;
    }

    private static List<Term> terms(final Random random, final int depth, final boolean withExclusion)
    {
        final List<Term> terms = new ArrayList<>();
        final int count = 2 + random.nextInt(2);
        for (int i = 0; i < count; i++)
        {
            terms.add(term(random, depth + 1, withExclusion));
        }
        return terms;
    }

    private static Expression navigation(final long variables, final End end, final int offset, final int back)
    {
        return new Navigation(variables, end, offset, back, -1, true, 2, CqlType.INT);
    }

    private static Expression call(final Operation operation, final Expression left, final Expression right)
    {
        return new Call(operation, List.of(left, right), CqlType.BOOLEAN, true);
    }

    private static Expression number(final int value)
    {
        return new Literal(value, CqlType.INT);
    }

    private static Expression big(final long value)
    {
        return new Literal(value, CqlType.BIGINT);
    }

    private static Expression aggregate(final String function, final long variables, final boolean distinct,
        final Expression... arguments)
    {
        return new Aggregate(variables, function, List.of(arguments), distinct, true, switch (function)
        {
            case "avg" -> CqlType.FLOAT;
            case "min", "max" -> CqlType.INT;
            default -> CqlType.BIGINT;
        });
    }

    private static Expression condition(final Random random, final int variable, final boolean isLocal)
    {
        final long own = 1L << variable;
        final long other = 1L << random.nextInt(VARIABLES);
        final Expression value = navigation(own, End.LAST, 0, 0);
        final Expression column = new Column(2, CqlType.INT, true);
        final Expression random8 = number(random.nextInt(8));
        final Expression extra = switch (random.nextInt(isLocal ? 8 : 17))
        {
            case 0, 1, 2 -> call(Operation.LESS, value, random8);
            case 3, 4, 5 -> call(Operation.GREATER_OR_EQUAL, value, random8);
            case 6, 7 -> call(Operation.GREATER, value, navigation(own, End.LAST, 0, 1));
            case 8 -> call(Operation.GREATER_OR_EQUAL, value, navigation(other, End.LAST, 0, 0));
            case 9 -> call(Operation.LESS, aggregate("count", other, false), big(1 + random.nextInt(3)));
            case 10 -> call(Operation.LESS, aggregate("sum", ANY, false, column), big(4 + random.nextInt(20)));
            case 11 -> call(Operation.OR, call(Operation.NOT_EQUAL, value, navigation(own, End.LAST, 1, 0)),
                call(Operation.LESS, aggregate("count", own, false), big(2)));
            case 12 -> call(Operation.LESS, navigation(ANY, End.FIRST, 0, 0), value);
            case 13 -> call(Operation.LESS, aggregate("count", ANY, true, column), big(2 + random.nextInt(3)));
            case 14 -> call(Operation.GREATER_OR_EQUAL, value, aggregate("max", other, false, column));
            case 15 -> call(random.nextBoolean() ? Operation.EQUAL : Operation.NOT_EQUAL,
                new Classifier(ANY, random.nextBoolean() ? End.FIRST : End.LAST, 0, random.nextInt(2), -1, true),
                new Literal("A", CqlType.CHAR));
            default -> call(Operation.LESS, value,
                new Navigation(own, End.LAST, 0, 1, 700, true, 2, CqlType.INT));
        };
        return call(Operation.AND, call(Operation.LESS, value, number(NOTHING)), extra);
    }

    private static List<Field> measures(final boolean withNumber)
    {
        final Expression column = new Column(2, CqlType.INT, true);
        final Expression twice = new Call(Operation.MULTIPLY, List.of(column, number(2)), CqlType.INT, true);
        final List<Expression> all = new ArrayList<>();
        all.add(new Navigation(ANY, End.FIRST, 0, 0, -1, false, 1, CqlType.INT));
        all.add(new Navigation(ANY, End.LAST, 0, 0, -1, false, 1, CqlType.INT));
        all.add(new Navigation(ANY, End.LAST, 0, 0, -1, true, 1, CqlType.INT));
        for (int i = 0; i < VARIABLES; i++)
        {
            all.add(new Navigation(1L << i, End.LAST, 0, 0, -1, true, 1, CqlType.INT));
        }
        all.add(new Navigation(2, End.FIRST, 1, 0, -1, false, 1, CqlType.INT));
        all.add(new Navigation(3, End.LAST, 1, 1, -1, true, 1, CqlType.INT));
        all.add(aggregate("count", ANY, false));
        all.add(aggregate("count", 2, true, column));
        all.add(aggregate("sum", 6, false, twice));
        all.add(aggregate("avg", 1, false, column));
        all.add(aggregate("min", ANY, false, column));
        all.add(new Aggregate(ANY, "max", List.of(column), false, false, CqlType.INT));
        all.add(new Classifier(ANY, true));
        if (withNumber)
        {
            all.add(new MatchNumber());
        }
        final List<Field> fields = new ArrayList<>();
        all.forEach(each -> fields.add(new Field("m" + fields.size(), each)));
        return fields;
    }
}

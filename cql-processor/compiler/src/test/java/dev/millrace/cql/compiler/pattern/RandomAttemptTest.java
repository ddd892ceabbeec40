package dev.millrace.cql.compiler.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Expression.Call;
import dev.millrace.cql.plan.expression.Expression.Literal;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.plan.expression.PatternExpression.Aggregate;
import dev.millrace.cql.plan.expression.PatternExpression.End;
import dev.millrace.cql.plan.expression.PatternExpression.Navigation;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowRoute;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.plan.flow.PatternSpec.Repeat;
import dev.millrace.cql.plan.flow.PatternSpec.RowsPerMatch;
import dev.millrace.cql.plan.flow.PatternSpec.Sequence;
import dev.millrace.cql.plan.flow.PatternSpec.Skip;
import dev.millrace.cql.plan.flow.PatternSpec.Term;
import dev.millrace.cql.plan.flow.PatternSpec.Variable;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Patterns whose attempts are records find what {@link Labellings} enumerates, and what other classes of patterns find
 * for the same rows: several partitions, equal times, batches split anywhere, bounds met exactly, both orders.
 */
@Tag("slow")
@Timeout(300)
class RandomAttemptTest
{
    private static final long DEFAULT_SEED = 20261124;
    private static final int ROUNDS = 400;
    private static final long ANY = -1L;
    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;
    private static final int D = 3;
    private static final List<String> VARIABLES = List.of("A", "B", "C", "D");
    private static final EventType TYPE = EventType.tuple("Row", new EventProperty("k", CqlType.INT),
        new EventProperty("i", CqlType.INT), new EventProperty("v", CqlType.INT), new EventProperty("t", CqlType.CHAR));
    private static final RowType ROWS = new RowType(List.of("k", "i", "v", "t"),
        List.of(CqlType.INT, CqlType.INT, CqlType.INT, CqlType.CHAR));

    /** Assigns the codes in which some batches store their strings. */
    private final StringTable codes = new StringTable(StringTable.Lifetime.HELD, 1 << 20);
    /** By the number of the partition: null, shorter and longer than a word, beyond ASCII. */
    private static final List<String> TEXTS = Arrays.asList("short", null, "a text that is longer, \u00e4");
    /** Columns that identify the same partitions: the number, its string, both. */
    private static final List<List<Integer>> KEYS = List.of(List.of(0), List.of(3), List.of(3, 0));

    private final List<String> lines = new ArrayList<>();
    private final Map<String, Integer> rejected = new TreeMap<>();
    private final Map<PatternStrategy, Integer> classes = new EnumMap<>(PatternStrategy.class);

    @Test
    void shouldFindWhatTheDefinitionAndOtherClassesFind()
    {
        final long seed = Long.getLong("seed", DEFAULT_SEED);
        final int rounds = Integer.getInteger("rounds", ROUNDS);
        int found = 0;
        for (int i = 0; i < rounds; i++)
        {
            found += check(seed + i);
        }
        assertThat(found).as("matches, seed=%s", seed).isGreaterThan(rounds);
        assertThat(classes).as("seed=%s", seed)
            .containsOnlyKeys(PatternStrategy.values());
    }

    private int check(final long seed)
    {
        final Random random = new Random(seed);
        // The first numbers of adjacent seeds are similar.
        random.nextLong();
        random.nextLong();
        final PatternSpec spec = spec(random);
        final List<Labellings.Row> rows = rows(random);
        final long endNs = rows.get(rows.size() - 1).timeNs() + 1000;
        final List<Labellings.Found> definition;
        try
        {
            definition = Labellings.find(spec, rows, endNs);
        }
        catch (final Labellings.TooManyException tooMany)
        {
            return 0;
        }
        final List<String> expected =
            definition.stream().map(found -> found.timeNs() + " " + found.values()).toList();
        final boolean isTimed = random.nextInt(3) == 0;
        final List<Integer> keys = KEYS.get(random.nextInt(KEYS.size()));
        final FlowNode.Match match = new FlowNode.Match(isTimed ? new FlowNode.Timed(source()) : source(),
            with(spec, keys, spec.measures()));
        final FlowNode.Match written = FixedLengthPattern.rewritten(match);
        classes.merge(new PatternStrategySelector(written, new PatternAnalysis(written.pattern()).program()).kind(), 1,
            Integer::sum);
        final String what = "seed=" + seed + " spec=" + spec + " rows=" + rows;
        assertThat(run(new Random(seed), match, OrderingConstraint.ORDERED, rows, endNs)).as(what)
            .containsExactlyElementsOf(expected);
        // For distinct values, an attempt has a record for each of its rows.
        final List<Field> measures = new ArrayList<>(spec.measures());
        measures.add(new Field("values", new Aggregate(ANY, "count", List.of(new Expression.Column(2, CqlType.INT,
            true)), true, false, CqlType.BIGINT)));
        final FlowNode.Match other = new FlowNode.Match(source(), with(spec, keys, measures));
        assertThat(new PatternStrategySelector(other,
            new PatternAnalysis(other.pattern()).program()).hasHistory()).isTrue();
        assertThat(run(new Random(seed), other, OrderingConstraint.ORDERED, rows, endNs).stream()
            .map(line -> line.substring(0, line.lastIndexOf(", ")) + "]").toList()).as(what)
            .containsExactlyElementsOf(expected);
        final List<String> unordered = run(new Random(seed), match, OrderingConstraint.PARTITION_ORDERED, rows, endNs);
        final Comparator<Labellings.Found> order = Comparator.comparingInt(Labellings.Found::number);
        final boolean isSorted = spec.allMatches() || keys.size() > 1;
        assertThat(byPartition(unordered, isSorted)).as(what).isEqualTo(byPartition(definition.stream()
            .sorted(order).map(each -> each.timeNs() + " " + each.values()).toList(), isSorted));
        return expected.size();
    }

    /**
     * The first measure identifies the partition. All matches are emitted with their last row, in no other order; so
     * are those of partitions by two columns, which need not be separate.
     */
    private static Map<String, List<String>> byPartition(final List<String> all, final boolean isSorted)
    {
        final Map<String, List<String>> partitions = new TreeMap<>();
        all.forEach(line -> partitions.computeIfAbsent(line.substring(line.indexOf('['), line.indexOf(',')),
            key -> new ArrayList<>()).add(line));
        partitions.values().stream().filter(lines -> isSorted).forEach(Collections::sort);
        return partitions;
    }

    private static FlowNode.Source source()
    {
        return new FlowNode.Source("S", TYPE, ROWS, false, List.of(), FlowNode.TimeKind.APPLICATION, false, false);
    }

    private List<String> run(final Random random, final FlowNode.Match match, final OrderingConstraint ordering,
        final List<Labellings.Row> rows, final long endNs)
    {
        lines.clear();
        rejected.clear();
        final FlowNode.Source source = (FlowNode.Source)FlowNode.upstream(match).get(0);
        final EventProperty[] columns = new EventProperty[match.rows().size()];
        Arrays.setAll(columns, i -> new EventProperty("c" + i, match.rows().types().get(i)));
        final EventType type = EventType.tuple("Out", columns);
        final FlowEngine engine = new FlowCompiler().compile(new FlowPlan("test", List.of(source),
            List.of(new FlowPlan.Output("q", match, true, type)), ordering, List.of(FlowRoute.TO_ALL)))
            .instantiate(new FlowBindings(Map.of("q", new BatchSchema(type)),
                Map.of("q", this::collect), Map.of(), Map.of(),
                (count, reason, detail) -> rejected.merge(reason, count, Integer::sum), 100_000));
        int next = 0;
        while (next < rows.size())
        {
            final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
            final int count = Math.min(rows.size() - next, 1 + random.nextInt(4));
            final int form = random.nextInt(3);
            for (int i = 0; i < count; i++)
            {
                text(batch, i, TEXTS.get(rows.get(next).values().get(0)), form);
                fill(batch, i, rows.get(next++));
            }
            batch.size(count);
            engine.onBatch(0, batch);
            if (random.nextInt(3) == 0)
            {
                // Up to the instant before the next row, which closes everything that is due by then.
                final long beforeNs = next < rows.size() ? rows.get(next).timeNs() - 1 : endNs;
                if (beforeNs >= rows.get(next - 1).timeNs())
                {
                    heartbeat(engine, beforeNs);
                }
            }
        }
        heartbeat(engine, endNs);
        assertThat(rejected).isEmpty();
        return List.copyOf(lines);
    }

    private void heartbeat(final FlowEngine engine, final long timeNs)
    {
        final EventBatch heartbeat = new EventBatch(new BatchSchema(TYPE));
        heartbeat.baseTimestampNs(timeNs);
        engine.onBatch(0, heartbeat);
    }

    /** Writes the string of a row as an object, as bytes or as a code. */
    private void text(final EventBatch batch, final int row, final String text, final int form)
    {
        if (form == 0)
        {
            batch.texts(3).set(row, text);
        }
        else if (form == 1)
        {
            final byte[] utf8 = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
            batch.texts(3).set(row, utf8, 0, utf8.length);
        }
        else
        {
            batch.texts(3).setCode(row, codes, codes.code(text));
        }
    }

    private static void fill(final EventBatch batch, final int index, final Labellings.Row row)
    {
        for (int i = 0; i < row.values().size(); i++)
        {
            if (row.values().get(i) == null)
            {
                batch.setNull(i, index);
            }
            else
            {
                batch.ints(i)[index] = row.values().get(i);
            }
        }
        batch.useTimestampPerRow()[index] = row.timeNs();
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

    private static List<Labellings.Row> rows(final Random random)
    {
        final List<Labellings.Row> rows = new ArrayList<>();
        final int count = 4 + random.nextInt(16);
        final int partitions = 1 + random.nextInt(3);
        final int values = 3 + random.nextInt(6);
        long timeNs = 100;
        for (int i = 0; i < count; i++)
        {
            timeNs += random.nextInt(4);
            rows.add(new Labellings.Row(timeNs, Arrays.asList((Integer)random.nextInt(partitions), i,
                random.nextInt(15) == 0 ? null : (Integer)random.nextInt(values))));
        }
        for (int i = 0; i < partitions; i++)
        {
            // Satisfies no condition, so that nothing is left open without WITHIN.
            rows.add(new Labellings.Row(timeNs + 4, Arrays.asList((Integer)i, count + i, null)));
        }
        return rows;
    }

    private static PatternSpec with(final PatternSpec spec, final List<Integer> keys, final List<Field> measures)
    {
        return new PatternSpec(keys, spec.variables(), spec.conditions(), spec.pattern(), measures,
            spec.allMatches(), spec.withinNs(), spec.withinInclusive(), 0, -1, false, spec.skip(), 0, spec.output());
    }

    private static Expression v(final int variable, final int back)
    {
        return new Navigation(1L << variable, End.LAST, 0, back, -1, true, 2, CqlType.INT);
    }

    private static Expression first(final int variable)
    {
        return new Navigation(1L << variable, End.FIRST, 0, 0, -1, true, 2, CqlType.INT);
    }

    private static Expression compare(final Operation operation, final Expression left, final Expression right)
    {
        return new Call(operation, List.of(left, right), CqlType.BOOLEAN, true);
    }

    private static Expression both(final Expression one, final Expression other)
    {
        return new Call(Operation.AND, List.of(one, other), CqlType.BOOLEAN, true);
    }

    private static Expression number(final int value)
    {
        return new Literal(value, CqlType.INT);
    }

    private static Expression count(final int variable)
    {
        return new Aggregate(1L << variable, "count", List.of(), false, true, CqlType.BIGINT);
    }

    private static Term star(final int variable, final boolean greedy)
    {
        return new Repeat(new Variable(variable), 0, Integer.MAX_VALUE, greedy);
    }

    private static Term plus(final int variable)
    {
        return new Repeat(new Variable(variable), 1, Integer.MAX_VALUE, true);
    }

    /** A pattern whose conditions exclude each other, by different proofs; in one of three cases some do not. */
    private static PatternSpec spec(final Random random)
    {
        final boolean all = random.nextInt(4) == 0;
        final Expression[] conditions = new Expression[VARIABLES.size()];
        final int split = 1 + random.nextInt(4);
        final Expression other = random.nextBoolean() ? v(A, 0) : number(split);
        conditions[A] = random.nextBoolean() ? compare(Operation.GREATER_OR_EQUAL, v(A, 0), number(0)) :
            compare(Operation.LESS, v(A, 0), number(split + 1));
        conditions[B] = compare(Operation.LESS, v(B, 0), other);
        conditions[C] = compare(Operation.GREATER, v(C, 0), other);
        conditions[D] = compare(Operation.EQUAL, v(D, 0), other);
        switch (random.nextInt(5))
        {
            case 0 ->
            {
                conditions[B] = compare(Operation.LESS, v(B, 0), v(B, 1));
                conditions[C] = compare(Operation.GREATER, v(C, 0), v(C, 1));
                conditions[D] = compare(Operation.EQUAL, v(D, 1), v(D, 0));
            }
            case 1 -> conditions[B] = both(conditions[B], compare(Operation.LESS, count(B),
                new Literal((long)(1 + random.nextInt(3)), CqlType.BIGINT)));
            case 2 -> conditions[C] = both(conditions[C], compare(Operation.GREATER_OR_EQUAL, v(C, 0), first(C)));
            case 3 -> conditions[D] = both(compare(Operation.NOT_EQUAL, v(D, 0), number(7)), conditions[D]);
            default ->
            {
                // Unchanged.
            }
        }
        if (random.nextInt(3) == 0)
        {
            overlap(conditions, random);
        }
        // A variable that accepts any row would wait for one forever.
        final boolean isOpen = Arrays.asList(conditions).contains(null);
        final Term pattern = switch (random.nextInt(8))
        {
            case 0 -> new Sequence(List.of(new Variable(A), star(B, true)));
            case 1 -> new Sequence(List.of(new Variable(A), plus(B)));
            case 2 -> new Sequence(List.of(new Variable(A), plus(B), plus(C), new Variable(D)));
            case 3 -> new Sequence(List.of(new Variable(A), star(D, false), new Variable(C)));
            case 4 -> new Sequence(random.nextBoolean() ?
                List.of(new Variable(A), new Variable(B), new Variable(C)) :
                List.of(new Variable(A), new Variable(C), new Variable(B), new Variable(D)));
            // A match may fall back to its state before B.
            case 5 -> new Sequence(List.of(new Variable(A), new Repeat(new Sequence(List.of(new Variable(B),
                new Variable(C))), 0, Integer.MAX_VALUE, true)));
            case 6 -> new Sequence(List.of(new Variable(A), new Repeat(new PatternSpec.Alternation(List.of(
                new Variable(B), new Variable(C))), 1, 3, true)));
            default -> new Sequence(List.of(new Variable(A), new Repeat(new Variable(B), 0, 2, true),
                new Variable(C)));
        };
        return new PatternSpec(List.of(0), VARIABLES, Arrays.asList(conditions), pattern, measures(random), all,
            random.nextInt(2) == 0 || isOpen ? 2 + random.nextInt(10) : 0, random.nextBoolean(), 0, -1, false,
            !all && random.nextInt(3) == 0 ? Skip.TO_NEXT_ROW : Skip.PAST_LAST_ROW, 0, RowsPerMatch.ONE_WITHOUT_EMPTY);
    }

    /** Makes a condition hold together with others, by the row alone, by earlier rows or by anything. */
    private static void overlap(final Expression[] conditions, final Random random)
    {
        final int variable = B + random.nextInt(3);
        conditions[variable] = switch (random.nextInt(5))
        {
            case 0 -> null;
            case 1 -> compare(Operation.GREATER_OR_EQUAL, v(variable, 0), number(random.nextInt(4)));
            case 2 -> compare(Operation.NOT_EQUAL, v(variable, 0), v(variable, 1));
            case 3 -> compare(Operation.GREATER_OR_EQUAL, v(variable, 0), first(B));
            default -> compare(Operation.LESS, count(variable),
                new Literal((long)(2 + random.nextInt(3)), CqlType.BIGINT));
        };
    }

    private static List<Field> measures(final Random random)
    {
        final List<Expression> all = new ArrayList<>();
        all.add(new Navigation(1L << A, End.LAST, 0, 0, -1, true, 0, CqlType.INT));
        all.add(new Navigation(ANY, End.FIRST, 0, 0, -1, false, 1, CqlType.INT));
        all.add(new Navigation(ANY, End.LAST, 0, 0, -1, false, 1, CqlType.INT));
        final Expression column = new Expression.Column(2, CqlType.INT, true);
        final int kinds = random.nextBoolean() ? 2 : 6;
        for (int i = 0; i < 3; i++)
        {
            final long variables = random.nextBoolean() ? ANY : 1L << random.nextInt(4);
            all.add(switch (random.nextInt(kinds))
            {
                case 0 -> new Navigation(variables, End.FIRST, 0, random.nextInt(2), -1, false, 2, CqlType.INT);
                case 1 -> new Navigation(variables, End.LAST, 0, random.nextInt(3), -1, false, 2, CqlType.INT);
                case 2 -> new Aggregate(variables, "sum", List.of(column), false, false, CqlType.BIGINT);
                case 3 -> new Aggregate(variables, "avg", List.of(column), false, false, CqlType.FLOAT);
                case 4 -> new Aggregate(variables, random.nextBoolean() ? "min" : "max", List.of(column), false,
                    false, CqlType.INT);
                default -> new Aggregate(variables, "count", random.nextBoolean() ? List.of() : List.of(column),
                    false, false, CqlType.BIGINT);
            });
        }
        final List<Field> fields = new ArrayList<>();
        all.forEach(each -> fields.add(new Field("m" + fields.size(), each)));
        return fields;
    }
}

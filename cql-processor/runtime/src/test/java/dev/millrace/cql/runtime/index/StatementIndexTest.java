package dev.millrace.cql.runtime.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each statement gets exactly the rows that its filter accepts. */
@Tag("slow")
@Timeout(180)
class StatementIndexTest
{
    private static final BatchSchema SCHEMA = new BatchSchema(EventType.tuple("Row",
        new EventProperty("c", CqlType.CHAR), new EventProperty("i", CqlType.INT),
        new EventProperty("l", CqlType.BIGINT), new EventProperty("f", CqlType.FLOAT),
        new EventProperty("d", CqlType.DOUBLE)));
    private static final long[] LONGS = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -3, -1, 0, 1, 2, 5, Long.MAX_VALUE - 1,
        Long.MAX_VALUE};
    private static final double[] DOUBLES = {Double.NEGATIVE_INFINITY, -Double.MAX_VALUE, -1.5, -0.0, 0.0,
        Double.MIN_VALUE, 1.5, 2, Double.MAX_VALUE, Double.POSITIVE_INFINITY};

    /** Records what it gets. */
    private static final class Listener implements IndexedQuery
    {
        private final RowFilter filter;
        private final IntPredicate wants;
        private final List<Integer> rows = new ArrayList<>();
        private final List<Listener> order;
        private int heartbeats;

        Listener(final RowFilter filter, final IntPredicate wants, final List<Listener> order)
        {
            this.filter = filter;
            this.wants = wants;
            this.order = order;
        }

        @Override
        public RowFilter filter()
        {
            return filter;
        }

        @Override
        public void onBatch(final EventBatch batch)
        {
            order.add(this);
            heartbeats += batch.size() == 0 ? 1 : 0;
            IntStream.range(0, batch.size()).forEach(rows::add);
        }

        @Override
        public void onRows(final EventBatch batch, final int[] some, final int count)
        {
            order.add(this);
            assertThat(count).isPositive();
            IntStream.range(0, count).forEach(k -> rows.add(some[k]));
        }
    }

    private static EventBatch random(final Random random)
    {
        final EventBatch batch = new EventBatch(SCHEMA);
        final int n = 1 + random.nextInt(EventBatch.CAPACITY);
        for (int row = 0; row < n; row++)
        {
            batch.texts(0).set(row, "t" + random.nextInt(20));
            batch.ints(1)[row] = random.nextInt(20) - 10;
            batch.longs(2)[row] = LONGS[random.nextInt(LONGS.length)];
            batch.floats(3)[row] = random.nextInt(9) / 2F;
            batch.doubles(4)[row] = random.nextInt(30) == 0 ? Double.NaN : DOUBLES[random.nextInt(DOUBLES.length)];
            for (int column = 0; column < SCHEMA.columnCount(); column++)
            {
                if (random.nextInt(40) == 0)
                {
                    batch.setNull(column, row);
                }
            }
        }
        batch.size(n);
        return batch;
    }

    /** A filter with a predicate of its meaning. */
    private static Listener listener(final Random random, final EventBatch[] now, final List<Listener> order)
    {
        final int column = random.nextInt(SCHEMA.columnCount() + 1);
        if (column == SCHEMA.columnCount())
        {
            return new Listener(null, row -> true, order);
        }
        if (column == 0)
        {
            final String text = "t" + random.nextInt(25);
            return new Listener(RowFilter.ofText(0, text), row -> text.equals(now[0].value(0, row)), order);
        }
        final boolean isWhole = column < 3;
        final long low = LONGS[random.nextInt(LONGS.length)];
        final long high = random.nextBoolean() ? low : LONGS[random.nextInt(LONGS.length)];
        final double from = DOUBLES[random.nextInt(DOUBLES.length)];
        final double to = random.nextBoolean() ? from : DOUBLES[random.nextInt(DOUBLES.length)];
        final RowFilter filter = isWhole ? RowFilter.ofRange(column, low, high) :
            RowFilter.ofRange(column, ColumnKeys.of(from), ColumnKeys.of(to));
        return new Listener(filter, row ->
        {
            final Number value = (Number)now[0].value(column, row);
            return value != null && (isWhole ? value.longValue() >= low && value.longValue() <= high :
                value.doubleValue() >= from && value.doubleValue() <= to);
        }, order);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldGiveEachStatementItsRowsInOrder(final long seed)
    {
        final Random random = new Random(seed);
        final EventBatch[] now = new EventBatch[1];
        final List<Listener> order = new ArrayList<>();
        final List<Listener> statements = new ArrayList<>();
        for (int i = random.nextInt(300); i >= 0; i--)
        {
            statements.add(listener(random, now, order));
        }
        final StatementIndex index = new StatementIndex(statements);
        for (int round = 0; round < 30; round++)
        {
            now[0] = random(random);
            order.clear();
            statements.forEach(statement -> statement.rows.clear());
            index.onBatch(now[0]);
            for (final Listener statement : statements)
            {
                final List<Integer> wanted =
                    IntStream.range(0, now[0].size()).filter(statement.wants).boxed().toList();
                // Few statements of a kind test all rows themselves.
                if (statement.rows.size() != now[0].size())
                {
                    assertThat(statement.rows).as("seed %d %s", seed, statement.filter).isEqualTo(wanted);
                }
                else
                {
                    assertThat(statement.rows).isSorted().containsAll(wanted);
                }
            }
            assertThat(order.stream().map(statements::indexOf)).as("seed %d", seed).isSorted();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100})
    void shouldFindRangesOfAnyWidth(final int step)
    {
        final List<Listener> statements = new ArrayList<>();
        final EventBatch[] now = {new EventBatch(SCHEMA)};
        for (int i = 0; i < 300; i++)
        {
            final int low = i;
            final int high = i + 1 + i / step;
            statements.add(new Listener(RowFilter.ofRange(1, low, high), row ->
                now[0].ints(1)[row] >= low && now[0].ints(1)[row] <= high, new ArrayList<>()));
        }
        final StatementIndex index = new StatementIndex(statements);
        for (int first = -20; first < 700; first += 200)
        {
            for (int row = 0; row < 200; row++)
            {
                now[0].ints(1)[row] = first + row;
            }
            now[0].size(200);
            statements.forEach(statement -> statement.rows.clear());
            index.onBatch(now[0]);
            assertThat(statements).allSatisfy(statement -> assertThat(statement.rows)
                .isEqualTo(IntStream.range(0, 200).filter(statement.wants).boxed().toList()));
        }
    }

    @Test
    void shouldTellEveryStatementOfTheTimeWhenThereAreNoRows()
    {
        final List<Listener> statements = new ArrayList<>();
        for (int i = 0; i < 100; i++)
        {
            statements.add(new Listener(RowFilter.ofText(0, "t" + i), row -> true, new ArrayList<>()));
        }
        new StatementIndex(statements).onBatch(new EventBatch(SCHEMA));
        assertThat(statements).allMatch(statement -> statement.heartbeats == 1);
    }

    @Test
    void shouldForgetTheRowsOfABatchThatAStatementFailsOn()
    {
        final List<Listener> statements = new ArrayList<>();
        for (int i = 0; i < 100; i++)
        {
            statements.add(new Listener(RowFilter.ofRange(1, i, i), row -> true, new ArrayList<>()));
        }
        final List<Listener> failing = new ArrayList<>(statements);
        failing.set(5, new Listener(RowFilter.ofRange(1, 5, 5), null, null));
        final StatementIndex index = new StatementIndex(failing);
        final EventBatch batch = new EventBatch(SCHEMA);
        batch.ints(1)[0] = 5;
        batch.ints(1)[1] = 6;
        batch.size(2);
        assertThatThrownBy(() -> index.onBatch(batch)).isInstanceOf(NullPointerException.class);
        batch.ints(1)[0] = 7;
        index.onBatch(batch);
        assertThat(statements.get(6).rows).containsExactly(1);
        assertThat(statements.get(7).rows).containsExactly(0);
    }

    @Test
    void shouldLeaveOutWhoWantsNothingOfTheBatch()
    {
        final List<Listener> order = new ArrayList<>();
        final List<Listener> statements = new ArrayList<>();
        for (int i = 0; i < 100; i++)
        {
            statements.add(new Listener(RowFilter.ofRange(1, i, i + 1), row -> true, order));
        }
        final EventBatch batch = new EventBatch(SCHEMA);
        batch.ints(1)[0] = 41;
        batch.ints(1)[1] = 900;
        batch.size(2);
        new StatementIndex(statements).onBatch(batch);
        assertThat(order).containsExactly(statements.get(40), statements.get(41));
        assertThat(statements.get(40).rows).containsExactly(0);
    }
}

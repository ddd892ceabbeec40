package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From relations to streams and back to the outside: netting, keys, order, periods, sources that are asked. */
@Timeout(60)
class StreamOperatorTest
{
    private static final EventType WIDE = EventType.tuple("Wide", new EventProperty("k", CqlType.INT),
        new EventProperty("v", CqlType.INT), new EventProperty("d", CqlType.DOUBLE),
        new EventProperty("s", CqlType.CHAR), new EventProperty("found", CqlType.CHAR));

    /** The first column. */
    private static final Calc KEY = new Calc()
    {
        @Override
        public boolean test(final RowStore in, final int row)
        {
            return true;
        }

        @Override
        public void project(final RowStore in, final int row, final RowStore out, final int outRow)
        {
            out.copy(in, row, 0, outRow, 0);
        }
    };

    private static FlowHarness relation(final UnaryOperator<FlowOperator> flow, final boolean stream)
    {
        return new FlowHarness(FlowSource.TimeKind.APPLICATION, true, 1, stream, FlowHarness.TYPE,
            in -> flow.apply(in.get(0)));
    }

    private static void insert(final FlowHarness flow, final long timeNs, final Integer key, final Integer value)
    {
        flow.row(0, timeNs, EventBatch.INSERT, key, value, 0.0, "s");
    }

    private static void delete(final FlowHarness flow, final long timeNs, final Integer key, final Integer value)
    {
        flow.row(0, timeNs, EventBatch.DELETE, key, value, 0.0, "s");
    }

    @Test
    void shouldNetEqualRowsOfAnInstantWhenStreamed()
    {
        final FlowHarness entering = relation(in -> new StreamOperator(in, true, new int[0]), true);
        final FlowHarness leaving = relation(in -> new StreamOperator(in, false, new int[0]), true);
        for (final FlowHarness flow : new FlowHarness[]{entering, leaving})
        {
            insert(flow, 1, 1, 1);
            insert(flow, 1, 1, 1);
            delete(flow, 2, 1, 1);
            insert(flow, 2, 1, 1);
            insert(flow, 2, 2, 2);
            delete(flow, 3, 1, 1);
            delete(flow, 3, 1, 1);
            flow.heartbeat(0, 4);
        }
        assertThat(entering.lines).containsExactly(
            "1 + [1, 1, 0.0, s]", "1 + [1, 1, 0.0, s]", "2 + [2, 2, 0.0, s]");
        assertThat(leaving.lines).containsExactly("3 + [1, 1, 0.0, s]", "3 + [1, 1, 0.0, s]");
    }

    @Test
    void shouldLeaveOutKnownKeysWhenThereIsDifferenceUsing()
    {
        final FlowHarness entering = relation(in -> new StreamOperator(in, true, new int[]{0}), true);
        final FlowHarness leaving = relation(in -> new StreamOperator(in, false, new int[]{0}), true);
        for (final FlowHarness flow : new FlowHarness[]{entering, leaving})
        {
            insert(flow, 1, 1, 1);
            insert(flow, 2, 1, 2);
            delete(flow, 3, 1, 1);
            delete(flow, 4, 1, 2);
            insert(flow, 5, 1, 3);
            flow.heartbeat(0, 9);
        }
        assertThat(entering.lines).containsExactly("1 + [1, 1, 0.0, s]", "5 + [1, 3, 0.0, s]");
        assertThat(leaving.lines).containsExactly("4 + [1, 2, 0.0, s]");
    }

    @Test
    void shouldGiveTheWholeRelationOnlyWhenItChanges()
    {
        final FlowHarness flow = relation(in -> new WholeOperator(in), true);
        insert(flow, 1, 1, 1);
        insert(flow, 2, 2, 2);
        delete(flow, 3, 1, 1);
        insert(flow, 3, 1, 1);
        delete(flow, 4, 1, 1);
        flow.heartbeat(0, 9);
        assertThat(flow.lines).containsExactly("1 + [1, 1, 0.0, s]", "2 + [1, 1, 0.0, s]", "2 + [2, 2, 0.0, s]",
            "4 + [2, 2, 0.0, s]");
    }

    @Test
    void shouldShowChangesAtMultiplesOfThePeriodOnly()
    {
        final FlowHarness flow = relation(in -> new EvaluateOperator(in, 10), false);
        insert(flow, 1, 1, 1);
        insert(flow, 5, 2, 2);
        delete(flow, 9, 1, 1);
        insert(flow, 20, 3, 3);
        insert(flow, 21, 4, 4);
        flow.heartbeat(0, 29);
        assertThat(flow.lines).containsExactly("10 + [2, 2, 0.0, s]", "20 + [3, 3, 0.0, s]");
        flow.heartbeat(0, 30);
        assertThat(flow.lines).hasSize(3).endsWith("30 + [4, 4, 0.0, s]");
    }

    @Test
    void shouldSortTheRowsOfAnInstantWhenOrdered()
    {
        final FlowHarness flow = relation(in -> new SortOperator(in, new RowOrder(in.store(), new int[]{1},
            new boolean[]{true}, new boolean[]{false})), false);
        insert(flow, 1, 1, null);
        insert(flow, 1, 2, 5);
        insert(flow, 1, 3, 7);
        insert(flow, 1, 4, 5);
        flow.heartbeat(0, 2);
        assertThat(flow.lines).containsExactly("1 + [3, 7, 0.0, s]", "1 + [2, 5, 0.0, s]", "1 + [4, 5, 0.0, s]",
            "1 + [1, null, 0.0, s]");
    }

    @Test
    void shouldKeepARelationConsistentWhenRowsAreMissing()
    {
        final FlowHarness flow = relation(in -> in, false);
        delete(flow, 1, 1, 1);
        insert(flow, 2, 1, 1);
        flow.row(0, 3, EventBatch.UPDATE, 1, 1, 0.0, "s");
        flow.row(0, 4, EventBatch.UPDATE, 9, 9, 0.0, "s");
        flow.heartbeat(0, 5);
        assertThat(flow.lines).containsExactly("2 + [1, 1, 0.0, s]");
        assertThat(flow.rejected).containsExactly(Map.entry(SourceOperator.MISSING_ROW, 3));
    }

    @Test
    void shouldFindTheOldRowByItsKeyWhenUpdatedOrDeleted()
    {
        final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.APPLICATION, true, new int[]{0}, 1, false,
            FlowHarness.TYPE, in -> in.get(0));
        flow.row(0, 1, EventBatch.INSERT, 1, 1, 0.0, "a");
        flow.row(0, 2, EventBatch.INSERT, 2, 2, 0.0, "b");
        flow.row(0, 3, EventBatch.UPDATE, 1, 3, 0.0, "c");
        flow.row(0, 4, EventBatch.UPDATE, 9, 3, 0.0, "c");
        flow.row(0, 5, EventBatch.DELETE, 2, null, 0.0, null);
        flow.row(0, 6, EventBatch.DELETE, 2, 2, 0.0, "b");
        flow.heartbeat(0, 7);
        assertThat(flow.lines).containsExactly("1 + [1, 1, 0.0, a]", "2 + [2, 2, 0.0, b]", "3 - [1, 1, 0.0, a]",
            "3 + [1, 3, 0.0, c]", "5 - [2, 2, 0.0, b]");
        assertThat(flow.rejected).containsExactly(Map.entry(SourceOperator.MISSING_ROW, 2));
    }

    @Test
    void shouldJoinWhatASourceGaveWhenARowEnteredUntilItLeaves()
    {
        final int[] asked = new int[1];
        final PullSource source = (keys, rows) ->
        {
            asked[0]++;
            if (keys[0] == null)
            {
                throw new RowRejectedException("no-key", "null");
            }
            for (int i = 0; i < (Integer)keys[0]; i++)
            {
                rows.row(new Object[]{"f" + asked[0] + i});
            }
        };
        final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.TOTAL_ORDER, false, 1, false, WIDE, in ->
            new PullOperator(new RangeWindow(in.get(0), 2), KEY, FlowHarness.store(CqlType.INT), source,
                FlowHarness.store(CqlType.INT, CqlType.INT, CqlType.DOUBLE, CqlType.CHAR, CqlType.CHAR), true));
        flow.row(0, 1, EventBatch.INSERT, 2, 1, 0.0, "a");
        flow.row(0, 2, EventBatch.INSERT, 1, 1, 0.0, "b");
        flow.row(0, 3, EventBatch.INSERT, null, 1, 0.0, "c");
        flow.row(0, 9, EventBatch.INSERT, 0, 1, 0.0, "d");
        assertThat(flow.lines).containsExactlyInAnyOrder("1 + [2, 1, 0.0, a, f10]", "1 + [2, 1, 0.0, a, f11]",
            "2 + [1, 1, 0.0, b, f20]", "3 - [2, 1, 0.0, a, f10]", "3 - [2, 1, 0.0, a, f11]",
            "4 - [1, 1, 0.0, b, f20]");
        assertThat(flow.rejected).containsExactly(Map.entry("no-key", 1));
    }

    @Test
    void shouldPutNothingOutForARowWhenItsSourceFailsMidway()
    {
        for (final boolean keeps : new boolean[]{true, false})
        {
            final PullSource source = (keys, rows) ->
            {
                rows.row(new Object[]{"one"});
                if (keys[0].equals(2))
                {
                    throw new IllegalStateException("no more today");
                }
            };
            final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.TOTAL_ORDER, true, 1, false, WIDE,
                in -> new PullOperator(in.get(0), KEY, FlowHarness.store(CqlType.INT), source,
                    FlowHarness.store(CqlType.INT, CqlType.INT, CqlType.DOUBLE, CqlType.CHAR, CqlType.CHAR), keeps));
            insert(flow, 1, 1, 1);
            insert(flow, 2, 2, 2);
            assertThat(flow.lines).containsExactly("1 + [1, 1, 0.0, s, one]");
            assertThat(flow.rejected).containsExactly(Map.entry(PullOperator.FAILED, 1));
            if (keeps)
            {
                delete(flow, 3, 2, 2);
                delete(flow, 4, 1, 1);
                assertThat(flow.lines).containsExactly("1 + [1, 1, 0.0, s, one]", "4 - [1, 1, 0.0, s, one]");
            }
        }
    }

    @Test
    void shouldRejectFurtherRowsWhenTheStoreIsFull()
    {
        final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.TOTAL_ORDER, false, 1, false, FlowHarness.TYPE,
            in -> new CalcOperator(new RangeWindow(in.get(0), 5), new Calc()
            {
                @Override
                public boolean test(final RowStore rows, final int row)
                {
                    return true;
                }

                @Override
                public void project(final RowStore rows, final int row, final RowStore out, final int outRow)
                {
                    out.copyAll(rows, row, outRow, 0);
                }
            }, new RowStore(FlowHarness.LAYOUT, 0)));
        flow.row(0, 1, EventBatch.INSERT, 1, 1, 0.0, "a");
        flow.row(0, 9, EventBatch.INSERT, 2, 1, 0.0, "a");
        assertThat(flow.lines).isEmpty();
        assertThat(flow.rejected).containsExactly(
            Map.entry(dev.millrace.cql.runtime.RowRejection.STATE_FULL, 2));
    }

    @Test
    void shouldWaitForTheSlowerSourceWhenTwoAreJoined()
    {
        final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.APPLICATION, false, 2, true, FlowHarness.TYPE,
            in -> new UnionAllOperator(in.get(0), in.get(1), FlowHarness.store()));
        flow.row(0, 5, EventBatch.INSERT, 1, 1, 0.0, "a");
        flow.row(0, 7, EventBatch.INSERT, 2, 1, 0.0, "a");
        assertThat(flow.lines).isEmpty();
        flow.row(1, 6, EventBatch.INSERT, 3, 1, 0.0, "b");
        assertThat(flow.lines).containsExactly("5 + [1, 1, 0.0, a]");
        flow.heartbeat(1, 9);
        flow.heartbeat(0, 9);
        assertThat(flow.lines).containsExactly("5 + [1, 1, 0.0, a]", "6 + [3, 1, 0.0, b]", "7 + [2, 1, 0.0, a]");
    }

    @Test
    void shouldShareOneClockWhenTimeIsGivenByThePlatform()
    {
        final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.SYSTEM, false, 2, true, FlowHarness.TYPE,
            in -> new UnionAllOperator(in.get(0), in.get(1), FlowHarness.store()));
        flow.row(0, 5, EventBatch.INSERT, 1, 1, 0.0, "a");
        flow.row(1, 4, EventBatch.INSERT, 2, 1, 0.0, "b");
        assertThat(flow.lines).containsExactly("5 + [1, 1, 0.0, a]", "5 + [2, 1, 0.0, b]");
        assertThat(flow.rejected).isEmpty();
    }
}

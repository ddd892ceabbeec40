package dev.millrace.cql.runtime.pattern.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.time.ManualClock;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows of matches leave in the order of time, and none before an open match of its time or earlier. */
@Timeout(60)
class MatchOutputTest
{
    private final MemoryAccount memory = new MemoryBudget(1 << 20, new ManualClock(0))
        .open(new MemoryHolder("app", "proc", "rule", "state"));
    private final MatchRows rows = new MatchRows(new CqlType[]{CqlType.BIGINT}, new BitSet(), 1000, memory);
    private final List<String> lines = new ArrayList<>();
    private final MatchTarget target = new MatchTarget()
    {
        @Override
        public void put(final int row, final long timeNs)
        {
            lines.add(rows.getLong(row, 0) + "@" + timeNs);
            rows.free(row);
        }

        @Override
        public void close(final long timeNs)
        {
            lines.add("closed " + timeNs);
        }
    };

    private int row(final long value)
    {
        final int row = rows.add();
        rows.setLong(row, 0, value);
        return row;
    }

    private MatchOutput output(final boolean isTimed)
    {
        return new MatchOutput(rows, target, true, isTimed);
    }

    private List<String> taken()
    {
        final List<String> taken = List.copyOf(lines);
        lines.clear();
        return taken;
    }

    @Test
    void shouldHoldBackWhatFollowsAnOpenMatch()
    {
        final MatchOutput output = output(false);
        final int first = output.reserve(10, 1);
        final int open = output.reserve(20, 2);
        final int equal = output.reserve(20, 3);
        final int later = output.reserve(30, 4);
        output.fill(first, row(1));
        output.fill(equal, row(3));
        output.fill(later, row(4));
        output.release(9);
        assertThat(taken()).containsExactly("closed 9");
        output.release(10);
        assertThat(taken()).containsExactly("1@10", "closed 10");
        output.release(25);
        assertThat(taken()).containsExactly("closed 19");
        assertThat(output.size()).isEqualTo(3);
        output.cancel(open);
        output.release(25);
        assertThat(taken()).containsExactly("3@20", "closed 25");
        output.release(40);
        assertThat(taken()).containsExactly("4@30", "closed 40");
        assertThat(output.size()).isZero();
        assertThat(rows.size()).isZero();
    }

    @Test
    void shouldOrderMatchesOfOneInstantByTheirFirstRowsAndKeepRowsOfAMatchTogether()
    {
        final MatchOutput output = output(false);
        final long[] starts = {7, 3, 9, 3, 1, 8, 2, 6, 4, 5};
        for (int i = 0; i < starts.length; i++)
        {
            final int row = row(starts[i] * 100 + i);
            if (i == 4)
            {
                rows.chain(row, row(-1));
            }
            output.fill(output.reserve(5, starts[i]), row);
        }
        output.release(5);
        assertThat(taken()).containsExactly("104@5", "-1@5", "206@5", "301@5", "303@5", "408@5", "509@5", "607@5",
            "700@5", "805@5", "902@5", "closed 5");
    }

    @Test
    void shouldEmitTheRestAtTheEndWithoutOpenMatches()
    {
        final MatchOutput output = output(false);
        output.reserve(10, 1);
        output.fill(output.reserve(10, 2), row(2));
        output.fill(output.reserve(15, 3), row(3));
        output.finish(20);
        assertThat(taken()).containsExactly("2@10", "3@15", "closed 20");
        output.putOut(row(9), 30);
        assertThat(taken()).containsExactly("9@30");
    }

    @Test
    void shouldGrowWhileEntriesAreInUseAndChargeIt()
    {
        final MatchOutput output = output(false);
        for (int i = 0; i < 10; i++)
        {
            output.fill(output.reserve(i, i), row(i));
        }
        output.release(9);
        taken();
        final List<String> expected = new ArrayList<>();
        final long before = memory.bytes();
        for (int i = 0; i < 150; i++)
        {
            final int place = output.reserve(10 + i / 100, 1000 - i);
            output.fill(place, row(i));
        }
        assertThat(memory.bytes() - before).as("64 and 128 entries of 20 bytes more").isGreaterThanOrEqualTo(192 * 20);
        for (int i = 99; i >= 0; i--)
        {
            expected.add(i + "@10");
        }
        for (int i = 149; i >= 100; i--)
        {
            expected.add(i + "@11");
        }
        expected.add("closed 11");
        output.release(11);
        assertThat(taken()).isEqualTo(expected);
    }

    @Test
    void shouldSortMatchesThatATimerDecides()
    {
        final MatchOutput output = output(true);
        final int late = output.reserve(30, 1);
        final int open = output.reserve(20, 2);
        final int early = output.reserve(10, 4);
        final int equal = output.reserve(10, 3);
        output.fill(late, row(30));
        output.fill(early, row(14));
        output.fill(equal, row(13));
        output.release(40);
        assertThat(taken()).containsExactly("13@10", "14@10", "closed 19");
        assertThat(output.size()).as("two of four, with those between").isEqualTo(4);
        output.fill(open, row(20));
        output.release(25);
        assertThat(taken()).containsExactly("20@20", "closed 25");
        output.release(40);
        assertThat(taken()).containsExactly("30@30", "closed 40");
        assertThat(output.size()).isZero();
        output.reserve(50, 5);
        output.fill(output.reserve(45, 6), row(45));
        output.fill(output.reserve(60, 6), row(60));
        output.finish(60);
        assertThat(taken()).containsExactly("45@45", "60@60", "closed 60");
    }

    @Test
    void shouldRestoreOpenAndFilledEntries()
    {
        final MatchOutput output = output(false);
        output.fill(output.reserve(5, 1), row(1));
        output.release(5);
        taken();
        final int open = output.reserve(10, 4);
        final int first = row(7);
        rows.chain(first, row(8));
        output.fill(output.reserve(10, 3), first);
        output.cancel(output.reserve(11, 5));
        output.fill(output.reserve(12, 6), row(9));
        final StateOutput to = new StateOutput(1 << 20);
        output.write(to);
        final MatchOutput read = output(false);
        final StateInput from = new StateInput(to.toBytes());
        read.read(from);
        from.end();
        assertThat(read.size()).isEqualTo(4);
        read.release(20);
        assertThat(taken()).containsExactly("closed 9");
        read.fill(open, row(6));
        read.release(20);
        assertThat(taken()).containsExactly("7@10", "8@10", "6@10", "9@12", "closed 20");
    }
}

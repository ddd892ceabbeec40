package dev.millrace.cql.runtime.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.runtime.Growth;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PartitionRowsTest
{
    private record Expected(long sequence, int row, int argumentRow, long timeNs, long arrival)
    {
    }

    private final PartitionRows rows = new PartitionRows();
    private final Deque<Expected> expected = new ArrayDeque<>();
    private long next;

    private void append(final Random random)
    {
        final Expected row = new Expected(next++, random.nextInt(), random.nextInt(), random.nextLong(),
            random.nextLong());
        assertThat(rows.append(row.row, row.argumentRow, row.timeNs, row.arrival)).isEqualTo(row.sequence);
        expected.addLast(row);
    }

    private void check()
    {
        assertThat(rows.next()).isEqualTo(next);
        assertThat(rows.next() - rows.base()).isEqualTo(expected.size());
        assertThat(rows.holds(next)).isFalse();
        assertThat(rows.holds(rows.base() - 1)).isFalse();
        for (final Expected row : expected)
        {
            final long at = row.sequence;
            assertThat(rows.holds(at)).isTrue();
            assertThat(new Expected(at, rows.row(at), rows.argumentRow(at), rows.timeNs(at), rows.arrival(at)))
                .isEqualTo(row);
        }
    }

    @Test
    void shouldKeepRowsWhenTheyComeAndGoAtBothEnds()
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        for (int phase = 0; phase < 60; phase++)
        {
            final int most = 1 << random.nextInt(14);
            final int share = 20 + random.nextInt(70);
            for (int i = 0; i < 2_000 + random.nextInt(4_000); i++)
            {
                final int dice = random.nextInt(100);
                if (expected.isEmpty() || dice < share && expected.size() < most)
                {
                    append(random);
                }
                else if (dice < 95)
                {
                    rows.dropFirst();
                    expected.removeFirst();
                }
                else
                {
                    rows.dropLast();
                    expected.removeLast();
                    next--;
                }
            }
            check();
            if (random.nextInt(4) == 0)
            {
                rows.reset();
                expected.clear();
                check();
            }
        }
    }

    @Test
    void shouldGiveChunksBackWhenRowsLeave()
    {
        final Random random = new Random(1);
        for (int i = 0; i < 100_000; i++)
        {
            append(random);
        }
        assertThat(rows.capacity()).isBetween(100_000, 101_024);
        for (int i = 0; i < 99_990; i++)
        {
            rows.dropFirst();
            expected.removeFirst();
        }
        assertThat(rows.capacity()).isLessThanOrEqualTo(2_048);
        check();
    }

    @Test
    void shouldCopyLittleWhenAPartitionHasManyRows()
    {
        Growth.check("rows of a partition", 1 << 20, i -> rows.append(i, i, i, i));
        assertThat(rows.row(777_777)).isEqualTo(777_777);
    }
}

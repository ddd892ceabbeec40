package dev.millrace.cql.runtime.unit.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of several groups that leave at their times, compared with a linear search. */
@Timeout(60)
class TimedExtremesTest
{
    private static final int GROUPS = 3;

    private final TimedExtremes extremes = new TimedExtremes(MemoryAccount.NONE);
    private final long[] groups = new long[GROUPS * TimedExtremes.WORDS];

    private record Entry(long value, long leaves)
    {
    }

    @ParameterizedTest
    @CsvSource({"1, 5, 1, 1", "2, 40, 1, 30", "3, 3000, 5, 300", "4, 3000, 200, 1", "5, 1000000, 20, 20"})
    void shouldKnowTheGreatestOfWhatHasNotLeft(final long seed, final int different, final int base, final int spread)
    {
        System.out.println("TimedExtremesTest seed=" + seed);
        final Random random = new Random(seed);
        final List<List<Entry>> expected = new ArrayList<>();
        for (int i = 0; i < GROUPS; i++)
        {
            expected.add(new ArrayList<>());
        }
        for (long now = 0; now < 20_000; now++)
        {
            for (int group = 0; group < GROUPS; group++)
            {
                leave(expected.get(group), group, now);
                for (int n = random.nextInt(4); n > 0; n--)
                {
                    enter(expected.get(group), group, random.nextInt(different), now + base + random.nextInt(spread),
                        now);
                }
                check(expected.get(group), group, now);
            }
        }
        assertThat(extremes.size()).isLessThanOrEqualTo(expected.stream().mapToInt(each -> 2 * each.size() + 17).sum());
    }

    @Test
    void shouldForgetValuesThatOthersOutlive()
    {
        for (int now = 0; now < 1000; now++)
        {
            assertThat(extremes.reserve()).isTrue();
            extremes.enter(groups, 0, now, now + 1000, now + 1, now);
            assertThat(extremes.size()).isZero();
            assertThat(groups[1]).isEqualTo(now);
        }
    }

    private void leave(final List<Entry> rows, final int group, final long now)
    {
        if (rows.removeIf(each -> each.leaves <= now) && rows.isEmpty())
        {
            extremes.clear(groups, group * TimedExtremes.WORDS);
        }
    }

    private void enter(final List<Entry> rows, final int group, final long value, final long leaves, final long now)
    {
        rows.add(new Entry(value, leaves));
        assertThat(extremes.reserve()).isTrue();
        extremes.enter(groups, group * TimedExtremes.WORDS, value, leaves, rows.size(), now);
    }

    private void check(final List<Entry> rows, final int group, final long now)
    {
        if (!rows.isEmpty())
        {
            extremes.settle(groups, group * TimedExtremes.WORDS, now);
            assertThat(groups[group * TimedExtremes.WORDS + 1])
                .isEqualTo(rows.stream().mapToLong(Entry::value).max().getAsLong());
        }
    }
}

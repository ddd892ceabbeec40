package dev.millrace.cql.runtime.unit.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.unit.LongPairKeys;
import dev.millrace.cql.runtime.unit.OrderedLongs;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of several groups that enter and leave in any order, compared with a sorted map per group. */
@Timeout(60)
class ExtremeHeapTest
{
    private static final int GROUPS = 3;
    private static final int COUNT = 2;
    private static final int WIDTH = 3 + ExtremeHeap.LINKS;

    private final LongPairKeys values = new LongPairKeys(WIDTH, 1 << 20, MemoryAccount.NONE);
    private final long[] groups = new long[GROUPS * 2];

    @ParameterizedTest
    @CsvSource({"1, 5, false", "2, 40, true", "3, 3000, false", "4, 3000, true"})
    void shouldKnowTheExtremeOfWhatIsThere(final long seed, final int different, final boolean isLeast)
    {
        System.out.println("ExtremeHeapTest seed=" + seed);
        final Random random = new Random(seed);
        final ExtremeHeap heap = new ExtremeHeap(values, WIDTH, 3, true, isLeast);
        final List<TreeMap<Double, Integer>> expected = new ArrayList<>();
        for (int i = 0; i < GROUPS; i++)
        {
            expected.add(new TreeMap<>());
        }
        for (int step = 0; step < 200_000; step++)
        {
            final int group = random.nextInt(GROUPS);
            final TreeMap<Double, Integer> of = expected.get(group);
            final double value = (random.nextInt(different) - different / 2) / 4.0;
            final boolean enters = random.nextInt(20) < (step / 20_000 % 2 == 0 ? 13 : 7);
            if (!enters && !of.containsKey(value))
            {
                continue;
            }
            change(heap, group, value, enters);
            of.merge(value, enters ? 1 : -1, Integer::sum);
            of.remove(value, 0);
            if (step % 7 == 0)
            {
                values.sweep(COUNT);
            }
            assertThat(groups[group * 2] == 0).isEqualTo(of.isEmpty());
            if (!of.isEmpty())
            {
                final long word = groups[group * 2 + 1];
                assertThat(OrderedLongs.value(isLeast ? ~word : word)).isEqualTo(isLeast ? of.firstKey() :
                    of.lastKey());
            }
        }
    }

    private void change(final ExtremeHeap heap, final int group, final double value, final boolean enters)
    {
        final int id = values.findOrAdd(group, Double.doubleToLongBits(value + 0.0));
        final int count = id * WIDTH + COUNT;
        if (enters && values.records[count]++ == 0)
        {
            heap.enter(groups, group * 2, id);
        }
        if (!enters && --values.records[count] == 0)
        {
            values.dies(id);
            heap.leave(groups, group * 2, id);
        }
    }
}

package dev.millrace.cql.runtime.pattern.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions are found by their keys only, whatever comes and goes: keys of one string, and keys of two columns. */
@Timeout(60)
class PartitionTableTest
{
    private static final int STEPS = 200_000;
    private static final int BATCH = 256;
    private static final int VARIETY = 30_000;

    private final Map<String, Integer> expected = new HashMap<>();
    private final List<String> live = new ArrayList<>();

    /** A table and the codes of its strings. */
    private record Table(PartitionTable partitions, PartitionKeyStrings texts, int keyWords)
    {
        Table(final int keyWords)
        {
            this(keyWords, new PartitionKeyStrings(new int[]{0}, MemoryAccount.NONE));
        }

        private Table(final int keyWords, final PartitionKeyStrings texts)
        {
            this(new PartitionTable(1 + keyWords, 0, keyWords, 0, 0, texts, MemoryAccount.NONE), texts, keyWords);
        }

        int find(final String text)
        {
            final int code = texts.code(text);
            if (keyWords == 1)
            {
                return partitions.findByCode(0, code);
            }
            partitions.key(0);
            partitions.key(0, code);
            partitions.key(1, text == null ? 0 : text.length());
            return partitions.find();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldFindWhatWasAddedUntilItIsRemoved(final int keyWords)
    {
        final long seed = Long.getLong("seed", 17L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        Table table = new Table(keyWords);
        for (int step = 1; step <= STEPS; step++)
        {
            final boolean grows = (step / 40_000 & 1) == 0;
            if (!live.isEmpty() && random.nextInt(10) < (grows ? 2 : 6))
            {
                table.partitions.remove(expected.remove(takeAny(random)));
            }
            else
            {
                check(table, text(random.nextInt(VARIETY)));
            }
            if (step % BATCH == 0)
            {
                table.texts.endOfBatch();
            }
            if (step == STEPS / 2)
            {
                table = copy(table);
            }
        }
        assertThat(table.partitions.size()).isEqualTo(expected.size());
        for (final Map.Entry<String, Integer> each : expected.entrySet())
        {
            assertThat(table.find(each.getKey())).isEqualTo(each.getValue());
        }
    }

    private String takeAny(final Random random)
    {
        final int index = random.nextInt(live.size());
        final String text = live.set(index, live.get(live.size() - 1));
        live.remove(live.size() - 1);
        return text;
    }

    /** Null, a string of up to eight bytes, one that fits its record, or a longer one. */
    private static String text(final int number)
    {
        return number == 0 ? null : number + "-an id that grows with its number".substring(0, number % 34);
    }

    private void check(final Table table, final String text)
    {
        final int found = table.find(text);
        assertThat(found).isEqualTo(expected.getOrDefault(text, PartitionTable.NONE));
        if (found == PartitionTable.NONE)
        {
            expected.put(text, table.partitions.add());
            live.add(text);
        }
    }

    private static Table copy(final Table table)
    {
        final StateOutput to = new StateOutput(1 << 26);
        table.texts.forgetNumbers();
        table.partitions.write(to);
        final Table copy = new Table(table.keyWords);
        copy.partitions.read(new StateInput(to.toBytes()));
        copy.texts.endOfBatch();
        return copy;
    }
}

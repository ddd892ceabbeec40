package dev.millrace.network.channel.step;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.string.StringTable;
import dev.millrace.api.time.ManualClock;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RelationKeysTest
{
    private final StringTable table = new StringTable(StringTable.Lifetime.HELD, 1 << 20);
    private final EventBatch batch = new EventBatch(new BatchSchema(EventType.tuple("T",
        new EventProperty("a", CqlType.BIGINT), new EventProperty("b", CqlType.CHAR),
        new EventProperty("c", CqlType.DOUBLE))));

    private RelationKeys keys(final int[] columns, final int maxKeys)
    {
        return new RelationKeys(batch.schema().type(), columns, maxKeys, MemoryAccount.NONE);
    }

    @Test
    void shouldAgreeWithASetOverManyRandomChanges()
    {
        final long seed = 4711;
        System.out.println("RelationKeysTest seed=" + seed);
        final Random random = new Random(seed);
        final RelationKeys keys = keys(new int[]{0, 1, 2}, RelationKeys.MAX_KEYS);
        final Set<List<Object>> expected = new HashSet<>();
        final String[] strings = {"s", "t", "", "a string longer than eight bytes ", "\u00e4"};
        for (int i = 0; i < 300_000; i++)
        {
            final long a = random.nextInt(40) - 20;
            final String b = strings[random.nextInt(strings.length)] + i / 1000;
            final double c = random.nextInt(6) * 0.5;
            batch.longs(0)[5] = a;
            write(b, random.nextInt(3));
            batch.doubles(2)[5] = c;
            batch.size(6);
            final List<Object> key = List.of(a, b, c);
            keys.bind(batch);
            switch (random.nextInt(3))
            {
                case 0 -> assertThat(keys.add(5)).isEqualTo(expected.add(key));
                case 1 -> assertThat(keys.remove(5)).isEqualTo(expected.remove(key));
                default -> assertThat(keys.contains(5)).isEqualTo(expected.contains(key));
            }
        }
        assertThat(keys.size()).isEqualTo(expected.size());
    }

    @Test
    void shouldKeepNoStringsOfKeys()
    {
        final MemoryBudget budget = new MemoryBudget(1 << 26, new ManualClock(0));
        final MemoryAccount memory = budget.open(new MemoryHolder("app", "channel", "", "primary keys"));
        final RelationKeys keys =
            new RelationKeys(batch.schema().type(), new int[]{0, 1}, RelationKeys.MAX_KEYS, memory);
        final int count = 100_000;
        for (int i = 0; i < count; i++)
        {
            write("a long number of an order that no other one has: " + i, i % 2 + 1);
            batch.longs(0)[5] = 1;
            batch.size(6);
            keys.bind(batch);
            assertThat(keys.add(5)).isTrue();
            assertThat(keys.add(5)).isFalse();
        }
        assertThat(keys.size()).isEqualTo(count);
        assertThat(memory.bytes()).as("at most four slots per key").isLessThan(count * 4 * (2 * Long.BYTES + 1L));
    }

    @Test
    void shouldTellKeysApartWhoseStringsAreEqualBehindOneAnother()
    {
        final EventType type = EventType.tuple("P", new EventProperty("a", CqlType.CHAR),
            new EventProperty("b", CqlType.CHAR));
        final EventBatch pairs = new EventBatch(new BatchSchema(type));
        final String[][] rows = {{"ab", "c"}, {"a", "bc"}, {"abc", "\u0001"}, {"abc\u0001", "x"}, {"c", "ab"},
            {"a\0\0\0\0b", "c"}, {"a", "b\0\0\0\0c"}};
        for (int row = 0; row < rows.length; row++)
        {
            pairs.texts(0).set(row, rows[row][0]);
            pairs.texts(1).set(row, rows[row][1]);
        }
        pairs.size(rows.length);
        final RelationKeys keys = new RelationKeys(type, new int[]{0, 1}, 10, MemoryAccount.NONE);
        keys.bind(pairs);
        for (int row = 0; row < rows.length; row++)
        {
            assertThat(keys.add(row)).as(String.join(" ", rows[row])).isTrue();
        }
    }

    /** A string as an object, a code or bytes: the representation makes no difference. */
    private void write(final String text, final int form)
    {
        batch.clear();
        if (form == 0)
        {
            batch.texts(1).set(5, text);
        }
        else if (form == 1)
        {
            batch.texts(1).setCode(5, table, table.code(text));
        }
        else
        {
            final byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            batch.texts(1).set(5, utf8, 0, utf8.length);
        }
    }

    @Test
    void shouldFindEqualKeysInBatchesThatHoldStringsInDifferentWays()
    {
        final int[] columns = {1};
        for (final String text : List.of("", "a", "12345678", "a longer one that is no head", "\u00e9t\u00e9"))
        {
            for (int form = 0; form < 3; form++)
            {
                write(text, form);
                final EventBatch other = new EventBatch(batch.schema());
                other.copyRow(batch, 5, 0);
                write(text, (form + 1) % 3);
                assertThat(RelationKeys.equal(batch, 5, other, 0, columns)).as(text + form).isTrue();
                assertThat(RelationKeys.hash(batch, 5, columns)).as(text + form)
                    .isEqualTo(RelationKeys.hash(other, 0, columns));
                write(text + "x", (form + 1) % 3);
                assertThat(RelationKeys.equal(batch, 5, other, 0, columns)).as(text + form).isFalse();
            }
        }
    }

    @Test
    void shouldAllocateNothingForTheKeysOfABatch()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final RelationKeys keys = keys(new int[]{0, 1, 2}, RelationKeys.MAX_KEYS);
        write("a string that is longer than what fits the array in which short ones are copied", 2);
        batch.size(6);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 10_000; i++)
            {
                keys.bind(batch);
                keys.add(5);
                keys.contains(5);
                keys.remove(5);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("bytes of 10,000 batches").isLessThan(10_000);
    }

    @Test
    void shouldDescribeKeysOfAnyNumberOfColumns()
    {
        write("x", 1);
        batch.longs(0)[5] = 7;
        batch.doubles(2)[5] = 0.5;
        assertThat(keys(new int[]{1}, 1).describe(batch, 5)).isEqualTo("key=x");
        assertThat(keys(new int[]{0, 1, 2}, 1).describe(batch, 5)).isEqualTo("key=7,x,0.5");
    }

    @Test
    void shouldTakePlusAndMinusZeroForOneKey()
    {
        final RelationKeys keys = keys(new int[]{2}, 1);
        batch.doubles(2)[0] = 0.0;
        batch.doubles(2)[1] = -0.0;
        batch.size(2);
        keys.bind(batch);
        assertThat(keys.add(0)).isTrue();
        assertThat(keys.add(1)).isFalse();
        assertThat(keys.isFull()).isTrue();
    }
}

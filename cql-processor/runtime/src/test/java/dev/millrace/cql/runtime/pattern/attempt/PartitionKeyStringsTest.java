package dev.millrace.cql.runtime.pattern.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.time.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strings of keys have codes as long as a partition holds them, and are charged. */
@Timeout(60)
class PartitionKeyStringsTest
{
    private static final int MANY = 1000;

    private final MemoryAccount memory = new MemoryBudget(1 << 24, new ManualClock(0))
        .open(new MemoryHolder("app", "proc", "rule", "state"));
    /** The second and third long of a key. */
    private final PartitionKeyStrings texts = new PartitionKeyStrings(new int[]{1, 2}, memory);

    private static String text(final int i)
    {
        return (i % 2 == 0 ? "text that is long enough " : "t\u00e4xt ") + "x".repeat(i % 300) + i;
    }

    /** Adds strings of 1,000 keys, reads those that are held, and releases them. */
    private void addAndRelease(final int round)
    {
        final long[][] records = new long[MANY][];
        for (int i = 0; i < MANY; i++)
        {
            records[i] = new long[]{-1, -1, texts.code(text(round + i)), texts.code(text(round + i + MANY))};
            assertThat(texts.code(text(round + i))).isEqualTo((int)records[i][2]);
            texts.hold(records[i], 1);
            texts.code("nobody holds this " + i);
        }
        texts.endOfBatch();
        assertThat(memory.bytes()).as("bytes of 2,000 strings").isGreaterThan(2 * MANY * 100);
        for (int i = 0; i < MANY; i++)
        {
            assertThat(texts.string(records[i][2])).isEqualTo(text(round + i));
            assertThat(texts.string(records[i][3])).isEqualTo(text(round + i + MANY));
        }
        for (final long[] record : records)
        {
            texts.release(record, 1);
        }
        texts.endOfBatch();
    }

    @Test
    void shouldKeepStringsThatARecordHoldsAndDiscardTheOthers()
    {
        assertThat(texts.code(null)).isZero();
        assertThat(texts.string(0)).isNull();
        for (int round = 0; round < 3; round++)
        {
            addAndRelease(10 * MANY * round);
        }
        final long bytes = memory.bytes();
        for (int round = 3; round < 12; round++)
        {
            addAndRelease(10 * MANY * round);
        }
        assertThat(memory.bytes()).as("bytes when others have taken their place").isLessThan(bytes * 5 / 4);
    }

    @Test
    void shouldKnowWhichLongsAreCodes()
    {
        assertThat(texts.isText(0)).isFalse();
        assertThat(texts.isText(1)).isTrue();
        assertThat(texts.isText(2)).isTrue();
        assertThat(texts.isText(3)).isFalse();
    }
}

package dev.millrace.cql.runtime.unit.string;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cached results of strings are discarded with their codes. */
@Timeout(60)
class RememberedTextsTest
{
    private static final int MANY = 1 << 17;

    private int others;
    private final StringTable codes = new StringTable(StringTable.Lifetime.HELD, MANY);

    /** Adds so many unreferenced strings that the first ones are evicted. */
    private void crowdOut()
    {
        for (int i = 0; i < 40_000; i++)
        {
            codes.code("other" + others++);
        }
        codes.endOfBatch();
    }

    @Test
    void shouldRememberNumbersOverBatchesUntilTheCodeServesAnotherString()
    {
        final StringNumberCache values = new StringNumberCache(codes, MemoryAccount.NONE);
        final int code = codes.code("a");
        assertThat(values.has(code)).isFalse();
        values.put(code, false, 7);
        values.put(StringTable.NULL, true, 0);
        codes.endOfBatch();
        assertThat(values.has(codes.code("a"))).isTrue();
        assertThat(values.value(code)).isEqualTo(7);
        assertThat(values.isNull(code)).isFalse();
        assertThat(values.has(StringTable.NULL)).isTrue();
        assertThat(values.isNull(StringTable.NULL)).isTrue();
        crowdOut();
        assertThat(codes.find("a")).isEqualTo(StringTable.NULL);
        assertThat(values.has(code)).isFalse();
    }

    @Test
    void shouldHoldResultsWhileTheirStringHasItsCode()
    {
        final StringResultCache results = new StringResultCache(codes, MemoryAccount.NONE);
        final int code = codes.code("A");
        assertThat(results.of(code)).isNegative();
        final int result = results.put(code, codes.code("a"));
        codes.endOfBatch();
        assertThat(results.of(codes.code("A"))).isEqualTo(result);
        assertThat(codes.string(result)).isEqualTo("a");
        crowdOut();
        assertThat(results.of(code)).isNegative();
        crowdOut();
        assertThat(codes.find("a")).as("nobody holds it").isEqualTo(StringTable.NULL);
    }

    @Test
    void shouldRememberConditionsUntilTheCodeServesAnotherString()
    {
        final StringConditionCache flags = new StringConditionCache(codes, MemoryAccount.NONE);
        final int code = codes.code("a");
        assertThat(flags.of(code)).isEqualTo(StringConditionCache.UNKNOWN);
        assertThat(flags.put(code, false, true)).isEqualTo(StringConditionCache.TRUE);
        assertThat(flags.put(StringTable.NULL, true, true)).isEqualTo(StringConditionCache.NULL);
        assertThat(flags.put(1_000, false, false)).isEqualTo(StringConditionCache.FALSE);
        codes.endOfBatch();
        assertThat(flags.of(codes.code("a"))).isEqualTo(StringConditionCache.TRUE);
        crowdOut();
        assertThat(flags.of(code)).isEqualTo(StringConditionCache.UNKNOWN);
    }

    @Test
    void shouldGiveNoResultForCodesBeyondThoseSeen()
    {
        final StringResultCache results = new StringResultCache(codes, MemoryAccount.NONE);
        assertThat(results.of(1_000)).isNegative();
        assertThat(results.put(1_000, StringTable.NULL)).isEqualTo(StringTable.NULL);
        assertThat(results.of(1_000)).isEqualTo(StringTable.NULL);
        assertThat(results.of(999)).isNegative();
        assertThat(new StringNumberCache(codes, MemoryAccount.NONE).has(1_000)).isFalse();
    }

    /**
     * Looks up a string several times, and computes values that are not cached; returns the number of look-ups that
     * did.
     */
    private int ask(final StringNumberCache values, final int count, final IntFunction<String> strings)
    {
        int lookedUp = 0;
        for (int i = 0; i < count; i++)
        {
            if (values.pays())
            {
                lookedUp++;
                final int code = codes.code(strings.apply(i));
                if (!values.has(code))
                {
                    values.put(code, false, i);
                }
            }
            if (i % 256 == 0)
            {
                codes.endOfBatch();
            }
        }
        return lookedUp;
    }

    @Test
    void shouldLookUpAllStringsThatComeAgain()
    {
        final int count = 500_000;
        final Random random = new Random(5);
        assertThat(ask(new StringNumberCache(codes, MemoryAccount.NONE), count, i -> "s" + random.nextInt(10_000)))
            .isEqualTo(count);
    }

    @Test
    void shouldLookUpFewStringsThatDoNotComeAgainAndAllAsSoonAsTheyDo()
    {
        final StringNumberCache values = new StringNumberCache(codes, MemoryAccount.NONE);
        final int count = 3 * StringRepetition.PAUSE;
        assertThat(ask(values, count, i -> "other " + i)).as("looked up").isBetween(StringRepetition.STRETCH,
            count / 20);
        final int again = ask(values, count, i -> "s" + i % 100);
        assertThat(again).as("looked up again").isGreaterThanOrEqualTo(count - StringRepetition.PAUSE);
    }
}

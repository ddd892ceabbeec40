package dev.millrace.network.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
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
    private final Dictionary dictionary = new Dictionary("d");
    private final EventBatch batch = new EventBatch(BatchSchema.sharing(EventType.tuple("T",
        new EventProperty("a", CqlType.BIGINT), new EventProperty("b", CqlType.CHAR),
        new EventProperty("c", CqlType.DOUBLE)), dictionary));

    @Test
    void shouldAgreeWithASetOverManyRandomChanges()
    {
        final long seed = 4711;
        System.out.println("RelationKeysTest seed=" + seed);
        final Random random = new Random(seed);
        final RelationKeys keys = new RelationKeys(new int[]{0, 1, 2}, RelationKeys.MAX_KEYS, MemoryAccount.NONE);
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
            final List<Object> key = List.of(a, b, c);
            if (i % 100 == 0)
            {
                keys.endOfTurn();
            }
            switch (random.nextInt(3))
            {
                case 0 -> assertThat(keys.add(batch, 5)).isEqualTo(expected.add(key));
                case 1 -> assertThat(keys.remove(batch, 5)).isEqualTo(expected.remove(key));
                default -> assertThat(keys.contains(batch, 5)).isEqualTo(expected.contains(key));
            }
        }
        assertThat(keys.size()).isEqualTo(expected.size());
    }

    @Test
    void shouldForgetTheStringsOfKeysThatAreGone()
    {
        final RelationKeys keys = new RelationKeys(new int[]{0, 1}, RelationKeys.MAX_KEYS, MemoryAccount.NONE);
        for (int i = 0; i < 100_000; i++)
        {
            batch.longs(0)[5] = 1;
            write("order number " + i, i % 2 + 1);
            assertThat(keys.add(batch, 5)).isTrue();
            batch.longs(0)[5] = 2;
            assertThat(keys.add(batch, 5)).isTrue();
            assertThat(keys.remove(batch, 5)).isTrue();
            assertThat(keys.remove(batch, 5)).isFalse();
            batch.longs(0)[5] = 1;
            assertThat(keys.add(batch, 5)).isFalse();
            keys.endOfTurn();
            assertThat(keys.contains(batch, 5)).isTrue();
            assertThat(keys.remove(batch, 5)).isTrue();
            keys.endOfTurn();
        }
        assertThat(keys.strings()).isLessThan(5_000);
        assertThat(dictionary.size()).isZero();
    }

    /** A string as an object, bytes or an id: the form makes no difference. */
    private void write(final String text, final int form)
    {
        batch.clear();
        if (form == 0)
        {
            batch.ints(1)[5] = dictionary.idOf(text);
        }
        else if (form == 1)
        {
            batch.texts(1).set(5, text);
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
    void shouldTakePlusAndMinusZeroForOneKey()
    {
        final RelationKeys keys = new RelationKeys(new int[]{2}, 1, MemoryAccount.NONE);
        batch.doubles(2)[0] = 0.0;
        batch.doubles(2)[1] = -0.0;
        assertThat(keys.add(batch, 0)).isTrue();
        assertThat(keys.add(batch, 1)).isFalse();
        assertThat(keys.isFull()).isTrue();
    }
}

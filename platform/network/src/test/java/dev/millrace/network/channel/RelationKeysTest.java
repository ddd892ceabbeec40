package dev.millrace.network.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
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
        final RelationKeys keys = new RelationKeys(new int[]{0, 1, 2});
        final Set<List<Object>> expected = new HashSet<>();
        for (int i = 0; i < 300_000; i++)
        {
            final long a = random.nextInt(40) - 20;
            final String b = "s" + random.nextInt(20);
            final double c = random.nextInt(6) * 0.5;
            batch.longs(0)[5] = a;
            batch.ints(1)[5] = dictionary.idOf(b);
            batch.doubles(2)[5] = c;
            final List<Object> key = List.of(a, b, c);
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
    void shouldTakePlusAndMinusZeroForOneKey()
    {
        final RelationKeys keys = new RelationKeys(new int[]{2}, 1);
        batch.doubles(2)[0] = 0.0;
        batch.doubles(2)[1] = -0.0;
        assertThat(keys.add(batch, 0)).isTrue();
        assertThat(keys.add(batch, 1)).isFalse();
        assertThat(keys.isFull()).isTrue();
    }
}

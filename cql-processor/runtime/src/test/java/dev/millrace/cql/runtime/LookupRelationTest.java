package dev.millrace.cql.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class LookupRelationTest
{
    private final Dictionary dictionary = new Dictionary("test");
    private final BatchSchema byName = BatchSchema.sharing(EventType.tuple("ByName",
        new EventProperty("name", CqlType.CHAR), new EventProperty("weight", CqlType.DOUBLE)), dictionary);
    private final EventBatch row = new EventBatch(byName);

    private void put(final String name, final Double weight)
    {
        row.clear();
        row.ints(0)[0] = dictionary.idOf(name);
        if (weight == null)
        {
            row.setNull(1, 0);
        }
        else
        {
            row.doubles(1)[0] = weight;
        }
        row.size(1);
    }

    private static boolean isPresent(final LookupRelation relation, final int id)
    {
        return relation.present()[id] == 1;
    }

    private static int rowOf(final LookupRelation relation, final int id)
    {
        return relation.rowOfId()[id / 4096][id % 4096];
    }

    @Test
    void shouldReplaceRowWhenKeyIsPutAgain()
    {
        final LookupRelation relation = new LookupRelation(byName, 0);
        put("a", 1.0);
        assertThat(relation.upsert(row, 0)).isTrue();
        put("a", 2.0);
        assertThat(relation.upsert(row, 0)).isTrue();
        assertThat(relation.size()).isEqualTo(1);
        final int id = dictionary.idOf("a");
        assertThat(isPresent(relation, id)).isTrue();
        assertThat(relation.doubles(1)[rowOf(relation, id)]).isEqualTo(2.0);
    }

    @Test
    void shouldCountNullsWhenRowsComeAndGo()
    {
        final LookupRelation relation = new LookupRelation(byName, 0);
        put("a", null);
        relation.upsert(row, 0);
        assertThat(relation.hasNulls(1)).isTrue();
        put("a", 3.0);
        relation.upsert(row, 0);
        assertThat(relation.hasNulls(1)).isFalse();
        put("b", null);
        relation.upsert(row, 0);
        assertThat(relation.remove(row, 0)).isTrue();
        assertThat(relation.remove(row, 0)).isFalse();
        assertThat(relation.hasNulls(1)).isFalse();
        assertThat(relation.size()).isEqualTo(1);
    }

    @Test
    void shouldKeepNoRowWhenKeyIsNull()
    {
        final LookupRelation relation = new LookupRelation(byName, 0);
        put(null, 1.0);
        assertThat(relation.upsert(row, 0)).isFalse();
        assertThat(relation.size()).isZero();
        assertThat(isPresent(relation, 0)).isFalse();
    }

    @Test
    void shouldCoverNewIdsWhenDictionaryHasGrown()
    {
        final LookupRelation relation = new LookupRelation(byName, 0);
        put("a", 1.0);
        relation.upsert(row, 0);
        for (int i = 0; i < 500_000; i++)
        {
            dictionary.idOf("new" + i);
        }
        final long bytes = Growth.allocatedBytes(relation::present);
        assertThat(bytes).as("a byte for each of 500,000 ids that others have made").isBetween(500_000L, 510_000L);
        assertThat(isPresent(relation, dictionary.size())).isFalse();
        assertThat(isPresent(relation, dictionary.idOf("a"))).isTrue();
    }

    @Test
    void shouldFindZeroAndNotNanWhenKeyIsDouble()
    {
        final BatchSchema byNumber = BatchSchema.sharing(
            EventType.tuple("ByNumber", new EventProperty("number", CqlType.DOUBLE)), dictionary);
        final LookupRelation relation = new LookupRelation(byNumber, 0);
        final EventBatch numbers = new EventBatch(byNumber);
        numbers.doubles(0)[0] = -0.0;
        numbers.doubles(0)[1] = Double.NaN;
        numbers.size(2);
        assertThat(relation.upsert(numbers, 0)).isTrue();
        assertThat(relation.upsert(numbers, 1)).isFalse();
        assertThat(relation.find(LongSlots.keyOf(0.0))).isZero();
        assertThat(relation.find(LongSlots.keyOf(Double.NaN))).isEqualTo(LongSlots.NONE);
    }

    @Test
    void shouldRefuseWhenKeyHasNoEquality()
    {
        final BatchSchema byObject = BatchSchema.sharing(
            EventType.tuple("ByObject", new EventProperty("thing", CqlType.OBJECT)), dictionary);
        assertThatIllegalArgumentException().isThrownBy(() -> new LookupRelation(byObject, 0))
            .withMessageContaining("thing");
    }

    @Test
    void shouldCopyALittleAtAChangeAndKeepAllRowsWhileArraysGrow()
    {
        final LookupRelation relation = new LookupRelation(byName, 0);
        final Random random = new Random(17);
        final Map<String, Double> expected = new HashMap<>();
        for (int i = 0; i < 300_000; i++)
        {
            final String name = "n" + (random.nextInt(3) == 0 ? random.nextInt(i + 1) : i);
            if (random.nextInt(10) == 0)
            {
                put(name, null);
                assertThat(relation.remove(row, 0)).isEqualTo(expected.remove(name) != null);
            }
            else
            {
                put(name, (double)i);
                relation.upsert(row, 0);
                expected.put(name, (double)i);
            }
        }
        assertThat(relation.mostCopied()).isPositive().isLessThanOrEqualTo(GradualArrays.LEAST_SLICE);
        assertThat(relation.size()).isEqualTo(expected.size());
        expected.forEach((name, weight) ->
        {
            final int id = dictionary.idOf(name);
            assertThat(isPresent(relation, id)).isTrue();
            assertThat(relation.doubles(1)[rowOf(relation, id)]).isEqualTo(weight);
        });
        int count = 0;
        for (final byte each : relation.present())
        {
            count += each;
        }
        assertThat(count).isEqualTo(expected.size());
        relation.clear();
        assertThat(relation.size()).isZero();
        assertThat(isPresent(relation, dictionary.idOf("n1"))).isFalse();
    }
}

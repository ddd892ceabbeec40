package dev.millrace.cql.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
import dev.millrace.cql.runtime.table.IncrementalArrays;
import dev.millrace.cql.runtime.table.LongSlotMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LookupRelationTest
{
    private final BatchSchema byName = new BatchSchema(EventType.tuple("ByName",
        new EventProperty("name", CqlType.CHAR), new EventProperty("weight", CqlType.DOUBLE)));
    private final EventBatch row = new EventBatch(byName);

    private void put(final String name, final Double weight)
    {
        row.clear();
        row.texts(0).set(0, name);
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
        final int id = relation.strings().find("a");
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
    @Tag("large")
    void shouldCoverNewCodesWhenTheTableHasGrown()
    {
        final LookupRelation relation = new LookupRelation(byName, 0);
        put("a", 1.0);
        relation.upsert(row, 0);
        for (int i = 0; i < 500_000; i++)
        {
            relation.strings().code("new" + i);
        }
        final long bytes = Growth.allocatedBytes(relation::present);
        assertThat(bytes).as("a byte for each of 500,000 codes that others have made").isBetween(500_000L, 510_000L);
        assertThat(isPresent(relation, relation.strings().limit() - 1)).isFalse();
        assertThat(isPresent(relation, relation.strings().find("a"))).isTrue();
    }

    @Test
    void shouldFindZeroAndNotNanWhenKeyIsDouble()
    {
        final BatchSchema byNumber =
            new BatchSchema(EventType.tuple("ByNumber", new EventProperty("number", CqlType.DOUBLE)));
        final LookupRelation relation = new LookupRelation(byNumber, 0);
        final EventBatch numbers = new EventBatch(byNumber);
        numbers.doubles(0)[0] = -0.0;
        numbers.doubles(0)[1] = Double.NaN;
        numbers.size(2);
        assertThat(relation.upsert(numbers, 0)).isTrue();
        assertThat(relation.upsert(numbers, 1)).isFalse();
        assertThat(relation.find(LongSlotMap.keyOf(0.0))).isZero();
        assertThat(relation.find(LongSlotMap.keyOf(Double.NaN))).isEqualTo(LongSlotMap.NONE);
    }

    @Test
    void shouldRefuseWhenKeyHasNoEquality()
    {
        final BatchSchema byObject =
            new BatchSchema(EventType.tuple("ByObject", new EventProperty("thing", CqlType.OBJECT)));
        assertThatIllegalArgumentException().isThrownBy(() -> new LookupRelation(byObject, 0))
            .withMessageContaining("thing");
    }

    @Test
    @Tag("large")
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
        assertThat(relation.mostCopied()).isPositive().isLessThanOrEqualTo(IncrementalArrays.LEAST_SLICE);
        assertThat(relation.size()).isEqualTo(expected.size());
        expected.forEach((name, weight) ->
        {
            final int id = relation.strings().find(name);
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
        assertThat(isPresent(relation, relation.strings().find("n1"))).isFalse();
    }

    /** A batch of one row: a key of the given type and a column of each storage. */
    private EventBatch wide(final CqlType key)
    {
        return new EventBatch(new BatchSchema(EventType.tuple("Wide", new EventProperty("key", key),
            new EventProperty("i", CqlType.INT), new EventProperty("l", CqlType.BIGINT),
            new EventProperty("f", CqlType.FLOAT), new EventProperty("d", CqlType.DOUBLE),
            new EventProperty("b", CqlType.BOOLEAN), new EventProperty("o", CqlType.OBJECT))));
    }

    private static void fill(final EventBatch batch, final int number)
    {
        batch.ints(1)[0] = number;
        batch.longs(2)[0] = number * 10L;
        batch.floats(3)[0] = number + 0.5F;
        batch.doubles(4)[0] = number + 0.25;
        batch.bits(5)[0] = (byte)(number & 1);
        batch.references(6)[0] = "object " + number;
        batch.size(1);
    }

    private static void assertRow(final LookupRelation relation, final int row, final int number)
    {
        assertThat(relation.ints(1)[row]).isEqualTo(number);
        assertThat(relation.longs(2)[row]).isEqualTo(number * 10L);
        assertThat(relation.floats(3)[row]).isEqualTo(number + 0.5F);
        assertThat(relation.doubles(4)[row]).isEqualTo(number + 0.25);
        assertThat(relation.bits(5)[row]).isEqualTo((byte)(number & 1));
        assertThat(relation.references(6)[row]).isEqualTo("object " + number);
    }

    @Test
    void shouldKeepColumnsOfEachStorageWhileItGrowsAndShrinks()
    {
        final EventBatch batch = wide(CqlType.CHAR);
        final LookupRelation relation = new LookupRelation(batch.schema(), 0);
        for (int i = 1; i <= 300; i++)
        {
            key(batch, "n" + i);
            fill(batch, i);
            assertThat(relation.upsert(batch, 0)).isTrue();
        }
        for (int i = 1; i <= 300; i += 2)
        {
            key(batch, "n" + i);
            assertThat(relation.remove(batch, 0)).isTrue();
            assertThat(relation.remove(batch, 0)).isFalse();
        }
        assertThat(relation.size()).isEqualTo(150);
        for (int i = 1; i <= 300; i++)
        {
            final int id = relation.strings().find("n" + i);
            assertThat(isPresent(relation, id)).isEqualTo(i % 2 == 0);
            if (i % 2 == 0)
            {
                assertRow(relation, rowOf(relation, id), i);
            }
        }
    }

    @Test
    void shouldUseRowsAgainThatWereTakenAwayAndForgetTheirObjects()
    {
        final EventBatch batch = wide(CqlType.CHAR);
        final LookupRelation relation = new LookupRelation(batch.schema(), 0);
        for (int i = 0; i < 100; i++)
        {
            key(batch, "a" + i);
            fill(batch, i);
            relation.upsert(batch, 0);
        }
        for (int i = 0; i < 100; i++)
        {
            key(batch, "a" + i);
            relation.remove(batch, 0);
        }
        assertThat(relation.references(6)).containsOnlyNulls();
        final int room = relation.ints(1).length;
        for (int i = 0; i < 100; i++)
        {
            key(batch, "b" + i);
            fill(batch, i);
            relation.upsert(batch, 0);
        }
        assertThat(relation.ints(1)).as("no more room than before").hasSize(room);
        for (int i = 0; i < 100; i++)
        {
            final int row = rowOf(relation, relation.strings().find("b" + i));
            assertThat(row).isBetween(0, 99);
            assertRow(relation, row, i);
        }
    }

    @Test
    void shouldForgetTheStringsOfRowsThatAreTakenAwayOrReplaced()
    {
        final BatchSchema schema = new BatchSchema(EventType.tuple("Named",
            new EventProperty("key", CqlType.CHAR), new EventProperty("name", CqlType.CHAR)));
        final StringTable strings = StringTable.withDelayedReuse(StringTable.Lifetime.HELD, 1 << 20, 8);
        final LookupRelation relation = new LookupRelation(schema, 0, strings, MemoryAccount.NONE);
        final EventBatch batch = new EventBatch(schema);
        batch.size(1);
        for (int i = 0; i < 1_000; i++)
        {
            batch.texts(0).set(0, "a key with a long name " + i % 10);
            batch.texts(1).set(0, "name " + i);
            relation.upsert(batch, 0);
            strings.endOfBatch();
            final int row = rowOf(relation, strings.find("a key with a long name " + i % 10));
            assertThat(strings.string(relation.ints(1)[row])).isEqualTo("name " + i);
        }
        assertThat(strings.size()).as("keys and names of ten rows").isEqualTo(20);
        batch.texts(0).set(0, "a key with a long name 3");
        assertThat(relation.remove(batch, 0)).isTrue();
        strings.endOfBatch();
        assertThat(strings.find("name 993")).isEqualTo(StringTable.NULL);
        relation.clear();
        strings.endOfBatch();
        assertThat(strings.size()).isZero();
    }

    @Test
    void shouldFindRowsByKeysOfEachTypeOfNumber()
    {
        for (final CqlType type : new CqlType[]{CqlType.INT, CqlType.BIGINT, CqlType.FLOAT, CqlType.DOUBLE})
        {
            final EventBatch batch = wide(type);
            final LookupRelation relation = new LookupRelation(batch.schema(), 0);
            for (int i = 0; i < 200; i++)
            {
                key(batch, type, i);
                fill(batch, i);
                assertThat(relation.upsert(batch, 0)).isTrue();
            }
            assertThat(relation.size()).isEqualTo(200);
            assertThat(relation.keyType()).isEqualTo(type);
            final boolean isFloating = type == CqlType.FLOAT || type == CqlType.DOUBLE;
            for (int i = 0; i < 200; i++)
            {
                assertRow(relation, relation.find(isFloating ? LongSlotMap.keyOf((double)i) : i), i);
            }
            key(batch, type, 7);
            assertThat(relation.remove(batch, 0)).isTrue();
            assertThat(relation.remove(batch, 0)).isFalse();
            assertThat(relation.size()).isEqualTo(199);
            assertThat(relation.find(isFloating ? LongSlotMap.keyOf(7.0) : 7)).isEqualTo(LongSlotMap.NONE);
        }
    }

    private static void key(final EventBatch batch, final String text)
    {
        batch.texts(0).set(0, text);
    }

    private static void key(final EventBatch batch, final CqlType type, final int number)
    {
        switch (type)
        {
            case INT -> batch.ints(0)[0] = number;
            case BIGINT -> batch.longs(0)[0] = number;
            case FLOAT -> batch.floats(0)[0] = number;
            default -> batch.doubles(0)[0] = number;
        }
    }

    @Test
    void shouldKeepNoRowWhoseKeyIsNoFloat()
    {
        final EventBatch batch = wide(CqlType.FLOAT);
        final LookupRelation relation = new LookupRelation(batch.schema(), 0);
        fill(batch, 1);
        batch.floats(0)[0] = Float.NaN;
        assertThat(relation.upsert(batch, 0)).isFalse();
        assertThat(relation.remove(batch, 0)).isFalse();
        assertThat(relation.size()).isZero();
    }

    @Test
    void shouldFindRowsByTruth()
    {
        final EventBatch batch = wide(CqlType.BOOLEAN);
        final LookupRelation relation = new LookupRelation(batch.schema(), 0);
        for (int bit = 0; bit < 2; bit++)
        {
            fill(batch, bit);
            batch.bits(0)[0] = (byte)bit;
            relation.upsert(batch, 0);
        }
        assertRow(relation, relation.find(0), 0);
        assertRow(relation, relation.find(1), 1);
        assertThat(relation.size()).isEqualTo(2);
    }

    @Test
    void shouldBeEmptyBehindClearAndTakeRowsAnew()
    {
        for (final CqlType type : new CqlType[]{CqlType.CHAR, CqlType.INT})
        {
            final EventBatch batch = wide(type);
            final LookupRelation relation = new LookupRelation(batch.schema(), 0);
            final int key = type == CqlType.CHAR ? relation.strings().literal("clear") : 5;
            fill(batch, 1);
            if (type == CqlType.CHAR)
            {
                key(batch, "clear");
            }
            else
            {
                batch.ints(0)[0] = key;
            }
            batch.setNull(1, 0);
            relation.upsert(batch, 0);
            assertThat(relation.hasNulls(1)).isTrue();
            assertThat(relation.nulls(1)[0]).isEqualTo((byte)1);
            relation.clear();
            assertThat(relation.size()).isZero();
            assertThat(relation.hasNulls(1)).isFalse();
            assertThat(relation.references(6)).containsOnlyNulls();
            assertThat(type == CqlType.CHAR ? isPresent(relation, key) : relation.find(key) >= 0).isFalse();
            batch.clearNull(1, 0);
            fill(batch, 3);
            relation.upsert(batch, 0);
            assertThat(relation.size()).isEqualTo(1);
            assertRow(relation, type == CqlType.CHAR ? rowOf(relation, key) : relation.find(key), 3);
        }
    }

    @Test
    void shouldHaveRoomForKnownKeysOnlyWhileMemoryIsFull()
    {
        final MemoryBudget budget = new MemoryBudget(1 << 22, new ManualClock(0));
        final MemoryAccount other = budget.open(new MemoryHolder("app", "other", "", "state"));
        final MemoryAccount memory = budget.open(new MemoryHolder("app", "proc", "", "copy"));
        final LookupRelation relation = new LookupRelation(byName, 0, PipelineBindings.newStrings(memory), memory);
        put("a", 1.0);
        relation.upsert(row, 0);
        other.charge(budget.limitBytes() - budget.takenBytes());
        assertThat(relation.hasRoom(row, 0)).as("known key").isTrue();
        put("b", 2.0);
        assertThat(relation.hasRoom(row, 0)).as("new key").isFalse();
        put("a", 1.0);
        relation.remove(row, 0);
        put("b", 2.0);
        assertThat(relation.hasRoom(row, 0)).as("in place of another one").isTrue();
        other.release(other.bytes());
        final long before = memory.bytes();
        for (int i = 0; i < 10_000; i++)
        {
            put("key " + i, 1.0);
            assertThat(relation.hasRoom(row, 0)).isTrue();
            relation.upsert(row, 0);
        }
        // A row number, a code, a weight, two nulls, a presence, and the string in its table.
        assertThat(memory.bytes() - before).as("bytes").isBetween(10_000L * (19 + 60), 10_000L * (60 + 80));
    }
}

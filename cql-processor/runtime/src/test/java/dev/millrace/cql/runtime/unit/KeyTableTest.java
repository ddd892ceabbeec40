package dev.millrace.cql.runtime.unit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.unit.string.DecodedStrings;
import dev.millrace.cql.runtime.unit.string.UnitStrings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tables of keys compared with a map: keys are added, die, return and are swept. The seed is fixed. */
@Timeout(60)
class KeyTableTest
{
    private static final int MANY = 1 << 16;
    private static final int STEPS = 200_000;
    private static final int KEYS = 5_000;

    /** Finds or adds the key of a number. */
    private interface Finder
    {
        int find(int number);
    }

    private static void compare(final KeyTable table, final int count, final int stamp, final Finder finder)
    {
        final Random random = new Random(4711);
        final Map<Integer, Integer> ids = new HashMap<>();
        final Map<Integer, Integer> counts = new HashMap<>();
        long instant = 1;
        for (int step = 0; step < STEPS; step++)
        {
            final int number = random.nextInt(KEYS);
            final int id = finder.find(number);
            assertThat(ids.merge(number, id, (known, now) -> known)).as("id of %d", number).isEqualTo(id);
            final int at = id * table.width;
            final int before = counts.getOrDefault(number, 0);
            assertThat(table.records[at + count]).as("rows of %d", number).isEqualTo(before);
            final int after = before == 0 || random.nextBoolean() ? before + 1 : 0;
            counts.put(number, after);
            table.records[at + count] = after;
            table.records[at + stamp] = instant;
            if (after == 0)
            {
                table.dies(id);
            }
            if (random.nextInt(10) == 0)
            {
                instant++;
            }
            if (random.nextInt(200) == 0)
            {
                table.sweep(count, stamp, instant);
                final long open = instant;
                ids.entrySet().removeIf(each -> counts.get(each.getKey()) == 0 &&
                    table.records[each.getValue() * table.width + stamp] != open);
                assertThat(table.size()).isEqualTo(ids.size());
            }
        }
        assertThat(ids.values()).doesNotHaveDuplicates();
    }

    @Test
    void shouldGiveKeysOfOneLongAnIdWhileTheyLive()
    {
        final LongKeys table = new LongKeys(3, MANY, MemoryAccount.NONE);
        compare(table, 2, 1, number -> table.findOrAdd(number * 1_000_003L));
    }

    @Test
    void shouldGiveKeysOfTwoLongsAnIdWhileTheyLive()
    {
        final LongPairKeys table = new LongPairKeys(4, MANY, MemoryAccount.NONE);
        compare(table, 3, 2, number -> table.findOrAdd(number % 70, number / 70));
    }

    @Test
    void shouldGiveKeysOfThreeLongsAnIdWhileTheyLive()
    {
        final LongTripleKeys table = new LongTripleKeys(5, MANY, MemoryAccount.NONE);
        compare(table, 4, 3, number -> table.findOrAdd(number % 17, number / 17 % 17, number / 289));
    }

    @Test
    void shouldGiveKeysOfManyLongsAnIdWhileTheyLive()
    {
        final LongsKeys table = new LongsKeys(4, 6, MANY, MemoryAccount.NONE);
        compare(table, 5, 4, number ->
        {
            table.key[0] = number % 17;
            table.key[1] = number / 17 % 17;
            table.key[2] = number / 289;
            table.key[3] = 1;
            return table.findOrAdd();
        });
    }

    @Test
    void shouldFindAheadTheIdsOfKnownKeysOfALargeTableUntilAKeyIsErased()
    {
        final LongKeys ones = new LongKeys(2, MANY, MemoryAccount.NONE);
        final LongPairKeys pairs = new LongPairKeys(3, MANY, MemoryAccount.NONE);
        final LongTripleKeys triples = new LongTripleKeys(4, MANY, MemoryAccount.NONE);
        final LongsKeys many = new LongsKeys(4, 5, MANY, MemoryAccount.NONE);
        assertThat(List.of(ones, pairs, triples, many)).as("small tables").noneMatch(table -> table.looksAhead(3));
        for (int i = 0; i < MANY / 2; i++)
        {
            ones.findOrAdd(i);
            pairs.findOrAdd(i, -i);
            triples.findOrAdd(i, -i, i);
            many.key[0] = i;
            many.findOrAdd();
        }
        assertThat(List.of(ones, pairs, triples, many)).as("large tables").allMatch(table -> table.looksAhead(3));
        final long[] keys = {MANY / 4, MANY, 5};
        for (int row = 0; row < keys.length; row++)
        {
            ones.lookAhead(row, keys[row]);
            pairs.lookAhead(row, keys[row], -keys[row]);
            triples.lookAhead(row, keys[row], -keys[row], keys[row]);
            many.key[0] = keys[row];
            many.lookAhead(row);
        }
        for (final KeyTable table : List.of(ones, pairs, triples, many))
        {
            assertThat(List.of(table.ahead(0), table.ahead(1), table.ahead(2), table.ahead(3)))
                .containsExactly(MANY / 4, KeyTable.FULL, 5, KeyTable.FULL);
            table.dies(7);
            table.sweep(table.width - 1);
            assertThat(table.ahead(0)).as("after a key was erased").isEqualTo(KeyTable.FULL);
        }
    }

    @Test
    void shouldHoldTextsOfKeysWhileTheyLive()
    {
        final StringTable codes = StringTable.withDelayedReuse(StringTable.Lifetime.HELD, MANY, MANY);
        final LongPairKeys table = new LongPairKeys(4, MANY, MemoryAccount.NONE);
        table.hold(new CodeColumns(new int[] {1},
            new UnitStrings(codes, new DecodedStrings(codes, MemoryAccount.NONE)), new int[0], null));
        final int id = table.findOrAdd(1, codes.code("a"));
        assertThat(table.findOrAdd(2, codes.code("a"))).isNotEqualTo(id);
        assertThat(table.findOrAdd(1, codes.code("b"))).isNotEqualTo(id);
        codes.endOfBatch();
        assertThat(table.findOrAdd(1, codes.code("a"))).isEqualTo(id);
        table.dies(id);
        table.dies(table.findOrAdd(1, codes.code("b")));
        table.sweep(3);
        codes.endOfBatch();
        assertThat(codes.find("a")).as("key of 2").isNotEqualTo(StringTable.NULL);
        assertThat(codes.find("b")).isEqualTo(StringTable.NULL);
        assertThat(codes.size()).isEqualTo(1);
    }

    @Test
    void shouldRefuseAKeyBeyondItsBoundUntilAnotherIsErased()
    {
        final LongKeys table = new LongKeys(3, 2, MemoryAccount.NONE);
        final List<Integer> ids = List.of(table.findOrAdd(1), table.findOrAdd(2), table.findOrAdd(3));
        assertThat(ids).containsExactly(0, 1, KeyTable.FULL);
        assertThat(table.findOrAdd(2)).isEqualTo(1);
        table.dies(0);
        table.sweep(2, 1, 1);
        assertThat(table.findOrAdd(3)).isEqualTo(0);
        assertThat(table.findOrAdd(1)).isEqualTo(KeyTable.FULL);
    }
}

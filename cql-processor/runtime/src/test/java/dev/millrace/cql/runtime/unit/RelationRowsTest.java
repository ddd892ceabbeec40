package dev.millrace.cql.runtime.unit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows of a key and a value, including several of one key. */
@Timeout(60)
class RelationRowsTest
{
    private static final int WIDTH = 1 + RelationRows.WORDS;

    private final RowSlab slab = new RowSlab(2, CodeColumns.NONE, 1 << 20, MemoryAccount.NONE);
    private final LongKeys keys = new LongKeys(WIDTH, 1 << 20, MemoryAccount.NONE);
    private final RelationRows relation = new RelationRows(slab, keys, WIDTH, 1);

    private int row(final long key, final long value)
    {
        final int row = slab.take();
        slab.words[row * 2] = key;
        slab.words[row * 2 + 1] = value;
        return row;
    }

    private void add(final long key, final long value)
    {
        final int id = keys.findOrAdd(key);
        relation.add(row(key, value), id);
    }

    /** The value of the row that a change refers to; null if none exists. */
    private Long remove(final long key, final long value, final boolean isEqual)
    {
        final int id = keys.findOrAdd(key);
        final int change = row(key, value);
        final int found = relation.find(change, id, isEqual);
        slab.free(change);
        if (found == RowSlab.NONE)
        {
            return null;
        }
        final long of = slab.words[found * 2 + 1];
        relation.remove(found, id);
        return of;
    }

    @Test
    void shouldTakeAnEqualRowBeforeTheOldestOfTheKey()
    {
        List.of(10L, 20L, 30L, 20L).forEach(value -> add(1, value));
        add(2, 99);
        assertThat(remove(1, 20, true)).isEqualTo(20);
        assertThat(remove(1, 20, false)).as("the oldest").isEqualTo(10);
        final List<Long> rest = new ArrayList<>();
        for (Long value = remove(1, 7, true); value != null; value = remove(1, 7, true))
        {
            rest.add(value);
        }
        assertThat(rest).containsExactly(30L, 20L);
        assertThat(slab.size()).isEqualTo(1);
    }

    @Test
    void shouldForgetKeysWithoutRowsAtTheEndOfABatch()
    {
        add(1, 10);
        assertThat(remove(3, 0, true)).isNull();
        assertThat(remove(1, 11, true)).as("by its key").isEqualTo(10);
        add(1, 12);
        keys.sweep(1);
        assertThat(keys.size()).as("key 3 never had a row").isEqualTo(1);
        assertThat(remove(1, 0, false)).isEqualTo(12);
        keys.sweep(1);
        assertThat(keys.size()).isZero();
    }
}

package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of a side of a join: few or many of a key, equal ones among them. */
@Timeout(60)
class JoinRowsTest
{
    private static final int MANY = 60_000;

    private final RowStore store = new RowStore(new RowLayout(CqlType.INT, CqlType.INT), 1 << 20);
    private final JoinRows rows = new JoinRows(store, new int[] {0});

    private int row(final int key, final int value)
    {
        final int row = store.allocate();
        store.setLong(row, 0, key);
        store.setLong(row, 1, value);
        return row;
    }

    private int added(final int key, final int value)
    {
        final int row = row(key, value);
        final int entry = rows.add(row);
        store.release(row);
        return entry;
    }

    private int leaving(final int key, final int value)
    {
        final int row = row(key, value);
        final int entry = rows.leaving(row);
        store.release(row);
        return entry;
    }

    /** A row and where it is. */
    private record Kept(int key, int value, int entry)
    {
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 8, 100})
    void shouldGiveARowWithTheValue(final int values)
    {
        final Random random = new Random(values);
        final List<Kept> model = new ArrayList<>();
        for (int i = 0; i < 4_000; i++)
        {
            final int key = random.nextInt(3);
            final int value = random.nextInt(values);
            if (random.nextInt(100) < (i < 2_000 ? 60 : 40))
            {
                model.add(new Kept(key, value, added(key, value)));
                continue;
            }
            final int entry = leaving(key, value);
            final List<Kept> equal =
                model.stream().filter(each -> each.key() == key && each.value() == value).toList();
            assertThat(equal.isEmpty()).isEqualTo(entry == RowIndex.NONE);
            if (!equal.isEmpty())
            {
                assertThat(equal).extracting(Kept::entry).contains(entry);
                rows.remove(entry);
                model.remove(new Kept(key, value, entry));
            }
            assertThat(rows.size()).isEqualTo(model.size());
        }
    }

    /** Looked for one by one, these would be four thousand million comparisons. */
    @Test
    @Timeout(20)
    void shouldFindARowAmongManyOfItsKey()
    {
        for (int i = 0; i < MANY; i++)
        {
            added(1, i);
        }
        for (int round = 0; round < 2; round++)
        {
            for (int i = MANY - 1; i >= 0; i--)
            {
                rows.remove(leaving(1, i));
                added(1, i);
            }
        }
        assertThat(rows.size()).isEqualTo(MANY);
    }
}

package dev.millrace.api.string;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Removal with artificial hashes, so that entries collide as intended. */
@Timeout(60)
class StringHashIndexTest
{
    /** Only the upper halves of the hashes are used; the records are not read. */
    private final LongStringIndex table = new LongStringIndex(null);

    private static long hash(final long upper)
    {
        return upper << Integer.SIZE;
    }

    /** Whether the search for a hash finds a code before it finds a free slot. */
    private boolean isFound(final long hash, final int code)
    {
        final long[] part = table.part(hash);
        int index = table.start(part, hash);
        while (table.code(part, index) != 0 && table.code(part, index) != code)
        {
            index = table.next(part, index);
        }
        return table.code(part, index) == code;
    }

    @Test
    void shouldFindEntriesThatSharePlacesAfterOthersAreRemoved()
    {
        final long seed = Long.getLong("seed", 3L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final Map<Integer, Long> inside = new HashMap<>();
        int next = 1;
        for (int step = 0; step < 20_000; step++)
        {
            if (inside.size() < 24 && random.nextBoolean())
            {
                // Four slots, two of them the last ones, so that runs wrap at the end of the array.
                final long hash = hash((254 + random.nextInt(4) & 255) + 256L * random.nextInt(100));
                table.insert(hash, next);
                inside.put(next, hash);
                next++;
            }
            else if (!inside.isEmpty())
            {
                final List<Integer> codes = new ArrayList<>(inside.keySet());
                final int code = codes.get(random.nextInt(codes.size()));
                table.remove(inside.remove(code), code);
            }
            inside.forEach((code, hash) -> assertThat(isFound(hash, code)).isTrue());
        }
        new HashMap<>(inside).forEach((code, hash) -> table.remove(hash, code));
        final long[] part = table.part(0);
        for (int i = 0; i < part.length; i++)
        {
            assertThat(part[i]).as("slot %d is left", i).isZero();
        }
    }

    @Test
    void shouldFindAllEntriesAfterItWasCutIntoParts()
    {
        final Random random = new Random(4);
        final List<Long> hashes = new ArrayList<>();
        assertThat(table.part(0)).isSameAs(table.part(-1));
        for (int code = 1; code <= 100_000; code++)
        {
            hashes.add(random.nextLong());
            table.insert(hashes.get(code - 1), code);
        }
        assertThat(table.part(0)).isNotSameAs(table.part(-1));
        for (int code = 1; code <= 100_000; code += 2)
        {
            table.remove(hashes.get(code - 1), code);
        }
        for (int code = 1; code <= 100_000; code++)
        {
            assertThat(isFound(hashes.get(code - 1), code)).isEqualTo(code % 2 == 0);
        }
    }

    /** Badly distributed hashes: the parts with most of them must grow while the table is being split. */
    @Test
    void shouldFindAllEntriesAfterPartsGrewWhileItWasCut()
    {
        final Random random = new Random(5);
        final List<Long> hashes = new ArrayList<>();
        for (int code = 1; code <= 20_000; code++)
        {
            final long part = random.nextInt(20);
            hashes.add(part << Long.SIZE - 8 | random.nextLong() >>> 8);
            table.insert(hashes.get(code - 1), code);
        }
        assertThat(table.part(0)).isNotSameAs(table.part(-1));
        for (int code = 1; code <= 20_000; code++)
        {
            assertThat(isFound(hashes.get(code - 1), code)).as("code %d", code).isTrue();
        }
    }
}

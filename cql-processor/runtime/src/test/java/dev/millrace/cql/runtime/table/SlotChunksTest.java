package dev.millrace.cql.runtime.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SlotChunksTest
{
    private static final int WORDS = 3;

    @Test
    void shouldKeepStateAndCopyOnlyAShortFirstChunk()
    {
        final Random random = new Random(5);
        long[][] longs = new long[0][];
        int slots = 0;
        while (slots < 100_000)
        {
            final int needed = slots + 1 + random.nextInt(1 + slots / 3);
            final int room = SlotChunks.room(needed);
            assertThat(room).isGreaterThanOrEqualTo(needed);
            final Map<long[], Boolean> before = new IdentityHashMap<>();
            for (int i = slots >= SlotChunks.SLOTS ? 0 : 1; i < longs.length; i++)
            {
                before.put(longs[i], true);
            }
            longs = SlotChunks.longs(longs, room, WORDS);
            for (final long[] chunk : longs)
            {
                before.remove(chunk);
            }
            assertThat(before).as("chunks that were copied, slots=%d", slots).isEmpty();
            for (; slots < room; slots++)
            {
                longs[slots >>> SlotChunks.BITS][(slots & SlotChunks.MASK) * WORDS + 2] = slots;
            }
        }
        final Set<Integer> wrong = new HashSet<>();
        for (int slot = 0; slot < slots; slot++)
        {
            if (longs[slot >>> SlotChunks.BITS][(slot & SlotChunks.MASK) * WORDS + 2] != slot)
            {
                wrong.add(slot);
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void shouldMakeLittleRoomForLittle()
    {
        assertThat(SlotChunks.room(1)).isEqualTo(1);
        assertThat(SlotChunks.longs(new long[0][], 1, WORDS)).hasDimensions(1, WORDS);
        assertThat(SlotChunks.room(17)).isEqualTo(32);
        assertThat(SlotChunks.room(SlotChunks.SLOTS + 1)).isEqualTo(2 * SlotChunks.SLOTS);
        assertThat(SlotChunks.room(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
    }
}

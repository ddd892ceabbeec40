package dev.millrace.cql.runtime.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ints, longs and objects by slot, compared with plain arrays. */
@Timeout(60)
class SlotArraysTest
{
    private static final int SLOTS = 20_000;
    private static final int WORDS = 3;
    private static final int UNSET = -7;

    @Test
    void shouldKeepWhatWasSetWhileTheyGrow()
    {
        final Random random = new Random(11);
        final SlotInts ints = new SlotInts(WORDS, UNSET);
        final SlotLongs longs = new SlotLongs(WORDS);
        final SlotObjects<String> objects = new SlotObjects<>();
        final int[] set = new int[SLOTS];
        int limit = 0;
        while (limit < SLOTS)
        {
            final int next = Math.min(SLOTS, limit + 1 + random.nextInt(1 + limit / 2));
            ints.reach(next - 1);
            longs.reach(next - 1);
            objects.reach(next - 1);
            limit = next;
            assertThat(ints.room()).isGreaterThanOrEqualTo(limit);
            for (int i = 0; i < limit / 4 + 1; i++)
            {
                final int slot = random.nextInt(limit);
                set[slot] = 1 + random.nextInt(1_000);
                ints.set(slot, 1, set[slot]);
                longs.set(slot, 2, -set[slot]);
                objects.set(slot, "o" + set[slot]);
            }
        }
        for (int slot = 0; slot < SLOTS; slot++)
        {
            assertThat(ints.get(slot)).isEqualTo(UNSET);
            assertThat(ints.get(slot, 1)).isEqualTo(set[slot] == 0 ? UNSET : set[slot]);
            assertThat(longs.get(slot, 1)).isZero();
            assertThat(longs.chunk(slot)[longs.at(slot) + 2]).isEqualTo(-set[slot]);
            assertThat(objects.get(slot)).isEqualTo(set[slot] == 0 ? null : "o" + set[slot]);
        }
    }

    @Test
    void shouldTakeLittleForOneSlot()
    {
        final SlotInts ints = new SlotInts();
        ints.reach(0);
        assertThat(ints.room()).isEqualTo(1);
        assertThat(ints.chunk(0)).containsExactly(0);
    }
}

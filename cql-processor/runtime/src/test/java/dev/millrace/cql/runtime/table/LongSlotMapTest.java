package dev.millrace.cql.runtime.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(180)
class LongSlotMapTest
{
    @Test
    void shouldKeepOneSlotAKeyWhenTableGrowsOverSegments()
    {
        final LongSlotMap slots = new LongSlotMap();
        final int count = 300_000;
        for (int i = 0; i < count; i++)
        {
            assertThat(slots.slotOf(key(i))).isEqualTo(i);
        }
        for (int i = 0; i < count; i++)
        {
            assertThat(slots.find(key(i))).isEqualTo(i);
        }
        assertThat(slots.find(key(count))).isEqualTo(LongSlotMap.NONE);
        assertThat(slots.size()).isEqualTo(count);
    }

    private static long key(final int i)
    {
        return i % 2 == 0 ? Double.doubleToLongBits(i) : i * 0x1_0000_0001L;
    }

    @Test
    void shouldKeepSlotsWhenKeysTurnOutToBeDense()
    {
        final long seed = Long.getLong("seed", 20_261_128L);
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        for (final int range : new int[]{100, 5_000, 60_000, 300_000})
        {
            final LongSlotMap slots = new LongSlotMap();
            final Map<Long, Integer> expected = new HashMap<>();
            for (int i = 0; i < 200_000; i++)
            {
                // Some are negative, and some are far away, of which some have the lower bits of others.
                final long near = random.nextInt(range);
                final long key = switch (random.nextInt(16))
                {
                    case 0 -> -1 - near;
                    case 1 -> near << 32 | random.nextInt(10);
                    default -> near;
                };
                if (random.nextInt(4) > 0)
                {
                    final int slot = slots.slotOf(key);
                    assertThat(expected.getOrDefault(key, slot)).isEqualTo(slot);
                    expected.put(key, slot);
                }
                else
                {
                    final Integer slot = expected.remove(key);
                    assertThat(slots.remove(key)).isEqualTo(slot == null ? LongSlotMap.NONE : slot);
                }
            }
            final long[] entries = slots.entries();
            final Map<Long, Integer> all = new HashMap<>();
            for (int i = 0; i < entries.length; i += 2)
            {
                all.put(entries[i], (int)entries[i + 1]);
            }
            assertThat(all).isEqualTo(expected);
            assertThat(new HashSet<>(expected.values())).hasSameSizeAs(expected.values());
            assertThat(slots.size()).isEqualTo(expected.size());
            assertThat(slots.find(Long.MIN_VALUE)).isEqualTo(LongSlotMap.NONE);
        }
    }

    @Test
    void shouldAgreeWithMapWhenKeysComeAndGo()
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        final LongSlotMap slots = new LongSlotMap();
        final Map<Long, Integer> expected = new HashMap<>();
        for (int i = 0; i < 200_000; i++)
        {
            final long key = random.nextInt(2_000) - 1_000;
            if (random.nextBoolean())
            {
                final int slot = slots.slotOf(key);
                assertThat(expected.getOrDefault(key, slot)).isEqualTo(slot);
                expected.put(key, slot);
            }
            else
            {
                final Integer slot = expected.remove(key);
                assertThat(slots.remove(key)).isEqualTo(slot == null ? LongSlotMap.NONE : slot);
            }
        }
        expected.forEach((key, slot) -> assertThat(slots.find(key)).isEqualTo(slot));
        assertThat(new HashSet<>(expected.values())).hasSameSizeAs(expected.values());
        assertThat(slots.size()).isEqualTo(expected.size());
        assertThat(slots.slotLimit()).isLessThanOrEqualTo(2_000);
    }

    @Test
    void shouldGiveNullASlotOfItsOwnWhenAsked()
    {
        final LongSlotMap slots = new LongSlotMap();
        final int zero = slots.slotOf(0);
        final int none = slots.nullSlot();
        assertThat(none).isNotEqualTo(zero).isEqualTo(slots.nullSlot());
        assertThat(slots.size()).isEqualTo(2);
    }

    @Test
    void shouldTellApartKeysOfSeveralWordsWhenTheyShareWords()
    {
        final RowSlotMap slots = new RowSlotMap(2, Integer.MAX_VALUE);
        for (int round = 0; round < 2; round++)
        {
            for (int i = 0; i < 400; i++)
            {
                for (int j = 0; j < 400; j++)
                {
                    slots.key()[0] = i;
                    slots.key()[1] = j;
                    assertThat(slots.slotOfKey()).isEqualTo(i * 400 + j);
                }
            }
        }
        assertThat(slots.size()).isEqualTo(160_000);
    }

    @Test
    void shouldGiveNoSlotWhenAsManyKeysAsMayBeHaveOne()
    {
        final LongSlotMap slots = new LongSlotMap(2);
        assertThat(slots.slotOf(7)).isZero();
        assertThat(slots.nullSlot()).isEqualTo(1);
        assertThat(slots.slotOf(8)).isEqualTo(LongSlotMap.NONE);
        assertThat(slots.slotOf(7)).isZero();
        assertThat(slots.size()).isEqualTo(2);
        assertThat(slots.remove(7)).isZero();
        assertThat(slots.slotOf(8)).isZero();

        final LongSlotMap full = new LongSlotMap(1);
        assertThat(full.slotOf(7)).isZero();
        assertThat(full.nullSlot()).isEqualTo(LongSlotMap.NONE);

        final RowSlotMap rows = new RowSlotMap(1, 2);
        assertThat(List.of(slotOf(rows, 1), slotOf(rows, 2), slotOf(rows, 3), slotOf(rows, 2)))
            .containsExactly(0, 1, LongSlotMap.NONE, 1);
        assertThat(rows.size()).isEqualTo(2);
    }

    private static int slotOf(final RowSlotMap slots, final long key)
    {
        slots.key()[0] = key;
        return slots.slotOfKey();
    }
}

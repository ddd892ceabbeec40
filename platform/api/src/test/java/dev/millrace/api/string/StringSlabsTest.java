package dev.millrace.api.string;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StringSlabsTest
{
    private final StringSlabs slabs = new StringSlabs();

    private byte[] read(final long address, final int length)
    {
        final int place = StringSlabs.place(address);
        return Arrays.copyOfRange(slabs.array(address), place, place + length);
    }

    @Test
    void shouldKeepTextsApartWhileOthersComeAndGo()
    {
        final long seed = Long.getLong("seed", 20_261_124L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final Map<Long, byte[]> expected = new HashMap<>();
        for (int step = 0; step < 30_000; step++)
        {
            final byte[] text = new byte[random.nextInt(100) == 0 ? 4_000 + random.nextInt(100_000) :
                25 + random.nextInt(300)];
            random.nextBytes(text);
            final long address = slabs.add(text, 0, text.length);
            assertThat(expected.put(address, text)).as("address in use").isNull();
            if (expected.size() > 500)
            {
                final long gone = expected.keySet().stream().skip(random.nextInt(500)).findFirst().get();
                final byte[] bytes = expected.remove(gone);
                assertThat(read(gone, bytes.length)).isEqualTo(bytes);
                slabs.remove(gone, bytes.length);
            }
        }
        expected.forEach((address, bytes) -> assertThat(read(address, bytes.length)).isEqualTo(bytes));
    }

    @Test
    void shouldUseABlockAgainForATextOfItsSize()
    {
        for (int length = 25; length <= 4_096; length++)
        {
            final byte[] text = new byte[length];
            final long address = slabs.add(text, 0, length);
            slabs.remove(address, length);
            assertThat(slabs.add(text, 0, length)).as("length %d", length).isEqualTo(address);
            slabs.remove(address, length);
        }
        assertThat(slabs.bytes()).isLessThan(3 * 65_536);
    }

    @Test
    void shouldWasteAtMostAQuarter()
    {
        for (final int length : new int[]{32, 33, 64, 65, 1_025, 2_100, 4_096})
        {
            final StringSlabs own = new StringSlabs();
            final byte[] text = new byte[length];
            final int count = 4_000_000 / length;
            for (int i = 0; i < count; i++)
            {
                own.add(text, 0, length);
            }
            assertThat(own.bytes()).as("length %d", length).isLessThan((long)(1.34 * length * count) + 65_536);
        }
    }

    @Test
    void shouldGiveBackTheMemoryOfTextsWithAnArrayOfTheirOwn()
    {
        final byte[] text = new byte[100_000];
        for (int i = 0; i < 1_000; i++)
        {
            slabs.remove(slabs.add(text, 0, text.length), text.length);
        }
        assertThat(slabs.bytes()).isZero();
    }
}

package dev.millrace.api.string;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class Utf8Test
{
    private static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void shouldHaveTheFirstEightBytesAsHead()
    {
        assertThat(Utf8.head(bytes("AB"), 0, 2)).isEqualTo(0x4241L);
        assertThat(Utf8.head(bytes("xABCDEFGHIJ"), 1, 10)).isEqualTo(0x4847464544434241L);
        assertThat(Utf8.head(bytes("xABCDEFGHIJ"), 1, 2)).isEqualTo(0x4241L);
        assertThat(Utf8.head(bytes("xAB"), 1, 2)).isEqualTo(0x4241L);
        assertThat(Utf8.head(bytes("xAB"), 3, 0)).isZero();
        assertThat(Utf8.head(bytes("xABCDEFGHIJ"), 1, 0)).isZero();
        assertThat(Utf8.head(new byte[]{-1, -1}, 0, 2)).isEqualTo(0xFFFFL);
    }

    @Test
    void shouldBeItsHeadUpToEightBytesUnlessItEndsWithZero()
    {
        for (int length = 1; length <= 8; length++)
        {
            final byte[] text = new byte[length];
            assertThat(Utf8.isHead(Utf8.head(text, 0, length), length)).isFalse();
            text[length - 1] = -1;
            assertThat(Utf8.isHead(Utf8.head(text, 0, length), length)).isTrue();
        }
        assertThat(Utf8.isHead(0x4847464544434241L, 9)).isFalse();
    }

    @Test
    void shouldHashAllBytesOfATextAndNothingAroundIt()
    {
        final Random random = new Random(11);
        for (int length = 1; length <= 70; length++)
        {
            final byte[] text = new byte[length];
            random.nextBytes(text);
            final long hash = Utf8.hash(text, 0, length);
            final byte[] elsewhere = new byte[length + 40];
            random.nextBytes(elsewhere);
            System.arraycopy(text, 0, elsewhere, 13, length);
            assertThat(Utf8.hash(elsewhere, 13, length)).isEqualTo(hash);
            for (int i = 0; i < length; i++)
            {
                final byte[] other = text.clone();
                other[i] ^= 1 << random.nextInt(8);
                assertThat(Utf8.hash(other, 0, length)).as("length %d byte %d", length, i).isNotEqualTo(hash);
            }
        }
    }

    @Test
    void shouldHashTheHeadOfAShortTextAlike()
    {
        assertThat(Utf8.hash(bytes("ORCL"), 0, 4)).isEqualTo(Utf8.hash(Utf8.head(bytes("ORCL"), 0, 4)));
    }

    /** Of 2^16 strings that differ in few digits, about as many upper halves differ as of random numbers. */
    @Test
    void shouldSpreadTextsThatDifferInFewDigits()
    {
        for (final String start : new String[]{"", "id", "order-", "customer-", "a rather long name of an order "})
        {
            final Set<Integer> upper = new HashSet<>();
            final int[] byPart = new int[256];
            final int[] byPlace = new int[256];
            for (int i = 0; i < 1 << 16; i++)
            {
                final byte[] text = bytes(start + i);
                final long hash = Utf8.hash(text, 0, text.length);
                upper.add((int)(hash >>> 32));
                byPart[(int)(hash >>> 56)]++;
                byPlace[(int)(hash >>> 32) & 255]++;
            }
            assertThat(upper.size()).as(start).isGreaterThan(65_500);
            assertThat(Arrays.stream(byPart).max().getAsInt()).as(start).isLessThan(512);
            assertThat(Arrays.stream(byPlace).max().getAsInt()).as(start).isLessThan(512);
        }
    }

    @Test
    void shouldCompareHeadsAsUnsignedBytesFromTheFirstOn()
    {
        final long a = Utf8.head(bytes("az"), 0, 2);
        final long b = Utf8.head(bytes("ba"), 0, 2);
        final long umlaut = Utf8.head(bytes("ü"), 0, 2);
        assertThat(Utf8.compareHeads(a, b)).isNegative();
        assertThat(Utf8.compareHeads(umlaut, b)).isPositive();
        assertThat(Utf8.compareHeads(a, a)).isZero();
    }
}

package dev.millrace.cql.runtime.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The byte format of state: values are read as written, and corrupt bytes are refused. */
@Timeout(60)
class StateFormTest
{
    private static final int MOST = 1 << 16;

    private static byte[] some()
    {
        final StateOutput to = new StateOutput(MOST);
        to.writeString("ä string");
        to.writeLong(-7);
        to.writeInts(new int[] {1, 2, 3}, 1, 2);
        return to.toBytes();
    }

    @Test
    void shouldGiveBackValuesOfEachClass()
    {
        final List<Object> values = Arrays.asList(null, true, false, 7, Integer.MIN_VALUE, -3L, 1.5F, Float.NaN, -0.0,
            Double.MAX_VALUE, "", "text", "text", "𝄞", new BigDecimal("-12.3400"), BigDecimal.ZERO,
            new BigDecimal("1e400"));
        final StateOutput to = new StateOutput(MOST);
        values.forEach(to::writeValue);
        to.writeValue(new byte[] {0, -1});
        final StateInput from = new StateInput(to.toBytes());
        values.forEach(value -> assertThat(from.readValue()).isEqualTo(value));
        assertThat((byte[])from.readValue()).containsExactly(0, -1);
        from.end();
    }

    @Test
    void shouldGiveBackRandomNumbersAndStretchesOfRings()
    {
        final Random random = new Random(17);
        for (int run = 0; run < 200; run++)
        {
            final int head = random.nextInt();
            final int tail = head + random.nextInt(16);
            final Object[] rings = {random.longs(16).toArray(), random.ints(16).toArray(), random.doubles(16).toArray(),
                new boolean[16], new byte[16], new float[16], new Object[16]};
            ((boolean[])rings[3])[random.nextInt(16)] = true;
            ((Object[])rings[6])[random.nextInt(16)] = "s" + run;
            final int count = random.nextInt() & Integer.MAX_VALUE >>> random.nextInt(31);
            final StateOutput to = new StateOutput(MOST);
            to.writeCount(count);
            Arrays.stream(rings).forEach(ring -> StateArrays.write(ring, head, tail, to));
            final StateInput from = new StateInput(to.toBytes());
            assertThat(from.readCount()).isEqualTo(count);
            for (final Object ring : rings)
            {
                // In a longer ring, rows have other indexes.
                final Object read =
                    java.lang.reflect.Array.newInstance(ring.getClass().getComponentType(), 64);
                StateArrays.read(read, head, tail, from);
                for (int position = head; position != tail; position++)
                {
                    assertThat(java.lang.reflect.Array.get(read, position & 63))
                        .isEqualTo(java.lang.reflect.Array.get(ring, position & 15));
                }
            }
            from.end();
        }
    }

    @Test
    void shouldWriteEqualStringsOnce()
    {
        final StateOutput to = new StateOutput(MOST);
        final int number = to.writeString("x".repeat(1000));
        for (int i = 0; i < 50; i++)
        {
            to.writeString("x".repeat(1000));
            to.writeKnown(number);
        }
        assertThat(to.toBytes().length).isLessThan(1200);
    }

    @Test
    void shouldGiveBackListsOfStrings()
    {
        final List<String> some = Arrays.asList("a", null, "b", "a");
        final StateOutput to = new StateOutput(MOST);
        to.writeStrings(some);
        to.writeStrings(List.of());
        final StateInput from = new StateInput(to.toBytes());
        assertThat(from.readStrings()).isEqualTo(some);
        assertThat(from.readStrings()).isEmpty();
        from.end();
    }

    @Test
    void shouldRefuseEachChangedByteAndEachShorterForm()
    {
        final byte[] bytes = some();
        for (int i = 0; i < bytes.length; i++)
        {
            for (int bit = 0; bit < Byte.SIZE; bit++)
            {
                final byte[] changed = bytes.clone();
                changed[i] ^= (byte)(1 << bit);
                assertThatThrownBy(() -> new StateInput(changed)).isInstanceOf(StateException.class);
            }
            final byte[] shorter = Arrays.copyOf(bytes, i);
            assertThatThrownBy(() -> new StateInput(shorter)).isInstanceOf(StateException.class);
        }
    }

    @Test
    void shouldRefuseMoreThanItsBoundAndObjectsOfUnknownClasses()
    {
        final StateOutput to = new StateOutput(100);
        assertThatThrownBy(() -> to.writeLongs(new long[20], 0, 20)).isInstanceOf(StateException.class)
            .hasMessageContaining("maxBytes=100");
        assertThatThrownBy(() -> new StateOutput(MOST).writeValue(new Object())).isInstanceOf(StateException.class)
            .hasMessageContaining("java.lang.Object");
    }

    @Test
    void shouldRefuseToReadBeyondTheEndAndToLeaveSomething()
    {
        final StateInput from = new StateInput(some());
        assertThatThrownBy(from::end).isInstanceOf(StateException.class);
        from.readString();
        assertThatThrownBy(() -> from.readLongs(new long[100], 0, 100)).isInstanceOf(StateException.class)
            .hasMessageContaining("ends too early");
        final StateOutput to = new StateOutput(MOST);
        to.writeCount(1 << 30);
        assertThatThrownBy(() -> new StateInput(to.toBytes()).readSize(8)).isInstanceOf(StateException.class);
    }
}

package dev.millrace.adapter.loadgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.EventType;
import dev.millrace.api.internal.AsciiNumberParser;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CsvDecoderTest
{
    private static Rows decode(final EventType type, final String text) throws WireFormatException
    {
        final Rows rows = new Rows(type);
        final BatchAssembler batch = new BatchAssembler(rows, Rows.inOrder(type));
        final CsvDecoder decoder = new CsvDecoder(batch, 4096, "test");
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        final int consumed = decoder.decode(bytes, 0, bytes.length, 5);
        decoder.decodeLast(bytes, consumed, bytes.length, 5);
        batch.flush();
        return rows;
    }

    @Test
    void shouldDecodeLinesWhenEndsDiffer() throws WireFormatException
    {
        final Rows rows = decode(Rows.TICK, "\uFEFFA,1\nB,2.5\r\n\n\r\nC,\n,4\nZ\u00fcrich,-5e2");
        assertThat(rows.rows()).containsExactly("A,1.0", "B,2.5", "C,null", "null,4.0", "Z\u00fcrich,-500.0");
        assertThat(rows.origins()).containsOnly(5L);
        assertThat(rows.rejected()).isEmpty();
    }

    @Test
    void shouldDecodeEachType() throws WireFormatException
    {
        final Rows rows = decode(Rows.ALL, "t,-7,9223372036854775807,0.1,1e300,true,1970-01-01T00:00:01.5Z\n" +
            ",,,,,,\nu,+8,-9223372036854775808,16777217,.5,0,17\n");
        assertThat(rows.rows()).containsExactly("t,-7,9223372036854775807,0.1,1.0E300,true,1500000000",
            "null,null,null,null,null,null,null", "u,8,-9223372036854775808,1.6777216E7,0.5,false,17");
    }

    @Test
    void shouldRejectLineAloneWhenNumberIsBad() throws WireFormatException
    {
        for (final String bad : new String[] {"x", " 1", "1 ", "1.2.3", "NaN", "Infinity", "1e", "e5", ".", "-", "1d",
            "0x10", "1e999", "1,2"})
        {
            final Rows rows = decode(Rows.TICK, "A,1\nB," + bad + "\nC,3\n");
            assertThat(rows.rows()).as(bad).containsExactly("A,1.0", "C,3.0");
            assertThat(rows.rejected().values()).as(bad).containsExactly(1);
        }
        final Rows rows = decode(Rows.TICK, "A,1\nB,abc\n");
        assertThat(rows.rejected()).containsOnly(Map.entry("not-a-number", 1));
        assertThat(rows.details().get(0)).startsWith("LDG-0201 ").contains("column=lastPrice", "line=2", "\"B,abc\"");
    }

    @Test
    void shouldRejectIntegersWhenTheyOverflow() throws WireFormatException
    {
        final Rows rows = decode(Rows.ALL, "a,2147483648,1,1,1,1,1\nb,1,9223372036854775808,1,1,1,1\n" +
            "c,1,-9223372036854775809,1,1,1,1\nd,1,1,1e39,1,1,1\ne,1,1,1,1,maybe,1\nf,1,1,1,1,1,noon\n");
        assertThat(rows.rows()).isEmpty();
        assertThat(rows.rejected()).containsOnly(Map.entry("not-a-number", 4), Map.entry("bad-value", 2));
    }

    @Test
    void shouldRejectLineAloneWhenFieldCountIsWrong() throws WireFormatException
    {
        final Rows rows = decode(Rows.TICK, "A,1\nB\nC,2,3\nD,4\n");
        assertThat(rows.rows()).containsExactly("A,1.0", "D,4.0");
        assertThat(rows.rejected()).containsOnly(Map.entry("wrong-column-count", 2));
        assertThat(rows.details().get(1)).contains("expected=2 actual=3", "line=3", "\"C,2,3\"");
    }

    @Test
    void shouldRefuseStreamWhenLineHasNoEnd()
    {
        assertThatThrownBy(() -> decode(Rows.TICK, "A".repeat(5000))).isInstanceOf(WireFormatException.class)
            .hasMessageStartingWith("LDG-0207").hasMessageContaining("...");
    }

    @Test
    void shouldReadNumbersAsTheJdkDoesWhenTheyAreRandom()
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        final Random random = new Random(seed);
        final AsciiNumberParser number = new AsciiNumberParser();
        for (int i = 0; i < 200_000; i++)
        {
            final String text = switch (random.nextInt(5))
            {
                case 0 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
                case 1 -> Double.toString(random.nextInt(100_000_000) / 100.0);
                case 2 -> Integer.toString(random.nextInt());
                case 3 -> random.nextLong() + "." + (random.nextLong() >>> 1);
                default -> "000" + random.nextInt(1000) + ".000" + random.nextInt(1000) + "E" + random.nextInt(30);
            };
            final byte[] bytes = (text + "9").getBytes(StandardCharsets.US_ASCII);
            final boolean isFinite = !text.contains("N") && !text.contains("I");
            assertThat(number.parseDouble(bytes, 0, text.length())).as(text + " seed " + seed).isEqualTo(isFinite);
            if (isFinite)
            {
                assertThat(number.floating()).as("seed " + seed).isEqualTo(Double.parseDouble(text));
            }
        }
    }
}

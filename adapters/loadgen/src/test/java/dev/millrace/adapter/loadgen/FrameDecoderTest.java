package dev.millrace.adapter.loadgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(180)
class FrameDecoderTest
{
    private static final int MAX_FRAME = 1 << 20;
    private static final List<WireType> PAIR = List.of(WireType.CHAR8, WireType.DOUBLE);
    private static final List<WireType> ALL = List.of(WireType.CHAR16, WireType.INT, WireType.BIGINT, WireType.FLOAT,
        WireType.DOUBLE, WireType.BOOLEAN, WireType.TIMESTAMP);

    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
    private final FrameWriter writer = new FrameWriter(buffer);

    private byte[] written()
    {
        final byte[] bytes = Arrays.copyOf(buffer.array(), buffer.position());
        buffer.clear();
        return bytes;
    }

    private static Rows decode(final List<WireType> columns, final byte[] bytes) throws WireFormatException
    {
        final Rows rows = new Rows(columns == PAIR ? Rows.TICK : Rows.ALL);
        final BatchAssembler batch = new BatchAssembler(rows, Rows.inOrder(rows.schema().type()));
        final FrameDecoder decoder = new FrameDecoder(batch, columns, MAX_FRAME, "test");
        assertThat(decoder.decode(bytes, 0, bytes.length)).isEqualTo(bytes.length);
        batch.flush();
        return rows;
    }

    @Test
    void shouldDecodePairsWhenFramesHaveOneAndManyRows() throws WireFormatException
    {
        writer.begin(1, 1000, 0).char8("ORCL").float64(31.5).end();
        writer.begin(3, 2000, 0).char8("A").float64(1).char8("EIGHTCHR").float64(-2.25).char8("NINECHARS").float64(3);
        writer.end();
        final Rows rows = decode(PAIR, written());
        assertThat(rows.rows()).containsExactly("ORCL,31.5", "A,1.0", "EIGHTCHR,-2.25", "NINECHARS,3.0");
        assertThat(rows.origins()).containsExactly(1000L, 2000L, 2000L, 2000L);
        assertThat(rows.batchSizes()).containsExactly(4);
    }

    @Test
    void shouldDecodeEachTypeWhenRowsHaveNulls() throws WireFormatException
    {
        writer.begin(2, 7, WireFormat.FLAG_NULLS)
            .nulls((byte)0).char16("text").int32(-5).int64(1L << 40).float32(0.5f).float64(2.5).bool(true).int64(99)
            .nulls((byte)0b1111110).char16("").int32(1).int64(1).float32(1).float64(1).bool(true).int64(1).end();
        writer.begin(1, 8, 0).char16("x").int32(1).int64(2).float32(3).float64(4).bool(false).int64(5).end();
        assertThat(decode(ALL, written()).rows()).containsExactly("text,-5,1099511627776,0.5,2.5,true,99",
            "null,null,null,null,null,null,null", "x,1,2,3.0,4.0,false,5");
    }

    @Test
    void shouldWidenNumbersWhenPropertyIsWider() throws WireFormatException
    {
        final Rows rows = new Rows(Rows.ALL);
        final BatchAssembler batch = new BatchAssembler(rows, BatchAssembler.columnsOf(Rows.ALL, "number, big,small"));
        final FrameDecoder decoder = new FrameDecoder(
            batch, List.of(WireType.INT, WireType.INT, WireType.DOUBLE), MAX_FRAME, "test");
        writer.begin(1, 1, 0).int32(7).int32(-8).float64(0.1).end();
        final byte[] bytes = written();
        decoder.decode(bytes, 0, bytes.length);
        batch.flush();
        assertThat(rows.rows()).containsExactly("null,null,-8,0.1,7.0,null,null");
    }

    @Test
    void shouldConvertStringsToTypeOfPropertyAndRejectOnlyRowsThatCannotBeConverted() throws WireFormatException
    {
        final List<WireType> strings = List.of(WireType.CHAR8, WireType.CHAR8, WireType.CHAR16, WireType.CHAR8,
            WireType.CHAR8, WireType.CHAR8, WireType.CHAR8);
        writer.begin(6, 1, 0)
            .char8("007").char8("-5").char16("1099511627776").char8("0.1").char8("2.5e3").char8("True").char8("99")
            .char8("n").char8("").char16("").char8("").char8("").char8("").char8("")
            .char8("a").char8("12x").char16("1").char8("1").char8("1").char8("1").char8("1")
            .char8("b").char8("2147483648").char16("1").char8("1").char8("1").char8("1").char8("1")
            .char8("c").char8("").char16("1").char8("1").char8("1").char8("maybe").char8("1")
            .char8("d").char8("1").char16("2").char8("3").char8("4").char8("0").char8("1970-01-01T00:00:01.5Z").end();
        final Rows rows = decode(strings, written());
        assertThat(rows.rows()).containsExactly("007,-5,1099511627776,0.1,2500.0,true,99",
            "n,null,null,null,null,null,null", "d,1,2,3.0,4.0,false,1500000000");
        assertThat(rows.rejected()).containsOnly(java.util.Map.entry("not-a-number", 2),
            java.util.Map.entry("bad-value", 1));
        assertThat(rows.details()).hasSize(3).anySatisfy(detail -> assertThat(detail)
            .startsWith("LDG-0201 string is not a valid int, column=whole value=\"12x\" peer=test; "));
    }

    @Test
    void shouldConvertStringsOfPairsToo() throws WireFormatException
    {
        final Rows rows = new Rows(Rows.ALL);
        final BatchAssembler batch = new BatchAssembler(rows, BatchAssembler.columnsOf(Rows.ALL, "whole,number"));
        final FrameDecoder decoder = new FrameDecoder(batch, PAIR, MAX_FRAME, "test");
        writer.begin(2, 1, 0).char8("17").float64(1.5).char8("x").float64(2.5).end();
        final byte[] bytes = written();
        decoder.decode(bytes, 0, bytes.length);
        batch.flush();
        assertThat(rows.rows()).containsExactly("null,17,null,null,1.5,null,null");
        assertThat(rows.rejected()).containsOnly(java.util.Map.entry("not-a-number", 1));
    }

    @Test
    void shouldKeepAbsentColumnsNullWhenBatchIsReused() throws WireFormatException
    {
        final Rows rows = new Rows(Rows.TICK);
        final BatchAssembler batch = new BatchAssembler(rows, BatchAssembler.columnsOf(Rows.TICK, "symbol"));
        final FrameDecoder decoder = new FrameDecoder(batch, List.of(WireType.CHAR8), MAX_FRAME, "test");
        for (int i = 0; i < 600; i++)
        {
            writer.begin(1, i, 0).char8("S" + i).end();
        }
        final byte[] bytes = written();
        decoder.decode(bytes, 0, bytes.length);
        batch.flush();
        assertThat(rows.batchSizes()).containsExactly(256, 256, 88);
        assertThat(rows.rows()).hasSize(600).allMatch(row -> row.endsWith(",null")).contains("S599,null");
    }

    @Test
    void shouldRejectRowsAloneWhenTextDoesNotFit() throws WireFormatException
    {
        writer.begin(4, 1, 0).char8("GOOD").float64(1).char8("SEVENTEEN LETTERS").float64(2).char8("Z\u00fcrich")
            .float64(3).char8("XXX").float64(4).end();
        final byte[] bytes = written();
        bytes[bytes.length - 9] = (byte)0xFF;
        final Rows rows = decode(PAIR, bytes);
        assertThat(rows.rows()).containsExactly("GOOD,1.0", "Z\u00fcrich,3.0");
        assertThat(rows.rejected()).containsOnly(java.util.Map.entry("text-too-long", 1),
            java.util.Map.entry("not-utf8", 1));
        assertThat(rows.details().get(0)).startsWith("LDG-0204 ").contains("symbol", "SEVENTEEN LETTERS");
    }

    @Test
    void shouldCarryTextsOfManyLengths() throws WireFormatException
    {
        final Rows rows = new Rows(Rows.TICK);
        final BatchAssembler batch = new BatchAssembler(rows, Rows.inOrder(Rows.TICK));
        decodeAndFlush(batch, "A", "B", "C", "Zürich");
        assertThat(rows.rows()).containsExactly("A,0.0", "B,1.0", "C,2.0", "Zürich,3.0");
        assertThat(rows.rejected()).isEmpty();
    }

    private void decodeAndFlush(final BatchAssembler batch, final String... names) throws WireFormatException
    {
        final FrameDecoder decoder = new FrameDecoder(batch, PAIR, MAX_FRAME, "test");
        writer.begin(names.length, 1, 0);
        for (int i = 0; i < names.length; i++)
        {
            writer.char8(names[i]).float64(i);
        }
        writer.end();
        final byte[] bytes = written();
        decoder.decode(bytes, 0, bytes.length);
        batch.flush();
    }

    @Test
    void shouldSendRowsOnceWhenPairFrameWithNullsEndsEarly() throws WireFormatException
    {
        // 250 plain pairs, then a frame with nulls of which 10 rows are complete: the batch becomes full in the middle
        // of it.
        writer.begin(250, 1, 0);
        for (int i = 0; i < 250; i++)
        {
            writer.char8("P" + i).float64(i);
        }
        writer.end();
        writer.begin(11, 2, WireFormat.FLAG_NULLS);
        for (int i = 0; i < 10; i++)
        {
            writer.nulls((byte)0b10).char8("N" + i).float64(0);
        }
        writer.end();
        final Rows rows = new Rows(Rows.TICK);
        final BatchAssembler batch = new BatchAssembler(rows, Rows.inOrder(Rows.TICK));
        final FrameDecoder broken = new FrameDecoder(batch, PAIR, MAX_FRAME, "broken");
        final byte[] bytes = written();
        assertThatThrownBy(() -> broken.decode(bytes, 0, bytes.length)).hasMessageContaining("rowsLost=1");
        // Another connection continues with the same batch.
        writer.begin(1, 3, 0).char8("LAST").float64(9).end();
        final byte[] next = written();
        new FrameDecoder(batch, PAIR, MAX_FRAME, "next").decode(next, 0, next.length);
        batch.flush();
        assertThat(rows.batchSizes()).containsExactly(256, 5);
        assertThat(rows.rows()).hasSize(261).doesNotHaveDuplicates().endsWith("N9,null", "LAST,9.0");
    }

    @Test
    void shouldNotLeaveNullsBehindWhenRowIsRejected() throws WireFormatException
    {
        // The invalid string follows a null number, whose null bit must not remain set for the next row.
        final Rows rows = new Rows(Rows.TICK);
        final BatchAssembler batch = new BatchAssembler(rows, BatchAssembler.columnsOf(Rows.TICK, "lastPrice,symbol"));
        final FrameDecoder decoder =
            new FrameDecoder(batch, List.of(WireType.DOUBLE, WireType.CHAR8), MAX_FRAME, "test");
        writer.begin(2, 1, WireFormat.FLAG_NULLS).nulls((byte)1).float64(0).char8("SEVENTEEN LETTERS")
            .nulls((byte)0).float64(5).char8("B").end();
        final byte[] bytes = written();
        decoder.decode(bytes, 0, bytes.length);
        batch.flush();
        assertThat(rows.rows()).containsExactly("B,5.0");
    }

    @Test
    void shouldRefuseStreamWhenHeaderIsWrong()
    {
        writer.begin(1, 1, 0).char8("A").float64(1).end();
        final byte[] good = written();
        assertRefused(good, 0, new byte[] {-1, -1, -1, -1}, InputRejectReason.NEGATIVE_LENGTH);
        assertRefused(good, 0, new byte[] {11, 0, 0, 0}, InputRejectReason.FRAME_TOO_SHORT);
        assertRefused(good, 0, new byte[] {0, 0, 16, 0}, InputRejectReason.FRAME_TOO_LONG);
        assertRefused(good, 4, new byte[] {2}, InputRejectReason.UNKNOWN_VERSION);
        assertRefused(good, 5, new byte[] {4}, InputRejectReason.UNKNOWN_FLAGS);
        assertRefused(good, 6, new byte[] {2, 0}, InputRejectReason.MALFORMED_FRAME);
        assertRefused(good, 6, new byte[] {0, 0}, InputRejectReason.MALFORMED_FRAME);
        assertRefused(good, 16, new byte[] {100}, InputRejectReason.MALFORMED_FRAME);
        assertRefused(good, 16, new byte[] {0}, InputRejectReason.MALFORMED_FRAME);
    }

    private static void assertRefused(final byte[] good, final int at, final byte[] patch,
        final InputRejectReason refusal)
    {
        final byte[] bad = good.clone();
        System.arraycopy(patch, 0, bad, at, patch.length);
        assertThatThrownBy(() -> decode(PAIR, bad)).isInstanceOfSatisfying(WireFormatException.class,
            ex -> assertThat(ex.refusal()).isEqualTo(refusal))
            .hasMessageStartingWith(refusal.code()).hasMessageContaining("peer=test");
    }

    @Test
    void shouldRefuseLengthAtOnceWhenOnlyLengthHasArrived() throws WireFormatException
    {
        final Rows rows = new Rows(Rows.TICK);
        final FrameDecoder decoder =
            new FrameDecoder(new BatchAssembler(rows, Rows.inOrder(Rows.TICK)), PAIR, MAX_FRAME, "test");
        assertThat(decoder.decode(new byte[] {-1, -1, -1}, 0, 3)).isZero();
        assertThatThrownBy(() -> decoder.decode(new byte[] {-1, -1, -1, -1}, 0, 4))
            .isInstanceOf(WireFormatException.class);
    }

    @Test
    void shouldRefuseColumnsWhenTheyDoNotFitProperties()
    {
        final BatchAssembler batch = new BatchAssembler(new Rows(Rows.TICK), Rows.inOrder(Rows.TICK));
        assertThatThrownBy(() -> new FrameDecoder(batch, List.of(WireType.CHAR8), MAX_FRAME, "test"))
            .isInstanceOf(WireFormatException.class).hasMessageContaining("expected=2 actual=1")
            .hasMessageContaining("symbol:char,lastPrice:double");
        assertThatThrownBy(() -> new FrameDecoder(batch, List.of(WireType.INT, WireType.DOUBLE), MAX_FRAME, "test"))
            .isInstanceOf(WireFormatException.class).hasMessageContaining("column=symbol expected=char actual=INT");
    }

    @Test
    void shouldGiveSameRowsWhenSplitAtEachByte() throws WireFormatException
    {
        writer.begin(2, 1, 0).char8("AB").float64(1.5).char8("NINECHARS").float64(2.5).end();
        writer.begin(0, 2, 0).end();
        writer.begin(1, 3, WireFormat.FLAG_NULLS).nulls((byte)2).char8("C").float64(0).end();
        writer.begin(1, 4, 0).char8("").float64(4).end();
        final byte[] bytes = written();
        final List<String> expected = List.of("AB,1.5", "NINECHARS,2.5", "C,null", "null,4.0");
        for (int split = 0; split <= bytes.length; split++)
        {
            final Rows rows = new Rows(Rows.TICK);
            final BatchAssembler batch = new BatchAssembler(rows, Rows.inOrder(Rows.TICK));
            final FrameDecoder decoder = new FrameDecoder(batch, PAIR, MAX_FRAME, "test");
            final int consumed = decoder.decode(bytes, 0, split);
            assertThat(decoder.decode(bytes, consumed, bytes.length)).isEqualTo(bytes.length);
            batch.flush();
            assertThat(rows.rows()).as("split at " + split).isEqualTo(expected);
        }
    }

    @Test
    void shouldEitherDecodeOrRefuseWhenFramesAreMutated()
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        final Random random = new Random(seed);
        int refused = 0;
        for (int round = 0; round < 20_000; round++)
        {
            final List<WireType> columns = random.nextBoolean() ? PAIR : ALL;
            final byte[] bytes = randomFrames(random, columns);
            for (int i = random.nextInt(4); i >= 0; i--)
            {
                bytes[random.nextInt(bytes.length)] = (byte)(random.nextInt(4) == 0 ? 0xFF : random.nextInt());
            }
            refused += outcome(columns, bytes, random, "seed " + seed + " round " + round) ? 0 : 1;
        }
        assertThat(refused).as("seed " + seed).isBetween(2_000, 19_000);
    }

    /**
     * Decodes in one piece and in random pieces; both results must be equal. Returns whether the stream was accepted.
     */
    private static boolean outcome(
        final List<WireType> columns, final byte[] bytes, final Random random, final String where)
    {
        final List<String> results = new ArrayList<>();
        for (final boolean inPieces : new boolean[] {false, true})
        {
            final Rows rows = new Rows(columns == PAIR ? Rows.TICK : Rows.ALL);
            final BatchAssembler batch = new BatchAssembler(rows, Rows.inOrder(rows.schema().type()));
            String end = "ok";
            try
            {
                final FrameDecoder decoder = new FrameDecoder(batch, columns, 4096, "test");
                int consumed = 0;
                int received = 0;
                while (received < bytes.length)
                {
                    received = inPieces ? Math.min(bytes.length, received + 1 + random.nextInt(40)) : bytes.length;
                    // A copy of exactly the received bytes detects reads beyond them.
                    consumed = decoder.decode(Arrays.copyOf(bytes, received), consumed, received);
                }
            }
            catch (final WireFormatException ex)
            {
                end = ex.getMessage();
            }
            catch (final RuntimeException ex)
            {
                throw new AssertionError(where, ex);
            }
            batch.flush();
            results.add(rows.rows() + " " + rows.rejected() + " " + end);
        }
        assertThat(results.get(1)).as(where).isEqualTo(results.get(0));
        return results.get(0).endsWith("ok");
    }

    private byte[] randomFrames(final Random random, final List<WireType> columns)
    {
        for (int frame = 1 + random.nextInt(3); frame > 0; frame--)
        {
            final int rows = random.nextInt(4);
            final boolean nulls = random.nextInt(4) == 0;
            writer.begin(rows, random.nextLong(), nulls ? WireFormat.FLAG_NULLS : 0);
            for (int row = 0; row < rows; row++)
            {
                if (nulls)
                {
                    writer.nulls((byte)random.nextInt(1 << columns.size()));
                }
                final String text = "x".repeat(random.nextInt(12));
                if (columns == PAIR)
                {
                    writer.char8(text).float64(random.nextInt(1000));
                }
                else
                {
                    writer.char16(text).int32(random.nextInt()).int64(random.nextLong()).float32(random.nextFloat())
                        .float64(random.nextDouble()).bool(random.nextBoolean()).int64(random.nextLong());
                }
            }
            writer.end();
        }
        return written();
    }
}

package dev.millrace.network.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.RowSequence;
import java.math.BigDecimal;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Encoding of rows as bytes, and their partitions, seen from two members with separate dictionaries. */
@Tag("slow")
@Timeout(180)
class RowCodecTest
{
    private static final EventType ALL = EventType.tuple("All", new EventProperty("i", CqlType.INT),
        new EventProperty("l", CqlType.BIGINT), new EventProperty("f", CqlType.FLOAT),
        new EventProperty("d", CqlType.DOUBLE), new EventProperty("b", CqlType.BOOLEAN),
        new EventProperty("s", CqlType.CHAR), new EventProperty("t", CqlType.TIMESTAMP),
        new EventProperty("n", CqlType.BIGDECIMAL), new EventProperty("y", CqlType.BYTE),
        new EventProperty("x", CqlType.XMLTYPE));

    private final BatchSchema here = new BatchSchema(ALL);
    private final BatchSchema there = new BatchSchema(ALL);

    private static void fill(final EventBatch batch, final Object[][] rows)
    {
        batch.clear();
        batch.size(rows.length);
        for (int row = 0; row < rows.length; row++)
        {
            for (int column = 0; column < rows[row].length; column++)
            {
                batch.setValue(column, row, rows[row][column]);
            }
        }
    }

    private static Object[] row(final Random random)
    {
        final Object[] row = {random.nextInt(), random.nextLong(), random.nextFloat(), random.nextDouble(),
            random.nextBoolean(), "symbol-" + random.nextInt(40), random.nextLong(),
            new BigDecimal(random.nextLong() + ".5"), new byte[] {(byte)random.nextInt(), 7}, "<a>" + random.nextInt()};
        for (int i = 0; i < row.length; i++)
        {
            row[i] = random.nextInt(5) == 0 ? null : row[i];
        }
        return row;
    }

    @Test
    void shouldReadWhatWasWritten()
    {
        shouldRead(new RowEncoder(here, true), new RowDecoder(there), false);
    }

    @Test
    void shouldReadEachBatchOfAJournalByItself()
    {
        shouldRead(RowEncoder.forJournal(here, column -> true), null, true);
    }

    /** A decoder of its own reads each batch if none is given. */
    private void shouldRead(final RowEncoder encoder, final RowDecoder decoder, final boolean hasKinds)
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        final Random random = new Random(seed);
        final EventBatch batch = new EventBatch(here);
        for (int round = 0; round < 50; round++)
        {
            final Object[][] rows = new Object[1 + random.nextInt(EventBatch.CAPACITY)][];
            Arrays.setAll(rows, i -> row(random));
            fill(batch, rows);
            batch.baseTimestampNs(1_000L * round);
            if (round % 2 == 0)
            {
                Arrays.setAll(batch.useTimestampPerRow(), i -> 5L * i);
                Arrays.setAll(batch.useOrigins(), i -> 3L * i);
            }
            if (round % 3 == 0)
            {
                random.ints(rows.length, 0, 3).forEach(kind -> kinds(batch)[random.nextInt(rows.length)] = (byte)kind);
            }
            if (round % 5 > 2)
            {
                final int step = round % 5 == 3 ? 1 : 2;
                Arrays.setAll(batch.useSequences(), i -> RowSequence.of(7, 1_000 + (long)i * step));
            }
            final long[] sequences =
                hasKinds && batch.hasSequences() ? Arrays.copyOf(batch.sequences(), rows.length) : null;
            final byte[] kinds = batch.hasKinds() ? Arrays.copyOf(batch.kinds(), rows.length) : null;
            final ByteBuffer bytes = encoder.encode(batch, ByteBuffer.allocate(16));
            final RowDecoder own = decoder == null ? RowDecoder.forJournal(there, column -> true) : decoder;
            final EventBatch read = own.decode(bytes.flip());
            assertThat(bytes.remaining()).as("bytes left, seed=" + seed).isZero();
            assertThat(read.size()).isEqualTo(rows.length);
            assertThat(read.hasOrigins()).isEqualTo(round % 2 == 0);
            assertThat(read.hasKinds() ? Arrays.copyOf(read.kinds(), rows.length) : null)
                .isEqualTo(hasKinds ? kinds : null);
            assertThat(read.hasSequences() ? Arrays.copyOf(read.sequences(), rows.length) : null).isEqualTo(sequences);
            for (int row = 0; row < rows.length; row++)
            {
                assertThat(read.timestampNs(row)).isEqualTo(round % 2 == 0 ? 5L * row : 1_000L * round + row);
                for (int column = 0; column < rows[row].length; column++)
                {
                    assertThat(read.value(column, row)).as("seed=" + seed + " row=" + row + " column=" + column)
                        .isEqualTo(rows[row][column]);
                }
            }
        }
    }

    @Test
    void shouldWriteStringsOfAJournalAsWordsUnlessOneIsLonger()
    {
        final String[] shortOnes = {"a", null, "12345678", "\u00fc\u20ac", "\0b", null};
        final int bytes = shouldReadTexts(shortOnes);
        assertThat(shouldReadTexts("a", null, "1234567890", "\u00fc\u20ac", "\0b", null)).isNotEqualTo(bytes);
        assertThat(shouldReadTexts("x", "y", "z", "\u00fc", "\0b", "12345678")).isEqualTo(bytes);
        assertThat(shouldReadTexts("a", null, "12345678", "\u00fc\u20ac", "b\0", null)).as("a 0 at the end")
            .isNotEqualTo(bytes);
    }

    private int shouldReadTexts(final String... texts)
    {
        final EventBatch batch = new EventBatch(here);
        batch.size(texts.length);
        for (int row = 0; row < texts.length; row++)
        {
            final byte[] utf8 = texts[row] == null ? new byte[0] : texts[row].getBytes(StandardCharsets.UTF_8);
            batch.texts(5).set(row, utf8, 0, utf8.length);
        }
        final ByteBuffer bytes =
            RowEncoder.forJournal(here, column -> column == 5).encode(batch, ByteBuffer.allocate(16)).flip();
        final EventBatch read = RowDecoder.forJournal(there, column -> column == 5).decode(bytes);
        assertThat(bytes.remaining()).isZero();
        for (int row = 0; row < texts.length; row++)
        {
            assertThat(read.value(5, row)).as("row " + row).isEqualTo(texts[row]);
        }
        return bytes.limit();
    }

    private static byte[] kinds(final EventBatch batch)
    {
        if (!batch.hasKinds())
        {
            Arrays.fill(batch.useKinds(), EventBatch.INSERT);
        }
        return batch.kinds();
    }

    private int travel(final RowEncoder encoder, final RowDecoder decoder, final EventBatch batch, final String text)
    {
        batch.clear();
        batch.size(1);
        batch.texts(5).set(0, text);
        final ByteBuffer bytes = encoder.encode(batch, ByteBuffer.allocate(16));
        assertThat(decoder.decode(bytes.flip()).value(5, 0)).isEqualTo(text);
        return bytes.limit();
    }

    @Test
    void shouldSendNoMoreThanANumberForAStringThatComesAgainAndAgain()
    {
        final RowEncoder encoder = new RowEncoder(here, false);
        final RowDecoder decoder = new RowDecoder(there);
        final EventBatch batch = new EventBatch(here);
        final String text = "a string that takes some room".repeat(5);
        final int first = travel(encoder, decoder, batch, text);
        assertThat(travel(encoder, decoder, batch, text)).as("gets its number").isEqualTo(first);
        assertThat(first - travel(encoder, decoder, batch, text)).isEqualTo(text.length() + Integer.BYTES);
        final String longer = text.repeat(3);
        assertThat(travel(encoder, decoder, batch, longer)).isEqualTo(travel(encoder, decoder, batch, longer))
            .isEqualTo(travel(encoder, decoder, batch, longer)).isGreaterThan(longer.length());
    }

    @Test
    void shouldKeepNothingOfStringsThatNeverRepeat()
    {
        final RowEncoder encoder = new RowEncoder(here, false);
        final RowDecoder decoder = new RowDecoder(there);
        final EventBatch batch = new EventBatch(here);
        for (int i = 0; i < 100_000; i++)
        {
            travel(encoder, decoder, batch, "order-" + i);
        }
        final int plain = travel(encoder, decoder, batch, "order-000001");
        assertThat(travel(encoder, decoder, batch, "order-000001")).as("seen for the second time").isEqualTo(plain);
        assertThat(travel(encoder, decoder, batch, "order-000001")).isLessThan(plain);
    }

    @Test
    void shouldGiveTheOldestNumberAwayWhenAllAreTaken()
    {
        final KnownStrings known = new KnownStrings(3);
        final EventBatch batch = new EventBatch(here);
        final List<Integer> numbers = new ArrayList<>();
        for (final String text : List.of("a", "b", "c", "d", "a", "d", "b"))
        {
            batch.texts(5).set(0, text);
            int number = known.numberOf(batch.texts(5), 0);
            while (number < 0)
            {
                number = known.numberOf(batch.texts(5), 0);
            }
            numbers.add(number);
        }
        assertThat(numbers).containsExactly(1, 2, 3, 1, 2, 1, 3);
    }

    @Test
    void shouldReadStringsWhoseNumbersChangeWithinABatch()
    {
        final long seed = Long.getLong("seed", 20_261_127L);
        final Random random = new Random(seed);
        final RowEncoder encoder = new RowEncoder(here, false);
        final RowDecoder decoder = new RowDecoder(there);
        final EventBatch batch = new EventBatch(here);
        final int strings = KnownStrings.MOST + 20_000;
        final String[] texts = new String[EventBatch.CAPACITY];
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        for (int from = 0; from < 2 * strings; from += texts.length / 4)
        {
            final int first = from;
            Arrays.setAll(texts, i -> "s" + (first + (i % 4 == 0 ? -random.nextInt(50) : i / 4)) % strings);
            batch.clear();
            batch.size(texts.length);
            for (int row = 0; row < texts.length; row++)
            {
                batch.texts(5).set(row, texts[row]);
            }
            bytes.clear();
            bytes = encoder.encode(batch, bytes);
            final EventBatch read = decoder.decode(bytes.flip());
            for (int row = 0; row < texts.length; row++)
            {
                if (!texts[row].equals(read.texts(5).string(row)))
                {
                    throw new AssertionError("seed=" + seed + " from=" + from + " row=" + row + " " + texts[row] +
                        " was read as " + read.texts(5).string(row));
                }
            }
        }
    }

    @Test
    void shouldRefuseBytesThatAreNoRows()
    {
        final EventBatch batch = new EventBatch(here);
        fill(batch, new Object[][] {row(new Random(1))});
        final ByteBuffer bytes = new RowEncoder(here, false).encode(batch, ByteBuffer.allocate(64)).flip();
        for (int length = 0; length < bytes.limit(); length++)
        {
            final ByteBuffer cut = bytes.duplicate().limit(length);
            assertThatThrownBy(() -> new RowDecoder(there).decode(cut)).isInstanceOfAny(
                BufferUnderflowException.class, IllegalArgumentException.class, IndexOutOfBoundsException.class);
        }
    }

    @Test
    void shouldFindOnePartitionForAValueWhateverItsBatch()
    {
        final BatchSchema other = new BatchSchema(ALL);
        final EventBatch one = new EventBatch(here);
        final EventBatch two = new EventBatch(other);
        final Object[][] rows = new Object[EventBatch.CAPACITY][];
        final Random random = new Random(7);
        Arrays.setAll(rows, i -> row(random));
        fill(one, rows);
        fill(two, rows);
        for (int column = 0; column < 7; column++)
        {
            final short[] first = new short[EventBatch.CAPACITY];
            final short[] second = new short[EventBatch.CAPACITY];
            new PartitionHash(here, column).partitions(one, first);
            new PartitionHash(other, column).partitions(two, second);
            assertThat(first).containsExactly(second);
        }
        assertThat(PartitionHash.partition(PartitionHash.hash("ORCL".getBytes())))
            .as("never changes: members of different versions agree").isEqualTo((short)ORCL_PARTITION);
    }

    /** SplitMix64 of FNV-1a of the four bytes, computed independently of this program. */
    private static final int ORCL_PARTITION = 328;

    @Test
    void shouldSplitRowsByTheirOwners()
    {
        final EventBatch batch = new EventBatch(here);
        final Object[][] rows = new Object[EventBatch.CAPACITY][];
        Arrays.setAll(rows, i -> new Object[] {i, 1L, 1F, 1.0, true, "s" + i % 50, 1L, null, null, null});
        fill(batch, rows);
        final short[] ownerOf = new short[PartitionHash.PARTITIONS];
        for (int i = 0; i < ownerOf.length; i++)
        {
            ownerOf[i] = (short)(i % 3);
        }
        final RowSplitter splitter = new RowSplitter(here, 5);
        assertThat(splitter.split(batch, ownerOf, 3, 1)).isFalse();
        final List<Object> seen = new ArrayList<>();
        for (int owner = 0; owner < 3; owner++)
        {
            final EventBatch part = splitter.batch(batch, owner);
            assertThat(part.size()).isEqualTo(splitter.count(owner)).isPositive();
            int last = -1;
            for (int row = 0; row < part.size(); row++)
            {
                final String symbol = (String)part.value(5, row);
                assertThat(PartitionHash.partition(PartitionHash.hash(symbol.getBytes())) % 3).isEqualTo(owner);
                assertThat((Integer)part.value(0, row)).as("in order").isGreaterThan(last);
                last = (Integer)part.value(0, row);
                seen.add(last);
            }
        }
        assertThat(seen).hasSize(EventBatch.CAPACITY).doesNotHaveDuplicates();
        assertThat(splitter.split(batch, new short[PartitionHash.PARTITIONS], 3, 0)).as("all of one").isTrue();
    }
}

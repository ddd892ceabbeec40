package dev.millrace.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.string.StringTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strings in a ring, in every representation that a column may have. */
@Timeout(60)
class CharColumnRingTest
{
    private static final EventType TYPE = EventType.tuple("Row", new EventProperty("name", CqlType.CHAR));
    private static final int PLACES = 64;
    private static final int MOST = 20;
    private static final int ROUNDS = 20_000;
    private static final String[] TEXTS = {null, "a", "IBM", "eight by", "nine bytes", "a\0", "Zürich", "x".repeat(40),
        "y".repeat(1_500), "\0"};

    private final Random random = new Random(Long.getLong("seed", 20_261_127L));
    private final StringTable table = new StringTable(StringTable.Lifetime.HELD, 1 << 10);
    private final CharColumnRing ring = new CharColumnRing(PLACES);
    private final EventBatch from = new EventBatch(new BatchSchema(TYPE));
    private final EventBatch same = new EventBatch(new BatchSchema(TYPE));
    private final EventBatch other = new EventBatch(new BatchSchema(TYPE));

    /** Fills a column, with a different representation for each form; returns the strings. */
    private List<String> fill(final int count)
    {
        from.clear();
        final CharColumn texts = from.texts(0);
        final List<String> written = new ArrayList<>();
        final int form = random.nextInt(4);
        final boolean areShort = random.nextBoolean();
        for (int row = 0; row < count; row++)
        {
            final String text = TEXTS[random.nextInt(areShort ? 4 : TEXTS.length)];
            written.add(text);
            if (form == 0)
            {
                texts.setCode(row, table, table.code(text));
            }
            else if (form == 1)
            {
                texts.set(row, text);
            }
            else
            {
                final byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
                texts.set(row, bytes, 0, bytes.length);
            }
        }
        return written;
    }

    @Test
    void shouldGiveTheStringsThatWerePutWhateverTheFormsOfBothColumns()
    {
        System.out.println("seed=" + Long.getLong("seed", 20_261_127L));
        int start = 0;
        for (int round = 0; round < ROUNDS; round++)
        {
            final EventBatch to = random.nextBoolean() ? same : other;
            to.clear();
            final List<String> expected = new ArrayList<>();
            for (int part = random.nextInt(2); part >= 0; part--)
            {
                final int count = 1 + random.nextInt(MOST);
                final List<String> written = fill(count);
                final int[] selection = IntStream.range(0, count).filter(row -> random.nextInt(3) > 0).toArray();
                final boolean isSelected = random.nextBoolean() && selection.length > 0;
                final int first = random.nextInt(isSelected ? selection.length : count);
                final int size = (isSelected ? selection.length : count) - first;
                ring.put(from.texts(0), isSelected ? selection : null, first, size, start);
                final int straight = Math.min(size, PLACES - start);
                ring.take(start, straight, to.texts(0), expected.size());
                ring.take(0, size - straight, to.texts(0), expected.size() + straight);
                start = (start + size) % PLACES;
                IntStream.range(first, first + size)
                    .forEach(i -> expected.add(written.get(isSelected ? selection[i] : i)));
            }
            to.size(expected.size());
            final List<String> got =
                IntStream.range(0, expected.size()).mapToObj(row -> to.texts(0).string(row)).toList();
            assertThat(got).as("round %d", round).isEqualTo(expected);
        }
    }

    @Test
    void shouldCountWhatLongerStringsTakeAndKeepNoneThatIsVeryLong()
    {
        final CharColumn texts = from.texts(0);
        texts.set(0, "y".repeat(1_500).getBytes(StandardCharsets.UTF_8), 0, 1_500);
        texts.set(1, "x".repeat(40).getBytes(StandardCharsets.UTF_8), 0, 40);
        texts.set(2, "abc".getBytes(StandardCharsets.UTF_8), 0, 3);
        ring.put(texts, null, 0, 3, 0);
        assertThat(ring.textBytes()).isEqualTo(1_504 + 48);
        ring.take(0, 3, other.texts(0), 0);
        assertThat(ring.textBytes()).isEqualTo(48);
        ring.put(texts, null, 1, 1, 1);
        assertThat(ring.textBytes()).isEqualTo(48);
    }
}

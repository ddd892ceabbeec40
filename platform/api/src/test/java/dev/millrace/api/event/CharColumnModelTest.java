package dev.millrace.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.string.StringTable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two columns are written by all methods, in random order, and compared with arrays of strings. */
@Timeout(60)
class CharColumnModelTest
{
    private static final int ROWS = EventBatch.CAPACITY;

    private final StringTable[] tables =
        {new StringTable(StringTable.Lifetime.HELD, 1 << 20), new StringTable(StringTable.Lifetime.HELD, 1 << 20)};
    private final int unknown = Math.max(tables[0].literal("none"), tables[1].literal("none"));
    private final CharColumn[] columns = {new CharColumn(), new CharColumn()};
    private final String[][] expected = new String[2][ROWS];
    private final int[] sizes = new int[2];
    private Random random;

    private String text()
    {
        final int kind = random.nextInt(12);
        final String number = Integer.toString(random.nextInt(60));
        return switch (kind)
        {
            case 0 -> null;
            case 1 -> "";
            case 2, 3 -> "a string of more than eight bytes " + number;
            case 4 -> "Zürich " + number;
            case 5 -> number + "\0";
            case 6 -> number.repeat(700);
            default -> number;
        };
    }

    private static String orNull(final String text)
    {
        return text == null || text.isEmpty() ? null : text;
    }

    private void write(final int column)
    {
        final String text = text();
        final int row = sizes[column]++;
        expected[column][row] = orNull(text);
        if (random.nextBoolean())
        {
            columns[column].set(row, text);
            return;
        }
        if (random.nextInt(3) == 0)
        {
            columns[column].setCode(row, tables[random.nextInt(2)], 0);
            final StringTable table = tables[random.nextInt(2)];
            columns[column].setCode(row, table, table.code(text));
            return;
        }
        final byte[] bytes = ("??" + (text == null ? "" : text)).getBytes(StandardCharsets.UTF_8);
        columns[column].set(row, bytes, 2, bytes.length - 2);
    }

    private void copy(final int column)
    {
        final int from = 1 - column;
        final int room = ROWS - sizes[column];
        if (sizes[from] == 0)
        {
            return;
        }
        final int first = random.nextInt(sizes[from]);
        final int[] selection = IntStream.range(first, sizes[from]).filter(row -> random.nextInt(3) > 0)
            .limit(Math.min(room, 20)).toArray();
        if (random.nextInt(3) == 0 && sizes[column] == 0)
        {
            columns[column].show(columns[from], selection, selection.length);
        }
        else if (random.nextBoolean())
        {
            columns[column].copySelected(columns[from], selection, 0, sizes[column], selection.length);
        }
        else
        {
            Arrays.setAll(selection, i -> first + i);
            columns[column].copyRows(columns[from], first, sizes[column], selection.length);
        }
        for (final int row : selection)
        {
            expected[column][sizes[column]++] = expected[from][row];
        }
        check(column);
        if (sizes[column] == selection.length)
        {
            // A column that shows another one may be written only after it was cleared.
            clear(column);
        }
    }

    private void clear(final int column)
    {
        columns[column].clear();
        sizes[column] = 0;
    }

    private void check(final int column)
    {
        final CharColumn texts = columns[column];
        final StringTable table = tables[column];
        final int before = table.size();
        final int[] known = new int[ROWS];
        texts.find(table, sizes[column], unknown, known);
        assertThat(table.size()).isEqualTo(before);
        final byte[] bytes = new byte[2_000];
        for (int row = 0; row < sizes[column]; row++)
        {
            final String text = expected[column][row];
            assertThat(texts.string(row)).isEqualTo(text);
            assertThat(texts.isNull(row)).isEqualTo(text == null);
            final int length = texts.copy(row, bytes, 3);
            assertThat(texts.length(row)).isEqualTo(length);
            assertThat(new String(bytes, 3, length, StandardCharsets.UTF_8)).isEqualTo(text == null ? "" : text);
            if (text == null)
            {
                assertThat(known[row]).isZero();
            }
            else if (known[row] != unknown)
            {
                assertThat(table.string(known[row])).isEqualTo(text);
            }
        }
    }

    private void checkCodes(final int column)
    {
        final int[] codes = new int[ROWS];
        assertThat(columns[column].codes(tables[column], null, sizes[column], codes)).isTrue();
        for (int row = 0; row < sizes[column]; row++)
        {
            assertThat(tables[column].string(codes[row])).isEqualTo(expected[column][row]);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldGiveBackWhatWasWrittenHoweverItWasWritten(final long seed)
    {
        final long used = Long.getLong("seed", seed);
        System.out.println("seed=" + used);
        random = new Random(used);
        for (int step = 0; step < 6_000; step++)
        {
            final int column = random.nextInt(2);
            final int what = random.nextInt(100);
            if (sizes[column] == ROWS || what == 0)
            {
                clear(column);
            }
            else if (what < 6)
            {
                copy(column);
            }
            else if (what < 10)
            {
                checkCodes(column);
            }
            else if (what < 14)
            {
                check(column);
            }
            else
            {
                write(column);
            }
        }
        check(0);
        check(1);
    }

    @Test
    void shouldCopyBytesSoThatTheOtherColumnMayBeFilledAnew()
    {
        random = new Random(1);
        final byte[] first = "the first of two long texts".getBytes(StandardCharsets.UTF_8);
        final byte[] second = "the other of two long texts".getBytes(StandardCharsets.UTF_8);
        columns[0].set(0, first, 0, first.length);
        columns[1].copyRow(columns[0], 0, 0);
        columns[0].clear();
        columns[0].set(0, second, 0, second.length);
        columns[1].copyRow(columns[0], 0, 1);
        assertThat(columns[1].string(0)).isEqualTo("the first of two long texts");
        assertThat(columns[1].string(1)).isEqualTo("the other of two long texts");
    }
}

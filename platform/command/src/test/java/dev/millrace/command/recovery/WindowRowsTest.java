package dev.millrace.command.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The rows that are kept in step with the input, compared with definitions that read the whole input for each row. */
@Timeout(60)
class WindowRowsTest
{
    private static final int INPUT = 1_500;

    @TempDir
    private Path directory;

    /** A row of the input. */
    private record Row(long number, String symbol, double price)
    {
    }

    private List<Row> input() throws Exception
    {
        final List<String> lines = Files.readAllLines(new WindowRows().write(directory.resolve("rows.csv")));
        assertThat(lines).hasSize(WindowRows.ROWS);
        return IntStream.range(0, INPUT).mapToObj(i -> lines.get(i).split(",")).map(fields ->
            new Row(WindowRows.ROWS + Long.parseLong(fields[0]), fields[1], Double.parseDouble(fields[2]))).toList();
    }

    private static String text(final String rule, final String symbol, final double... values)
    {
        return rule + ' ' + symbol + ' ' + values[0] + ' ' + values[1] + ' ' + values[2];
    }

    private static List<String> of(final List<Row> input, final int at)
    {
        final Row row = input.get(at);
        final List<Row> own = input.subList(0, at + 1).stream().filter(each -> each.symbol().equals(row.symbol()))
            .toList();
        final List<String> expected = new ArrayList<>();
        expected.add(range(input, at, row.symbol()));
        if (at >= WindowRows.RANGE && !input.get(at - WindowRows.RANGE).symbol().equals(row.symbol()))
        {
            final String left = range(input, at, input.get(at - WindowRows.RANGE).symbol());
            if (left != null)
            {
                expected.add(left);
            }
        }
        final double[] last = own.subList(Math.max(0, own.size() - WindowRows.LAST), own.size()).stream()
            .mapToDouble(Row::price).toArray();
        expected.add(text("rows", row.symbol(), row.number(), Arrays.stream(last).sum(),
            Arrays.stream(last).min().orElseThrow()));
        expected.add(text("group", row.symbol(), row.number(), own.stream().mapToDouble(Row::price).sum(),
            own.size()));
        own.stream().filter(each -> each.price() > WindowRows.HIGH).reduce((first, second) -> second).ifPresent(high ->
            expected.add(text("join", row.symbol(), row.number(), row.price(), high.price())));
        if (own.size() > 2)
        {
            final Row first = own.get(own.size() - 3);
            final Row second = own.get(own.size() - 2);
            if (first.price() < second.price() && second.price() < row.price() &&
                row.number() - first.number() < WindowRows.WITHIN)
            {
                expected.add(text("rise", row.symbol(), row.number(), row.price(), first.price()));
            }
        }
        return expected;
    }

    /** The group of a symbol in the time window; {@code null} if it is empty. */
    private static String range(final List<Row> input, final int at, final String symbol)
    {
        final List<Row> rows = input.subList(Math.max(0, at + 1 - WindowRows.RANGE), at + 1).stream()
            .filter(each -> each.symbol().equals(symbol)).toList();
        return rows.isEmpty() ? null : text("window", symbol, rows.get(rows.size() - 1).number(),
            rows.stream().mapToDouble(Row::price).sum(), rows.size());
    }

    @Test
    void shouldEmitTheRowsOfEachDefinition() throws Exception
    {
        final List<Row> input = input();
        final WindowRows rows = new WindowRows();
        int rises = 0;
        for (int i = 0; i < INPUT; i++)
        {
            final List<String> emitted = new ArrayList<>();
            rows.advance(0, i + 1, (key, values) ->
                emitted.add(key + ' ' + values[0] + ' ' + values[1] + ' ' + values[2]));
            assertThat(emitted).as("row %d", i).containsExactlyElementsOf(of(input, i));
            rises += emitted.stream().anyMatch(row -> row.startsWith("rise")) ? 1 : 0;
        }
        assertThat(rises).isBetween(50, INPUT / 4);
    }

    @Test
    void shouldContinueNumbersWhenTheInputIsRepeated()
    {
        final List<Double> numbers = new ArrayList<>();
        new WindowRows().advance(0, 2 * WindowRows.ROWS + 1, (key, values) ->
        {
            if (key.startsWith("group"))
            {
                numbers.add(values[0]);
            }
        });
        assertThat(numbers).hasSize(2 * WindowRows.ROWS + 1).isSorted().doesNotHaveDuplicates()
            .endsWith(3.0 * WindowRows.ROWS);
    }
}

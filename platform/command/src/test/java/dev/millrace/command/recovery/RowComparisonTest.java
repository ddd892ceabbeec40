package dev.millrace.command.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RowComparisonTest
{
    private static final int ROWS = 3_000;
    private static final String KEY = "rule S1";

    private final RowComparison comparison = new RowComparison();

    /** The same rows follow again, as when the input is repeated. */
    private static double[] row(final int number)
    {
        return new double[] {number % 1_000, number % 1_000 / 4.0};
    }

    private void expectAll()
    {
        for (int i = 0; i < ROWS; i++)
        {
            comparison.expect(KEY, row(i));
        }
    }

    private void assertDifferences(final long missing, final long doubled, final long wrong)
    {
        comparison.end();
        assertThat(comparison.missing()).as("missing, %s", comparison.examples()).isEqualTo(missing);
        assertThat(comparison.doubled()).as("doubled, %s", comparison.examples()).isEqualTo(doubled);
        assertThat(comparison.wrong()).as("wrong, %s", comparison.examples()).isEqualTo(wrong);
        assertThat(comparison.isAhead()).isFalse();
        assertThat(comparison.isBehind()).isFalse();
    }

    @Test
    void shouldFindNoDifferenceBetweenEqualRowsOfManyKeysInAnyAlternation()
    {
        final Random random = new Random(20_261_129);
        final int[] expected = new int[5];
        final int[] delivered = new int[5];
        for (int left = 2 * 5 * ROWS; left > 0;)
        {
            final int key = random.nextInt(5);
            final boolean isExpected = random.nextBoolean();
            final int[] numbers = isExpected ? expected : delivered;
            if (numbers[key] < ROWS)
            {
                final double[] row = row(numbers[key]++);
                left--;
                if (isExpected)
                {
                    comparison.expect("S" + key, row);
                }
                else
                {
                    comparison.deliver("S" + key, row);
                }
            }
        }
        assertThat(comparison.expected()).isEqualTo(5 * ROWS);
        assertThat(comparison.delivered()).isEqualTo(5 * ROWS);
        assertDifferences(0, 0, 0);
    }

    @Test
    void shouldCountMissingRows()
    {
        expectAll();
        for (int i = 0; i < ROWS; i++)
        {
            if (i != 0 && i != 700 && i != 701 && i != ROWS - 1)
            {
                comparison.deliver(KEY, row(i));
            }
        }
        assertDifferences(4, 0, 0);
    }

    @Test
    void shouldCountDoubledRowsWhetherAtOnceOrLater()
    {
        expectAll();
        for (int i = 0; i < ROWS; i++)
        {
            comparison.deliver(KEY, row(i));
            if (i == 10 || i == ROWS - 1)
            {
                comparison.deliver(KEY, row(i));
            }
            if (i == 900)
            {
                comparison.deliver(KEY, row(898));
                comparison.deliver(KEY, row(899));
                comparison.deliver(KEY, row(900));
            }
        }
        assertDifferences(0, 5, 0);
    }

    @Test
    void shouldCountWrongRows()
    {
        expectAll();
        for (int i = 0; i < ROWS; i++)
        {
            comparison.deliver(KEY, i == 5 || i == 2_500 ? new double[] {i, -1} : row(i));
        }
        comparison.deliver("another key", 1, 2);
        assertDifferences(0, 0, 3);
    }

    @Test
    void shouldCountEachKindWhenAllOccurTogether()
    {
        expectAll();
        for (int i = 0; i < ROWS; i++)
        {
            if (i != 100)
            {
                comparison.deliver(KEY, i == 1_500 ? new double[] {Double.NaN, 0} : row(i));
            }
            if (i == 2_200)
            {
                comparison.deliver(KEY, row(i));
            }
        }
        assertDifferences(1, 1, 1);
        assertThat(comparison.examples()).hasSize(3).anyMatch(text -> text.startsWith("missing rule S1 [100.0, 25.0]"));
    }

    @Test
    void shouldCountEverythingAsMissingWhenNothingIsStored()
    {
        expectAll();
        assertThat(comparison.isBehind()).isTrue();
        assertDifferences(ROWS, 0, 0);
    }
}

package dev.millrace.command.recovery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

/**
 * The input of the windows workload, and the rows that its rules must emit. Row k of the input, counted from 0, has the
 * number {@code ROWS + k}, and its time is that number of milliseconds, so that windows depend on the input alone.
 * Prices are multiples of a quarter: sums are exact in any order.
 */
final class WindowRows implements ExpectedRows
{
    /** Number of distinct input rows; then the first one follows again. */
    static final int ROWS = 20_000;
    /** Prices above it are joined. */
    static final double HIGH = 125;
    /** Milliseconds of the time window. */
    static final int RANGE = 100;
    /** Rows per symbol of the window that counts rows. */
    static final int LAST = 5;
    /** Milliseconds in which three rows of a symbol must rise. */
    static final int WITHIN = 60;

    private static final int SYMBOLS = 20;
    private static final long SEED = 20_261_129L;

    private final int[] symbols = new int[ROWS];
    private final double[] prices = new double[ROWS];
    private final Symbol[] states = new Symbol[SYMBOLS];
    private long done;

    /** State of a symbol. */
    private static final class Symbol
    {
        private final String name;
        /** Number and price of each row in the time window. */
        private final Deque<double[]> range = new ArrayDeque<>();
        private final Deque<Double> last = new ArrayDeque<>();
        private double rangeSum;
        private double high = Double.NaN;
        private double sum;
        private double count;
        /** Number and price of the two rows before. */
        private double[] before = {Double.NaN, Double.NaN};
        private double[] first = {Double.NaN, Double.NaN};

        Symbol(final String name)
        {
            this.name = name;
        }

        void enter(final double number, final double price)
        {
            range.addLast(new double[] {number, price});
            rangeSum += price;
        }

        void leave()
        {
            rangeSum -= range.removeFirst()[1];
        }

        void emitRange(final Receiver to)
        {
            if (!range.isEmpty())
            {
                to.row("window " + name, range.getLast()[0], rangeSum, range.size());
            }
        }

        void row(final double number, final double price, final Receiver to)
        {
            last.addLast(price);
            if (last.size() > LAST)
            {
                last.removeFirst();
            }
            to.row("rows " + name, number, last.stream().mapToDouble(Double::doubleValue).sum(),
                last.stream().mapToDouble(Double::doubleValue).min().orElseThrow());
            sum += price;
            count++;
            to.row("group " + name, number, sum, count);
            high = price > HIGH ? price : high;
            if (!Double.isNaN(high))
            {
                to.row("join " + name, number, price, high);
            }
            if (price > before[1] && before[1] > first[1] && number - first[0] < WITHIN)
            {
                to.row("rise " + name, number, price, first[1]);
            }
            first = before;
            before = new double[] {number, price};
        }
    }

    WindowRows()
    {
        final Random random = new Random(SEED);
        for (int i = 0; i < ROWS; i++)
        {
            symbols[i] = random.nextInt(SYMBOLS);
            prices[i] = 100 + 0.25 * random.nextInt(200);
        }
        for (int i = 0; i < SYMBOLS; i++)
        {
            states[i] = new Symbol("S" + i);
        }
    }

    /** Writes the input for the load generator. */
    Path write(final Path file) throws IOException
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < ROWS; i++)
        {
            text.append(i).append(",S").append(symbols[i]).append(',').append(prices[i]).append('\n');
        }
        return Files.writeString(file, text);
    }

    @Override
    public void advance(final int connection, final long rows, final Receiver to)
    {
        for (; done < rows; done++)
        {
            final Symbol entering = states[symbols[(int)(done % ROWS)]];
            final double price = prices[(int)(done % ROWS)];
            final double number = ROWS + done;
            final Symbol leaving = done < RANGE ? null : states[symbols[(int)((done - RANGE) % ROWS)]];
            if (leaving != null)
            {
                leaving.leave();
            }
            entering.enter(number, price);
            entering.emitRange(to);
            if (leaving != null && leaving != entering)
            {
                leaving.emitRange(to);
            }
            entering.row(number, price, to);
        }
    }
}

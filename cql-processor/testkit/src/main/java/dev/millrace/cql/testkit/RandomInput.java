package dev.millrace.cql.testkit;

import dev.millrace.cql.testkit.interpreter.Interpreter;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/** Random arrivals for inputs with the generated columns. */
final class RandomInput
{
    private static final long MILLISECOND = 1_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final long DAY_ONE = 1_700_000_000L;
    private static final int[] STEPS = {0, 0, 250, 500, 750, 1000, 1000, 1500, 2000, 3000};
    private static final Double[] DOUBLES = {null, 0.25, 0.5, 1.75, 3.0};
    private static final Double[] SPECIAL =
        {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, -3.5};
    private static final Float[] FLOATS = {null, -0.5f, 0.0f, 0.25f, 1.5f, 2.0f};
    private static final Long[] LONGS = {null, -1L, 0L, 1L, 2L, 3L, 5L, 10_000_000_000L};
    private static final String[] DECIMALS = {null, "-1.5", "0", "0.1", "1", "2.50", "2.5"};
    private static final String[] TEXTS = {null, "a", "a", "b", "ab"};

    private final Random random;
    private final boolean totalOrder;
    /** Whether most strings occur once. */
    private final boolean unique;
    private int strings;

    RandomInput(final Random random)
    {
        this(random, false, false);
    }

    RandomInput(final Random random, final boolean totalOrder, final boolean unique)
    {
        this.random = random;
        this.totalOrder = totalOrder;
        this.unique = unique;
    }

    List<Interpreter.Arrival> make(final List<Interpreter.Input> inputs)
    {
        final int rows = 4 + random.nextInt(12);
        final boolean ends = random.nextInt(10) < 7;
        final List<List<Interpreter.Arrival>> all = new ArrayList<>();
        long last = 0;
        for (final Interpreter.Input input : inputs)
        {
            final List<Interpreter.Arrival> one = one(input, Math.max(2, rows / inputs.size() + random.nextInt(3)));
            last = Math.max(last, one.get(one.size() - 1).timeNs());
            all.add(one);
        }
        if (ends)
        {
            for (int i = 0; i < inputs.size(); i++)
            {
                all.get(i).add(heartbeat(last + 30_137 * MILLISECOND, inputs.get(i).name()));
            }
        }
        return random.nextInt(4) == 0 ? interleave(all) : merge(all);
    }

    private static Interpreter.Arrival heartbeat(final long timeNs, final String input)
    {
        return new Interpreter.Arrival(timeNs, input, 'h', new Object[0]);
    }

    /** Merges in order of time. */
    private static List<Interpreter.Arrival> merge(final List<List<Interpreter.Arrival>> all)
    {
        final List<Interpreter.Arrival> merged = new ArrayList<>();
        all.forEach(merged::addAll);
        merged.sort(Comparator.comparingLong(Interpreter.Arrival::timeNs));
        return merged;
    }

    /** Merges in random order between inputs. */
    private List<Interpreter.Arrival> interleave(final List<List<Interpreter.Arrival>> all)
    {
        final List<List<Interpreter.Arrival>> rest = new ArrayList<>();
        all.forEach(one -> rest.add(new ArrayList<>(one)));
        final List<Interpreter.Arrival> merged = new ArrayList<>();
        while (!rest.isEmpty())
        {
            final List<Interpreter.Arrival> one = rest.get(random.nextInt(rest.size()));
            merged.add(one.remove(0));
            rest.removeIf(List::isEmpty);
        }
        return merged;
    }

    private List<Interpreter.Arrival> one(final Interpreter.Input input, final int rows)
    {
        final List<Interpreter.Arrival> arrivals = new ArrayList<>();
        final List<Object[]> present = new ArrayList<>();
        final boolean ties = !totalOrder && random.nextInt(3) > 0;
        long time = random.nextInt(4) * 500L;
        int rising = 0;
        for (int i = 0; i < rows; i++)
        {
            rising += random.nextInt(3);
            arrivals.add(change(input, time * MILLISECOND, row(input, rising), present));
            int step = STEPS[random.nextInt(STEPS.length)];
            step = step == 0 && !ties ? 250 : step;
            if (step > 0 && random.nextInt(6) == 0)
            {
                arrivals.add(heartbeat((time + random.nextInt(step)) * MILLISECOND, input.name()));
            }
            time += step;
        }
        return arrivals;
    }

    private Object[] row(final Interpreter.Input input, final int rising)
    {
        final Object[] row = new Object[input.columns().size()];
        for (int i = 0; i < row.length; i++)
        {
            row[i] = value(input.columns().get(i), input.types().get(i), rising);
        }
        return row;
    }

    private Object value(final String column, final Type type, final int rising)
    {
        switch (type)
        {
            case INT:
                return column.equals("o") ? (Object)rising : column.equals("k") ? maybe(12, 1 + random.nextInt(3))
                    : maybe(16, random.nextInt(10));
            case DOUBLE:
                return random.nextInt(30) == 0 ? (Object)SPECIAL[random.nextInt(SPECIAL.length)]
                    : DOUBLES[random.nextInt(DOUBLES.length)];
            case FLOAT:
                return FLOATS[random.nextInt(FLOATS.length)];
            case BIGINT:
                return LONGS[random.nextInt(LONGS.length)];
            case BIGDECIMAL:
                final String text = DECIMALS[random.nextInt(DECIMALS.length)];
                return text == null ? null : new BigDecimal(text);
            case TIMESTAMP:
                return (DAY_ONE + rising) * SECOND;
            case INTERVAL:
                return maybe(5, (random.nextInt(5) - 1) * SECOND);
            case BOOLEAN:
                return maybe(4, random.nextBoolean());
            default:
                final int index = random.nextInt(TEXTS.length);
                return unique && index > 1 ? another() : TEXTS[index];
        }
    }

    /** A string that has not occurred, short or long. */
    private String another()
    {
        strings++;
        return (strings % 2 == 0 ? "a" : "b string that comes once, number ") + strings;
    }

    private Object maybe(final int nullOneIn, final Object value)
    {
        return random.nextInt(nullOneIn) == 0 ? null : value;
    }

    private Interpreter.Arrival change(final Interpreter.Input input, final long timeNs, final Object[] row,
        final List<Object[]> present)
    {
        if (!input.relation())
        {
            return new Interpreter.Arrival(timeNs, input.name(), '+', row);
        }
        final boolean keyed = !input.key().isEmpty();
        row[0] = keyed && row[0] == null ? (Object)1 : row[0];
        if (!present.isEmpty() && random.nextInt(3) == 0)
        {
            return new Interpreter.Arrival(timeNs, input.name(), '-', present.remove(random.nextInt(present.size())));
        }
        for (int i = 0; keyed && i < present.size(); i++)
        {
            if (Objects.equals(present.get(i)[0], row[0]))
            {
                present.set(i, row);
                return new Interpreter.Arrival(timeNs, input.name(), 'U', row);
            }
        }
        if (!keyed && !present.isEmpty() && random.nextInt(4) == 0)
        {
            final Object[] again = present.get(random.nextInt(present.size()));
            present.add(again);
            return new Interpreter.Arrival(timeNs, input.name(), '+', again);
        }
        present.add(row);
        return new Interpreter.Arrival(timeNs, input.name(), '+', row);
    }
}

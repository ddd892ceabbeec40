package dev.millrace.adapter.loadgen.generator;

import dev.millrace.adapter.loadgen.generator.ColumnSpec.Argument;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Creates the generators of the columns of an event type. */
final class ColumnGenerators
{
    private static final int LETTERS = 26;
    private static final int DEFAULT_TEXT_LENGTH = 8;

    private final EventProperty property;
    private final int column;
    private final ColumnSpec spec;
    private final SplitMix64 random;

    private ColumnGenerators(
        final EventProperty property, final int column, final ColumnSpec spec, final long seed)
    {
        this.property = property;
        this.column = column;
        this.spec = spec;
        random = SplitMix64.ofColumn(seed, property.name());
    }

    /**
     * Creates the generators of all columns, in their order.
     *
     * @throws IllegalArgumentException with the fact, if a specification does not match its property
     */
    static List<ColumnGenerator> of(final EventType type, final List<ColumnSpec> specs, final long seed)
    {
        final Map<String, ColumnSpec> byName = specs.stream().collect(
            Collectors.toMap(ColumnSpec::name, Function.identity()));
        for (final ColumnSpec spec : specs)
        {
            if (type.indexOf(spec.name()) < 0)
            {
                throw new IllegalArgumentException("the event type has no such property, column=" + spec.name() +
                    " properties=" + type.properties().stream().map(EventProperty::name).toList());
            }
        }
        final List<ColumnGenerator> generators = new ArrayList<>();
        for (int column = 0; column < type.properties().size(); column++)
        {
            final EventProperty property = type.properties().get(column);
            final ColumnSpec spec = byName.getOrDefault(property.name(), byType(property));
            try
            {
                generators.add(new ColumnGenerators(property, column, spec, seed).create());
            }
            catch (final IllegalArgumentException e)
            {
                throw new IllegalArgumentException("column=" + property.name() + " type=" +
                    property.type().cqlName() + " function=" + spec.function() + " reason=" + e.getMessage(), e);
            }
        }
        return generators;
    }

    /** The specification of a property for which the assembly file has none. */
    private static ColumnSpec byType(final EventProperty property)
    {
        final String length = String.valueOf(Math.min(DEFAULT_TEXT_LENGTH, property.lengthChars()));
        return switch (property.type())
        {
            case INT, BIGINT -> ColumnSpec.of(property.name(), "uniform", "0", "999");
            case FLOAT, DOUBLE -> ColumnSpec.of(property.name(), "uniform", "0", "100");
            case BIGDECIMAL -> ColumnSpec.of(property.name(), "uniform", "0.00", "99.99");
            case INTERVAL -> ColumnSpec.of(property.name(), "uniform", "0", "1000000000");
            case BOOLEAN -> ColumnSpec.of(property.name(), "choice", "false", "true");
            case TIMESTAMP -> ColumnSpec.of(property.name(), "now");
            case CHAR -> ColumnSpec.of(property.name(), "text", length, length);
            default -> new ColumnSpec(property.name(), "constant", List.of(new Argument("null", false, 1)));
        };
    }

    private ColumnGenerator create()
    {
        if (!spec.function().equals("choice") && spec.arguments().stream().anyMatch(each -> each.weight() != 1))
        {
            throw new IllegalArgumentException("only choice has weights");
        }
        return switch (spec.function())
        {
            case "constant" ->
            {
                count(1, 1);
                yield choice();
            }
            case "choice" ->
            {
                count(1, Integer.MAX_VALUE);
                yield choice();
            }
            case "sequence", "uniform", "walk" -> numbers();
            case "text" -> text();
            case "now" -> now();
            default -> throw new IllegalArgumentException(
                "unknown function, functions=[constant, choice, sequence, uniform, walk, text, now]");
        };
    }

    private void count(final int least, final int most)
    {
        final int count = spec.arguments().size();
        if (count < least || count > most)
        {
            throw new IllegalArgumentException("wrong number of arguments, expected=" + (least == most ? "" + least :
                least + " to " + most) + " actual=" + count);
        }
    }

    private String argument(final int index)
    {
        return spec.arguments().get(index).text();
    }

    private ColumnGenerator choice()
    {
        final int count = spec.arguments().size();
        final Object[] values = new Object[count];
        final long[] ends = new long[count];
        long total = 0;
        for (int i = 0; i < count; i++)
        {
            final Argument argument = spec.arguments().get(i);
            values[i] = argument.isNull() ? null : ColumnValues.parse(property, argument.text());
            total += argument.weight();
            ends[i] = total;
        }
        if (count == 1)
        {
            return (batch, row, dueNs) -> batch.setValue(column, row, values[0]);
        }
        final long all = total;
        return (batch, row, dueNs) ->
        {
            // The first end that exceeds the number.
            final int found = Arrays.binarySearch(ends, random.below(all) + 1);
            batch.setValue(column, row, values[found < 0 ? -found - 1 : found]);
        };
    }

    private ColumnGenerator numbers()
    {
        return switch (property.type())
        {
            case FLOAT ->
            {
                final DoubleSupplier values = doubles();
                yield (batch, row, dueNs) -> batch.floats(column)[row] = (float)values.getAsDouble();
            }
            case DOUBLE ->
            {
                final DoubleSupplier values = doubles();
                yield (batch, row, dueNs) -> batch.doubles(column)[row] = values.getAsDouble();
            }
            case INT ->
            {
                final LongSupplier values = integers(each -> ((Integer)ColumnValues.parse(property, each)).longValue());
                yield (batch, row, dueNs) -> batch.ints(column)[row] = (int)values.getAsLong();
            }
            case BIGINT, INTERVAL, TIMESTAMP ->
            {
                final LongSupplier values = integers(each -> (Long)ColumnValues.parse(property, each));
                yield (batch, row, dueNs) -> batch.longs(column)[row] = values.getAsLong();
            }
            case BIGDECIMAL -> decimals();
            case CHAR -> numberedTexts();
            default -> throw new IllegalArgumentException("the type has no numbers");
        };
    }

    private int arguments()
    {
        switch (spec.function())
        {
            case "sequence" -> count(0, 2);
            case "uniform" -> count(2, 2);
            default -> count(4, 4);
        }
        return spec.arguments().size();
    }

    private DoubleSupplier doubles()
    {
        final double[] values = {0, 1, 0, 0};
        for (int i = arguments() - 1; i >= 0; i--)
        {
            values[i] = ((Number)ColumnValues.parse(property, argument(i))).doubleValue();
        }
        return NumberFunctions.doubles(spec.function(), values, random);
    }

    private LongSupplier integers(final Function<String, Long> parse)
    {
        final long[] values = {0, 1, 0, 0};
        for (int i = arguments() - 1; i >= 0; i--)
        {
            values[i] = parse.apply(argument(i));
        }
        return NumberFunctions.integers(spec.function(), values, random);
    }

    /** Decimals with the largest scale of the arguments. */
    private ColumnGenerator decimals()
    {
        arguments();
        final int scale = spec.arguments().stream().mapToInt(each ->
            ((BigDecimal)ColumnValues.parse(property, each.text())).scale()).max().orElse(0);
        final LongSupplier values = integers(each -> unscaled(each, scale));
        return (batch, row, dueNs) -> batch.references(column)[row] = BigDecimal.valueOf(values.getAsLong(), scale);
    }

    private static long unscaled(final String text, final int scale)
    {
        try
        {
            return new BigDecimal(text).setScale(scale).unscaledValue().longValueExact();
        }
        catch (final ArithmeticException e)
        {
            throw new IllegalArgumentException("the number has too many digits, value=" + text, e);
        }
    }

    /** A number after an optional prefix, which is the last argument: S1, S2, S3. */
    private ColumnGenerator numberedTexts()
    {
        if (spec.function().equals("walk"))
        {
            throw new IllegalArgumentException("the type has no numbers");
        }
        count(2, 3);
        final String prefix = spec.arguments().size() == 3 ? argument(2) : "";
        final long[] bounds = {whole(0), whole(1)};
        final LongSupplier values = NumberFunctions.integers(spec.function(), bounds, random);
        final int digits = spec.function().equals("uniform") ?
            Math.max(argument(0).length(), argument(1).length()) : Long.toString(Long.MIN_VALUE).length();
        if (prefix.length() + digits > property.lengthChars())
        {
            throw new IllegalArgumentException("values may become longer than the property, length=" +
                property.lengthChars());
        }
        return (batch, row, dueNs) -> batch.texts(column).set(row, prefix + values.getAsLong());
    }

    private long whole(final int index)
    {
        try
        {
            return Long.parseLong(argument(index));
        }
        catch (final NumberFormatException e)
        {
            throw new IllegalArgumentException("not an integer, value=" + argument(index), e);
        }
    }

    /** Lower-case letters. */
    private ColumnGenerator text()
    {
        if (property.type() != CqlType.CHAR)
        {
            throw new IllegalArgumentException("the type has no text");
        }
        count(2, 2);
        final long least = whole(0);
        final long most = whole(1);
        if (least < 1 || most < least || most > property.lengthChars())
        {
            throw new IllegalArgumentException("the lengths are not from 1 to the length of the property, length=" +
                property.lengthChars());
        }
        final byte[] letters = new byte[(int)most];
        return (batch, row, dueNs) ->
        {
            final int length = (int)(least + random.below(most - least + 1));
            for (int i = 0; i < length; i++)
            {
                letters[i] = (byte)('a' + random.below(LETTERS));
            }
            batch.texts(column).set(row, letters, 0, length);
        };
    }

    private ColumnGenerator now()
    {
        if (property.type() != CqlType.TIMESTAMP)
        {
            throw new IllegalArgumentException("the type has no time");
        }
        count(0, 0);
        return (batch, row, dueNs) -> batch.longs(column)[row] = dueNs;
    }
}

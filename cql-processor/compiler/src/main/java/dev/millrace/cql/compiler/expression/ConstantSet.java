package dev.millrace.cql.compiler.expression;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Expression;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The constants of an IN list as one searchable constant of the generated class.
 *
 * @param values    sorted long[] or double[], or a set
 * @param javaClass class of {@code values} in source text
 */
record ConstantSet(Object values, String javaClass)
{
    /**
     * The set of an IN list.
     *
     * @param arguments the value to find, then the candidates
     * @return {@code null} when a candidate is not a constant
     */
    static ConstantSet of(final List<Expression> arguments)
    {
        final List<Expression> candidates = arguments.subList(1, arguments.size());
        final CqlType type = arguments.get(0).type();
        if (!candidates.stream().allMatch(each ->
            each instanceof Expression.Literal literal && literal.value() != null && literal.type() == type))
        {
            return null;
        }
        final List<Object> values = candidates.stream().map(each -> ((Expression.Literal)each).value()).toList();
        return switch (type)
        {
            case INT, BIGINT, TIMESTAMP, INTERVAL -> new ConstantSet(
                values.stream().mapToLong(each -> ((Number)each).longValue()).sorted().toArray(), "long[]");
            case FLOAT, DOUBLE -> new ConstantSet(
                values.stream().mapToDouble(each -> ((Number)each).doubleValue() + 0.0).sorted().toArray(), "double[]");
            case BIGDECIMAL -> new ConstantSet(values.stream().map(BigDecimal.class::cast)
                .collect(Collectors.toCollection(TreeSet::new)), "java.util.Set");
            case CHAR -> new ConstantSet(Set.copyOf(values), "java.util.Set");
            default -> null;
        };
    }

    /**
     * Source text of the test.
     *
     * @param constant source text of the constant
     * @param value    source text of a value that is not null
     * @return Java condition; zeros are equal, NaN is in no list
     */
    String test(final String constant, final String value)
    {
        return switch (javaClass)
        {
            case "long[]" -> "java.util.Arrays.binarySearch(" + constant + ", (long) (" + value + ")) >= 0";
            case "double[]" -> "java.util.Arrays.binarySearch(" + constant + ", (double) (" + value + ") + 0.0) >= 0";
            default -> constant + ".contains(" + value + ')';
        };
    }
}

package dev.millrace.cql.planner.expression;

import dev.millrace.cql.language.types.NumericLiteral;
import java.math.BigDecimal;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.SqlTypeName;

/** Values of constants in statements. */
public final class Constants
{
    private Constants()
    {
    }

    /**
     * The value of a constant.
     *
     * @param node syntax tree of the expression
     * @return number of the constant's type, {@code Double} for a decimal without suffix, string, boolean, or
     *     nanoseconds of an interval; {@code null} if it is null or not a constant
     */
    public static Object value(final SqlNode node)
    {
        if (node instanceof NumericLiteral number)
        {
            return number(number);
        }
        if (node instanceof SqlLiteral literal)
        {
            return literal.getTypeName() == SqlTypeName.CHAR ? literal.toValue() :
                literal.getTypeName() == SqlTypeName.BOOLEAN ? literal.booleanValue() : null;
        }
        return null;
    }

    private static Object number(final NumericLiteral literal)
    {
        final BigDecimal number = literal.number();
        if (literal.cqlType() == null)
        {
            return number.doubleValue();
        }
        return switch (literal.cqlType())
        {
            case INT -> (Object)number.intValueExact();
            case BIGINT, INTERVAL, TIMESTAMP -> number.longValueExact();
            case FLOAT -> number.floatValue();
            case DOUBLE -> number.doubleValue();
            default -> number;
        };
    }
}

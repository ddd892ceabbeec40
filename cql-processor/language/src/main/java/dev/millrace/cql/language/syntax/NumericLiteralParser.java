package dev.millrace.cql.language.syntax;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.types.CqlOperator;
import dev.millrace.cql.language.types.NumericLiteral;
import java.math.BigDecimal;
import java.util.Locale;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Determines the type of numbers. */
final class NumericLiteralParser
{
    private NumericLiteralParser()
    {
    }

    static SqlNode number(final Token token, final boolean minus, final SqlParserPos signPosition)
    {
        final SqlParserPos position = TokenStream.span(signPosition, token.position());
        final char last = Character.toLowerCase(token.text().charAt(token.text().length() - 1));
        final boolean suffixed = Character.isLetter(last);
        final String digits = suffixed ? token.text().substring(0, token.text().length() - 1) : token.text();
        final int exponent = digits.toLowerCase(Locale.ROOT).indexOf('e');
        if (exponent >= 0 && digits.length() - exponent > 6)
        {
            throw new CqlRuleException(Message.NUMBER_OUT_OF_RANGE, position, token.text(), "double");
        }
        final BigDecimal magnitude = new BigDecimal(digits.endsWith(".") ? digits + "0" : digits);
        final BigDecimal value = minus ? magnitude.negate() : magnitude;
        final boolean whole = digits.indexOf('.') < 0 && exponent < 0;
        final CqlType type = typeOf(suffixed ? last : ' ', whole, value, position, token.text());
        if (minus && value.signum() == 0 && type != CqlType.INT && type != CqlType.BIGINT)
        {
            // A decimal has no negative zero; the sign is kept as an operation.
            return CqlOperator.NEGATE.createCall(position, new NumericLiteral(magnitude, type, position));
        }
        return new NumericLiteral(value, type, position);
    }

    private static CqlType typeOf(
        final char suffix, final boolean whole, final BigDecimal value, final SqlParserPos position, final String text)
    {
        if (suffix == 'f')
        {
            return inRange(Float.isFinite(value.floatValue()), CqlType.FLOAT, position, text);
        }
        if (suffix == 'd' || !whole && suffix == ' ')
        {
            inRange(Double.isFinite(value.doubleValue()), CqlType.DOUBLE, position, text);
            return suffix == 'd' ? CqlType.DOUBLE : null;
        }
        if (!whole)
        {
            throw new CqlRuleException(Message.BAD_NUMBER, position, text);
        }
        inRange(value.toBigInteger().bitLength() <= 63, CqlType.BIGINT, position, text);
        return suffix == 'l' || value.toBigInteger().bitLength() > 31 ? CqlType.BIGINT : CqlType.INT;
    }

    private static CqlType inRange(
        final boolean fits, final CqlType type, final SqlParserPos position, final String text)
    {
        if (!fits)
        {
            throw new CqlRuleException(Message.NUMBER_OUT_OF_RANGE, position, text, type.cqlName());
        }
        return type;
    }
}

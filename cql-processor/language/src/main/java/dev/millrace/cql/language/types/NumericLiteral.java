package dev.millrace.cql.language.types;

import dev.millrace.api.event.CqlType;
import java.math.BigDecimal;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/** A number in a statement, with the type that its suffix or size determines. Immutable. */
public final class NumericLiteral extends SqlNumericLiteral
{
    private final CqlType cqlType;

    /**
     * @param value    number
     * @param cqlType  its type; {@code null} for a decimal without suffix
     * @param position position
     */
    public NumericLiteral(final BigDecimal value, final CqlType cqlType, final SqlParserPos position)
    {
        super(value, null, null, true, position);
        this.cqlType = cqlType;
    }

    /** The number as written. */
    public BigDecimal number()
    {
        return bigDecimalValue();
    }

    /**
     * The type.
     *
     * @return {@code null} for a decimal without suffix
     */
    public CqlType cqlType()
    {
        return cqlType;
    }

    @Override
    public NumericLiteral clone(final SqlParserPos position)
    {
        return new NumericLiteral(number(), cqlType, position);
    }

    @Override
    public RelDataType createSqlType(final RelDataTypeFactory factory)
    {
        return cqlType == null ? factory.createSqlType(SqlTypeName.FLOAT) : CqlTypes.toCalcite(cqlType, false);
    }
}

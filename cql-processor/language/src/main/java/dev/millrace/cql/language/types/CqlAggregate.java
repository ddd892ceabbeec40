package dev.millrace.cql.language.types;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.Message;
import dev.millrace.cql.language.Refusal;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.util.Optionality;

/** An aggregate function with CQL's typing. Immutable. */
public final class CqlAggregate extends SqlAggFunction
{
    /** Number of rows or of values that are not null. */
    public static final CqlAggregate COUNT = new CqlAggregate("COUNT");
    /** Sum, of the type of its argument. */
    public static final CqlAggregate SUM = new CqlAggregate("SUM");
    /** Mean: double of double, else float. */
    public static final CqlAggregate AVG = new CqlAggregate("AVG");
    /** Smallest. */
    public static final CqlAggregate MIN = new CqlAggregate("MIN");
    /** Greatest. */
    public static final CqlAggregate MAX = new CqlAggregate("MAX");

    private CqlAggregate(final String name)
    {
        super(name, null, SqlKind.OTHER_FUNCTION, null, null, null, SqlFunctionCategory.USER_DEFINED_FUNCTION, false,
            false, Optionality.FORBIDDEN);
    }

    /**
     * Finds an aggregate.
     *
     * @param name name, case ignored
     * @return the function, or {@code null}
     */
    public static CqlAggregate byName(final String name)
    {
        return switch (name.toLowerCase(Locale.ROOT))
        {
            case "count" -> COUNT;
            case "sum" -> SUM;
            case "avg" -> AVG;
            case "min" -> MIN;
            case "max" -> MAX;
            default -> null;
        };
    }

    @Override
    public SqlOperandCountRange getOperandCountRange()
    {
        return SqlOperandCountRanges.of(1);
    }

    @Override
    public boolean checkOperandTypes(final SqlCallBinding binding, final boolean throwOnFailure)
    {
        if (this == COUNT)
        {
            return true;
        }
        final RelDataType argument = binding.getOperandType(0);
        final CqlType type = CqlTypes.toCql(argument);
        final String name = getName().toLowerCase(Locale.ROOT);
        final boolean ordered = this == MIN || this == MAX;
        if (type == CqlType.BIGDECIMAL ||
            ordered && (type == CqlType.CHAR || type == CqlType.TIMESTAMP || type == CqlType.INTERVAL))
        {
            throw new Refusal(Message.NOT_AVAILABLE, binding.getCall().getParserPosition(),
                name + " of " + type.cqlName(), "");
        }
        if (type == null || !type.isNumeric())
        {
            throw new Refusal(Message.AGGREGATE_TYPE, binding.getCall().getParserPosition(), name,
                CqlTypes.nameOf(argument), "a number");
        }
        return true;
    }

    @Override
    public RelDataType deriveType(final SqlValidator validator, final SqlValidatorScope scope, final SqlCall call)
    {
        if (call.isCountStar())
        {
            final RelDataType type = CqlTypes.toCalcite(CqlType.BIGINT, false);
            validator.setValidatedNodeType(call, type);
            return type;
        }
        validator.deriveType(scope, call.operand(0));
        return validateOperands(validator, scope, call);
    }

    @Override
    public RelDataType inferReturnType(final SqlOperatorBinding binding)
    {
        if (this == COUNT)
        {
            return CqlTypes.toCalcite(CqlType.BIGINT, false);
        }
        final CqlType type = CqlTypes.toCql(binding.getOperandType(0));
        if (this == AVG)
        {
            final boolean exact = CqlTypes.isDecimalLiteral(binding.getOperandType(0)) || type == CqlType.DOUBLE;
            return CqlTypes.toCalcite(exact ? CqlType.DOUBLE : CqlType.FLOAT, true);
        }
        return CqlTypes.toCalcite(type, true);
    }
}

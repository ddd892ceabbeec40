package dev.millrace.cql.language.types;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.util.Optionality;

/** An aggregate function with the type rules of CQL. Immutable. */
public final class CqlAggregate extends SqlAggFunction
{
    /** Number of rows or of values that are not null. */
    public static final CqlAggregate COUNT = new CqlAggregate("COUNT");
    /** Sum, of the type of its argument. */
    public static final CqlAggregate SUM = new CqlAggregate("SUM");
    /** Mean: double for double, otherwise float. */
    public static final CqlAggregate AVG = new CqlAggregate("AVG");
    /** Smallest value. */
    public static final CqlAggregate MIN = new CqlAggregate("MIN");
    /** Largest value. */
    public static final CqlAggregate MAX = new CqlAggregate("MAX");

    /** Time of the last evaluation of a window with SLIDE; its argument is the step. It has no syntax in CQL. */
    public static final CqlAggregate TICK = new CqlAggregate("TICK OF WINDOW");

    private final FunctionLookup lookup;

    private CqlAggregate(final String name)
    {
        this(name, null);
    }

    private CqlAggregate(final String name, final FunctionLookup lookup)
    {
        super(name, null, SqlKind.OTHER_FUNCTION, null, lookup == null ? null : CqlAggregate::typeNulls, null,
            SqlFunctionCategory.USER_DEFINED_FUNCTION, false, false, Optionality.FORBIDDEN);
        this.lookup = lookup;
    }

    /**
     * An aggregate with signatures.
     *
     * @param functions function catalog
     * @return the function; {@code null} if no aggregate has this name
     */
    public static CqlAggregate named(final String name, final FunctionLookup functions)
    {
        final CqlAggregate basic = byName(name);
        return basic != null ? basic
            : functions.aggregates(name).isEmpty() ? null : new CqlAggregate(name.toLowerCase(Locale.ROOT), functions);
    }

    /**
     * The signature to which a call resolves.
     *
     * @param position position of the call
     * @return best signature; {@code null} for count, sum, avg, min and max
     */
    public FunctionLookup.Signature signature(final List<RelDataType> arguments, final SqlParserPos position)
    {
        return lookup == null ? null
            : Overloads.choose(getName(), lookup.aggregates(getName()), arguments, position);
    }

    /**
     * Finds an aggregate.
     *
     * @param name case-insensitive name
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

    private static void typeNulls(
        final SqlCallBinding binding, final RelDataType returnType, final RelDataType[] operandTypes)
    {
        final List<RelDataType> types = CqlFunction.types(binding);
        CqlFunction.typeNulls(((CqlAggregate) binding.getOperator()).signature(types,
            binding.getCall().getParserPosition()), types, operandTypes);
    }

    @Override
    public SqlOperandCountRange getOperandCountRange()
    {
        return lookup == null ? SqlOperandCountRanges.of(1) : SqlOperandCountRanges.any();
    }

    @Override
    public boolean checkOperandTypes(final SqlCallBinding binding, final boolean throwOnFailure)
    {
        if (this == COUNT || this == TICK)
        {
            return true;
        }
        final SqlParserPos position = binding.getCall().getParserPosition();
        if (lookup != null)
        {
            signature(CqlFunction.types(binding), position);
            return true;
        }
        final RelDataType argument = binding.getOperandType(0);
        final CqlType type = CqlTypes.toCql(argument);
        final boolean ordered = this == MIN || this == MAX;
        final boolean fits = type != null && (type.isNumeric() ||
            ordered && (type == CqlType.CHAR || type == CqlType.TIMESTAMP || type == CqlType.INTERVAL));
        if (!fits)
        {
            throw new CqlRuleException(Message.AGGREGATE_TYPE, position, getName().toLowerCase(Locale.ROOT),
                CqlTypes.nameOf(argument), ordered ? "a number, a string or a time" : "a number");
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
        for (final SqlNode operand : call.getOperandList())
        {
            validator.deriveType(scope, operand);
        }
        return validateOperands(validator, scope, call);
    }

    @Override
    public RelDataType inferReturnType(final SqlOperatorBinding binding)
    {
        if (this == COUNT)
        {
            return CqlTypes.toCalcite(CqlType.BIGINT, false);
        }
        if (lookup != null)
        {
            return CqlTypes.toCalcite(signature(CqlFunction.types(binding), SqlParserPos.ZERO).result(), true);
        }
        final CqlType type = CqlTypes.toCql(binding.getOperandType(0));
        if (this == AVG && type != CqlType.BIGDECIMAL)
        {
            final boolean exact = CqlTypes.isDecimalLiteral(binding.getOperandType(0)) || type == CqlType.DOUBLE;
            return CqlTypes.toCalcite(exact ? CqlType.DOUBLE : CqlType.FLOAT, true);
        }
        return CqlTypes.toCalcite(type, true);
    }
}

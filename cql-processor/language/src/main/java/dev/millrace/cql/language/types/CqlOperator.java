package dev.millrace.cql.language.types;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.Message;
import dev.millrace.cql.language.Refusal;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * An operator of CQL with CQL's typing. Immutable.
 *
 * <p>Only AND has a kind that Calcite understands, so that conditions can be split; everything else is opaque to it.
 */
public final class CqlOperator extends SqlSpecialOperator
{
    /** What an operator does with types. */
    public enum Family
    {
        /** Numbers to a number. */
        ARITHMETIC,
        /** Two values to a condition. */
        COMPARISON,
        /** Conditions to a condition. */
        LOGIC,
        /** Any value to a condition that is never unknown. */
        NULL_TEST,
        /** A value and candidates to a condition. */
        MEMBERSHIP,
        /** A column of a pattern variable to the same column of an earlier row. */
        NAVIGATION
    }

    /** Sum. */
    public static final CqlOperator PLUS = new CqlOperator("+", Family.ARITHMETIC, SqlKind.OTHER);
    /** Difference. */
    public static final CqlOperator MINUS = new CqlOperator("-", Family.ARITHMETIC, SqlKind.OTHER);
    /** Product. */
    public static final CqlOperator TIMES = new CqlOperator("*", Family.ARITHMETIC, SqlKind.OTHER);
    /** Quotient. */
    public static final CqlOperator DIVIDE = new CqlOperator("/", Family.ARITHMETIC, SqlKind.OTHER);
    /** Negative. */
    public static final CqlOperator NEGATE = new CqlOperator("unary -", Family.ARITHMETIC, SqlKind.OTHER);
    /** Equal. */
    public static final CqlOperator EQUAL = new CqlOperator("=", Family.COMPARISON, SqlKind.OTHER);
    /** Not equal. */
    public static final CqlOperator NOT_EQUAL = new CqlOperator("<>", Family.COMPARISON, SqlKind.OTHER);
    /** Less. */
    public static final CqlOperator LESS = new CqlOperator("<", Family.COMPARISON, SqlKind.OTHER);
    /** Less or equal. */
    public static final CqlOperator LESS_OR_EQUAL = new CqlOperator("<=", Family.COMPARISON, SqlKind.OTHER);
    /** Greater. */
    public static final CqlOperator GREATER = new CqlOperator(">", Family.COMPARISON, SqlKind.OTHER);
    /** Greater or equal. */
    public static final CqlOperator GREATER_OR_EQUAL = new CqlOperator(">=", Family.COMPARISON, SqlKind.OTHER);
    /** Inclusive range: value, low, high. */
    public static final CqlOperator BETWEEN = new CqlOperator("BETWEEN", Family.MEMBERSHIP, SqlKind.OTHER);
    /** One of a list: value, candidates. */
    public static final CqlOperator IN_LIST = new CqlOperator("IN", Family.MEMBERSHIP, SqlKind.OTHER);
    /** And of two or more. */
    public static final CqlOperator AND = new CqlOperator("AND", Family.LOGIC, SqlKind.AND);
    /** Or of two or more. */
    public static final CqlOperator OR = new CqlOperator("OR", Family.LOGIC, SqlKind.OTHER);
    /** Exclusive or of two. */
    public static final CqlOperator XOR = new CqlOperator("XOR", Family.LOGIC, SqlKind.OTHER);
    /** Not. */
    public static final CqlOperator NOT = new CqlOperator("NOT", Family.LOGIC, SqlKind.OTHER);
    /** Is null. */
    public static final CqlOperator IS_NULL = new CqlOperator("IS NULL", Family.NULL_TEST, SqlKind.OTHER);
    /** Is not null. */
    public static final CqlOperator IS_NOT_NULL = new CqlOperator("IS NOT NULL", Family.NULL_TEST, SqlKind.OTHER);

    /** Column of a pattern variable and number of rows back. Calcite's own refuses to stand in MEASURES. */
    public static final CqlOperator PREV = new CqlOperator("PREV", Family.NAVIGATION, SqlKind.OTHER);

    private final Family family;

    private CqlOperator(final String name, final Family family, final SqlKind kind)
    {
        super(name, kind, 40, true, null, CqlOperator::typeNulls, null);
        this.family = family;
    }

    /**
     * What it does with types.
     *
     * @return family
     */
    public Family family()
    {
        return family;
    }

    /**
     * Whether it gives a condition.
     *
     * @return false for arithmetic and navigation
     */
    public boolean isCondition()
    {
        return family != Family.ARITHMETIC && family != Family.NAVIGATION;
    }

    @Override
    public RelDataType deriveType(final SqlValidator validator, final SqlValidatorScope scope, final SqlCall call)
    {
        for (final SqlNode operand : call.getOperandList())
        {
            validator.deriveType(scope, operand);
        }
        return validateOperands(validator, scope, call);
    }

    @Override
    public SqlOperandCountRange getOperandCountRange()
    {
        return SqlOperandCountRanges.from(1);
    }

    @Override
    public boolean checkOperandTypes(final SqlCallBinding binding, final boolean throwOnFailure)
    {
        final List<SqlNode> operands = binding.operands();
        switch (family)
        {
            case ARITHMETIC -> checkNumbers(binding, operands);
            case COMPARISON -> checkComparable(
                binding.getCall().getParserPosition(), name(), this != EQUAL && this != NOT_EQUAL,
                binding.getOperandType(0), binding.getOperandType(1));
            case MEMBERSHIP ->
            {
                for (int i = 1; i < operands.size(); i++)
                {
                    checkComparable(operands.get(i).getParserPosition(), name(), this == BETWEEN,
                        binding.getOperandType(0), binding.getOperandType(i));
                }
            }
            case LOGIC ->
            {
                for (int i = 0; i < operands.size(); i++)
                {
                    checkCondition(operands.get(i).getParserPosition(), binding.getOperandType(i));
                }
            }
            default ->
            {
                return true;
            }
        }
        return true;
    }

    /**
     * Refuses a value where a condition belongs.
     *
     * @param place where
     * @param type  type of the value
     */
    public static void checkCondition(final SqlParserPos place, final RelDataType type)
    {
        final CqlType cql = CqlTypes.toCql(type);
        if (cql != null && cql != CqlType.BOOLEAN)
        {
            throw new Refusal(Message.NOT_A_CONDITION, place, "a value of type " + cql.cqlName());
        }
    }

    /** Gives a bare null the type of what it meets. */
    private static void typeNulls(
        final SqlCallBinding binding, final RelDataType returnType, final RelDataType[] operandTypes)
    {
        final Family family = ((CqlOperator) binding.getOperator()).family;
        CqlType known = family == Family.LOGIC ? CqlType.BOOLEAN : null;
        for (int i = 0; i < operandTypes.length && known == null; i++)
        {
            known = CqlTypes.toCql(binding.getOperandType(i));
        }
        for (int i = 0; i < operandTypes.length; i++)
        {
            operandTypes[i] = CqlTypes.toCql(binding.getOperandType(i)) == null
                ? CqlTypes.toCalcite(known == null ? CqlType.INT : known, true) : binding.getOperandType(i);
        }
    }

    @Override
    public void unparse(final SqlWriter writer, final SqlCall call, final int leftPrec, final int rightPrec)
    {
        final SqlWriter.Frame frame = writer.startFunCall(getName());
        for (final SqlNode operand : call.getOperandList())
        {
            writer.sep(",");
            operand.unparse(writer, 0, 0);
        }
        writer.endFunCall(frame);
    }

    private String name()
    {
        return this == NEGATE ? "-" : getName();
    }

    private void checkNumbers(final SqlCallBinding binding, final List<SqlNode> operands)
    {
        final SqlParserPos place = binding.getCall().getParserPosition();
        for (int i = 0; i < operands.size(); i++)
        {
            final CqlType type = CqlTypes.toCql(binding.getOperandType(i));
            if (type == CqlType.BIGDECIMAL || type == CqlType.TIMESTAMP || type == CqlType.INTERVAL)
            {
                throw new Refusal(Message.NOT_AVAILABLE, place, "arithmetic on " + type.cqlName(), "");
            }
            if (type != null && !type.isNumeric())
            {
                throw operands.size() == 1
                    ? new Refusal(Message.OPERAND_TYPE, place, name(), type.cqlName(), "a number")
                    : new Refusal(Message.OPERAND_TYPES, place, name(), CqlTypes.nameOf(binding.getOperandType(0)),
                        CqlTypes.nameOf(binding.getOperandType(1)), "numbers");
            }
        }
    }

    private static void checkComparable(
        final SqlParserPos place, final String name, final boolean order, final RelDataType left,
        final RelDataType right)
    {
        final CqlType a = CqlTypes.toCql(left);
        final CqlType b = CqlTypes.toCql(right);
        for (final CqlType type : new CqlType[]{a, b})
        {
            if (type == CqlType.BIGDECIMAL)
            {
                throw new Refusal(Message.NOT_AVAILABLE, place, "comparison of bigdecimal", "");
            }
            if (type == CqlType.BYTE || type == CqlType.XMLTYPE || type == CqlType.OBJECT)
            {
                throw new Refusal(Message.OPERAND_TYPE, place, name, type.cqlName(), "numbers, text or times");
            }
        }
        if (order && (a == CqlType.BOOLEAN || b == CqlType.BOOLEAN))
        {
            throw new Refusal(Message.BOOLEAN_ORDER, place);
        }
        if (CqlTypes.common(left, right) != null || a == null && b == null)
        {
            return;
        }
        if (a == CqlType.CHAR && b.isNumeric() || b == CqlType.CHAR && a.isNumeric())
        {
            throw new Refusal(Message.NOT_AVAILABLE, place, "comparison of char with a number",
                "write the number in quotes");
        }
        if (a == CqlType.CHAR || b == CqlType.CHAR)
        {
            final CqlType other = a == CqlType.CHAR ? b : a;
            if (other == CqlType.TIMESTAMP || other == CqlType.INTERVAL)
            {
                throw new Refusal(Message.NOT_AVAILABLE, place, "comparison of char with " + other.cqlName(), "");
            }
        }
        throw new Refusal(Message.OPERAND_TYPES, place, name, a.cqlName(), b.cqlName(), "of one type");
    }

    @Override
    public RelDataType inferReturnType(final SqlOperatorBinding binding)
    {
        boolean nullable = false;
        for (int i = 0; i < binding.getOperandCount(); i++)
        {
            nullable |= binding.getOperandType(i).isNullable() ||
                binding.getOperandType(i).getSqlTypeName() == SqlTypeName.NULL;
        }
        return switch (family)
        {
            case ARITHMETIC -> arithmeticType(binding, nullable);
            case NAVIGATION -> CqlTypes.FACTORY.createTypeWithNullability(binding.getOperandType(0), true);
            case NULL_TEST -> CqlTypes.toCalcite(CqlType.BOOLEAN, false);
            default -> CqlTypes.toCalcite(CqlType.BOOLEAN, nullable);
        };
    }

    private static RelDataType arithmeticType(final SqlOperatorBinding binding, final boolean nullable)
    {
        final RelDataType first = binding.getOperandType(0);
        final RelDataType second = binding.getOperandType(binding.getOperandCount() - 1);
        if (binding.getOperandCount() == 1)
        {
            return CqlTypes.FACTORY.createTypeWithNullability(first, nullable);
        }
        final CqlType common = CqlTypes.common(first, second);
        return common == null
            ? CqlTypes.FACTORY.createTypeWithNullability(first, true)
            : CqlTypes.toCalcite(common, nullable);
    }
}

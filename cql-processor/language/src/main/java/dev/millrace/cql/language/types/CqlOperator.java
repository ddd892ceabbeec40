package dev.millrace.cql.language.types;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * An operator of CQL with the type rules of CQL. Immutable.
 *
 * <p>Only AND has a kind that Calcite understands, so that conditions can be split; all other operators are opaque to
 * Calcite.
 */
public final class CqlOperator extends SqlSpecialOperator
{
    /** Operators with the same type rules. */
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
        /** Values to a string. */
        TEXT,
        /** A string and a regular expression to a condition. */
        MATCHING,
        /** Alternating conditions and values, with a value at the end, to a value. */
        CHOICE,
        /** A column of a pattern variable to the same column of an earlier row. */
        NAVIGATION
    }

    /** Concatenation of two values. */
    public static final CqlOperator CONCAT = new CqlOperator("||", Family.TEXT, SqlKind.OTHER);
    /** Whether a regular expression occurs in a string. */
    public static final CqlOperator LIKE = new CqlOperator("LIKE", Family.MATCHING, SqlKind.OTHER);
    /** Condition, value, condition, value, ... and the value if no condition is true. */
    public static final CqlOperator CASE = new CqlOperator("CASE", Family.CHOICE, SqlKind.OTHER);
    /** Sum. */
    public static final CqlOperator PLUS = new CqlOperator("+", Family.ARITHMETIC, SqlKind.OTHER);
    /** Difference. */
    public static final CqlOperator MINUS = new CqlOperator("-", Family.ARITHMETIC, SqlKind.OTHER);
    /** Product. */
    public static final CqlOperator TIMES = new CqlOperator("*", Family.ARITHMETIC, SqlKind.OTHER);
    /** Quotient. */
    public static final CqlOperator DIVIDE = new CqlOperator("/", Family.ARITHMETIC, SqlKind.OTHER);
    /** Negation. */
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
    /** AND of two or more. */
    public static final CqlOperator AND = new CqlOperator("AND", Family.LOGIC, SqlKind.AND);
    /** OR of two or more. */
    public static final CqlOperator OR = new CqlOperator("OR", Family.LOGIC, SqlKind.OTHER);
    /** XOR of two. */
    public static final CqlOperator XOR = new CqlOperator("XOR", Family.LOGIC, SqlKind.OTHER);
    /** NOT. */
    public static final CqlOperator NOT = new CqlOperator("NOT", Family.LOGIC, SqlKind.OTHER);
    /** Is null. */
    public static final CqlOperator IS_NULL = new CqlOperator("IS NULL", Family.NULL_TEST, SqlKind.OTHER);
    /** Is not null. */
    public static final CqlOperator IS_NOT_NULL = new CqlOperator("IS NOT NULL", Family.NULL_TEST, SqlKind.OTHER);

    /** Column of a pattern variable and number of rows back. Calcite's PREV is not allowed in MEASURES. */
    public static final CqlOperator PREV = new CqlOperator("PREV", Family.NAVIGATION, SqlKind.OTHER);

    private final Family family;

    private CqlOperator(final String name, final Family family, final SqlKind kind)
    {
        super(name, kind, 40, true, null, CqlOperator::typeNulls, null);
        this.family = family;
    }

    /** The type rules. */
    public Family family()
    {
        return family;
    }

    /**
     * Whether the result is a condition.
     *
     * @return false for operators whose result is a value
     */
    public boolean isCondition()
    {
        return switch (family)
        {
            case COMPARISON, LOGIC, NULL_TEST, MEMBERSHIP, MATCHING -> true;
            default -> false;
        };
    }

    /**
     * Whether an operand is a condition.
     *
     * @param operand  its index
     * @param operands number of operands
     * @return true for logic and the conditions of CASE
     */
    public boolean takesCondition(final int operand, final int operands)
    {
        return family == Family.LOGIC || family == Family.CHOICE && operand % 2 == 0 && operand < operands - 1;
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

    /** Calcite calls it to compare conditions. */
    @Override
    public SqlOperator reverse()
    {
        return this == AND ? this : super.reverse();
    }

    @Override
    public SqlOperandCountRange getOperandCountRange()
    {
        return SqlOperandCountRanges.from(1);
    }

    @Override
    public boolean checkOperandTypes(final SqlCallBinding binding, final boolean throwOnFailure)
    {
        final OperandTypeChecker check = new OperandTypeChecker(this, binding);
        switch (family)
        {
            case ARITHMETIC -> check.arithmetic();
            case COMPARISON, MEMBERSHIP -> check.comparison();
            case LOGIC -> check.conditions();
            case TEXT -> check.text();
            case MATCHING -> check.matching();
            case CHOICE -> check.choice();
            default ->
            {
                return true;
            }
        }
        return true;
    }

    /**
     * Refuses a value where a condition is required.
     *
     * @param position position of the value
     * @param type     type of the value
     */
    public static void checkCondition(final SqlParserPos position, final RelDataType type)
    {
        final CqlType cql = CqlTypes.toCql(type);
        if (cql != null && cql != CqlType.BOOLEAN)
        {
            throw new CqlRuleException(Message.NOT_A_CONDITION, position, "a value of type " + cql.cqlName());
        }
    }

    /** Gives an untyped null the type of the other operand. */
    private static void typeNulls(
        final SqlCallBinding binding, final RelDataType returnType, final RelDataType[] operandTypes)
    {
        final CqlOperator operator = (CqlOperator) binding.getOperator();
        CqlType known = null;
        for (int i = 0; i < operandTypes.length && known == null; i++)
        {
            known = operator.takesCondition(i, operandTypes.length) ? null : CqlTypes.toCql(binding.getOperandType(i));
        }
        if (operator.family == Family.TEXT || operator.family == Family.MATCHING)
        {
            known = CqlType.CHAR;
        }
        for (int i = 0; i < operandTypes.length; i++)
        {
            // A value that is added to or subtracted from a timestamp is an interval.
            final boolean added = operator.family == Family.ARITHMETIC && known == CqlType.TIMESTAMP &&
                (i > 0 || operator == PLUS);
            final CqlType free = operator.takesCondition(i, operandTypes.length) ? CqlType.BOOLEAN
                : known == null ? CqlType.INT : added ? CqlType.INTERVAL : known;
            operandTypes[i] = CqlTypes.toCql(binding.getOperandType(i)) == null
                ? CqlTypes.toCalcite(free, true) : binding.getOperandType(i);
        }
    }

    @Override
    public void unparse(final SqlWriter writer, final SqlCall call, final int leftPrec, final int rightPrec)
    {
        CqlFunction.unparse(writer, getName(), call);
    }

    String shown()
    {
        return this == NEGATE ? "-" : getName();
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
            case TEXT -> CqlTypes.toCalcite(CqlType.CHAR, nullable);
            case CHOICE -> choiceType(binding);
            default -> CqlTypes.toCalcite(CqlType.BOOLEAN, nullable);
        };
    }

    private RelDataType arithmeticType(final SqlOperatorBinding binding, final boolean nullable)
    {
        RelDataType type = binding.getOperandType(0);
        if (binding.getOperandCount() == 1)
        {
            return CqlTypes.toCql(type) == null ? CqlTypes.toCalcite(CqlType.INT, true) :
                CqlTypes.FACTORY.createTypeWithNullability(type, nullable);
        }
        for (int i = 1; i < binding.getOperandCount(); i++)
        {
            type = arithmeticType(this, type, binding.getOperandType(i));
        }
        return CqlTypes.FACTORY.createTypeWithNullability(type, nullable);
    }

    /**
     * The type of a sum, difference, product or quotient of two values.
     *
     * @param first  type of the left operand
     * @param second type of the right operand
     * @return its type, nullable if one of the operands is
     */
    public static RelDataType arithmeticType(
        final CqlOperator operator, final RelDataType first, final RelDataType second)
    {
        final boolean nullable = isNullable(first) || isNullable(second);
        if (CqlTypes.toCql(first) == null && CqlTypes.toCql(second) == null)
        {
            // Arithmetic of only untyped nulls is a null int, as its operands are.
            return CqlTypes.toCalcite(CqlType.INT, true);
        }
        final CqlType time = timeType(operator, CqlTypes.toCql(first), CqlTypes.toCql(second));
        if (time != null)
        {
            return CqlTypes.toCalcite(time, nullable);
        }
        final CqlType common = CqlTypes.common(first, second);
        return common == null
            ? CqlTypes.FACTORY.createTypeWithNullability(first, true)
            : CqlTypes.toCalcite(common, nullable);
    }

    private static boolean isNullable(final RelDataType type)
    {
        return type.isNullable() || type.getSqlTypeName() == SqlTypeName.NULL;
    }

    /**
     * The result of adding or subtracting times.
     *
     * @param left  left operand; {@code null} for an untyped null
     * @param right right operand
     * @return timestamp or interval; {@code null} if no operand is a time
     */
    public static CqlType timeType(final CqlOperator operator, final CqlType left, final CqlType right)
    {
        final boolean times = isTime(left) && (isTime(right) || right == null) || isTime(right) && left == null;
        if (!times || operator != PLUS && operator != MINUS)
        {
            return null;
        }
        if (operator == MINUS && left == CqlType.TIMESTAMP && right == CqlType.TIMESTAMP)
        {
            return CqlType.INTERVAL;
        }
        if (left == CqlType.TIMESTAMP)
        {
            return right == CqlType.TIMESTAMP ? null : CqlType.TIMESTAMP;
        }
        if (right == CqlType.TIMESTAMP)
        {
            return operator == PLUS ? CqlType.TIMESTAMP : left == null ? CqlType.INTERVAL : null;
        }
        return CqlType.INTERVAL;
    }

    private static boolean isTime(final CqlType type)
    {
        return type == CqlType.TIMESTAMP || type == CqlType.INTERVAL;
    }

    private static RelDataType choiceType(final SqlOperatorBinding binding)
    {
        final int last = binding.getOperandCount() - 1;
        RelDataType common = binding.getOperandType(last);
        for (int i = 1; i < last; i += 2)
        {
            final CqlType met = CqlTypes.branch(common, binding.getOperandType(i));
            final boolean literals = CqlTypes.isDecimalLiteral(common) &&
                CqlTypes.isDecimalLiteral(binding.getOperandType(i));
            common = met == null || literals ? common : CqlTypes.toCalcite(met, true);
        }
        return CqlTypes.FACTORY.createTypeWithNullability(
            CqlTypes.isDecimalLiteral(common) ? CqlTypes.toCalcite(CqlType.DOUBLE, true) : common, true);
    }
}

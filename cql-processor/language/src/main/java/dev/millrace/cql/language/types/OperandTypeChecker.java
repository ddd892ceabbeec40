package dev.millrace.cql.language.types;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Checks the operand types of one call. */
final class OperandTypeChecker
{
    private final CqlOperator operator;
    private final SqlCallBinding binding;
    private final SqlParserPos position;

    OperandTypeChecker(final CqlOperator operator, final SqlCallBinding binding)
    {
        this.operator = operator;
        this.binding = binding;
        position = binding.getCall().getParserPosition();
    }

    private RelDataType type(final int operand)
    {
        return binding.getOperandType(operand);
    }

    private CqlType cql(final int operand)
    {
        return CqlTypes.toCql(type(operand));
    }

    void arithmetic()
    {
        final int operands = binding.getOperandCount();
        if (operands == 1)
        {
            final CqlType only = cql(0);
            if (only != null && !only.isNumeric() && only != CqlType.INTERVAL)
            {
                throw new CqlRuleException(Message.OPERAND_TYPE, position, operator.shown(), only.cqlName(),
                    "a number");
            }
            return;
        }
        RelDataType left = type(0);
        for (int i = 1; i < operands; i++)
        {
            arithmetic(left, type(i));
            left = CqlOperator.arithmeticType(operator, left, type(i));
        }
    }

    private void arithmetic(final RelDataType first, final RelDataType second)
    {
        final CqlType left = CqlTypes.toCql(first);
        final CqlType right = CqlTypes.toCql(second);
        final boolean numbers = (left == null || left.isNumeric()) && (right == null || right.isNumeric());
        if (!numbers && CqlOperator.timeType(operator, left, right) == null)
        {
            final boolean times = left == CqlType.TIMESTAMP || left == CqlType.INTERVAL ||
                right == CqlType.TIMESTAMP || right == CqlType.INTERVAL;
            throw new CqlRuleException(Message.OPERAND_TYPES, position, operator.shown(), CqlTypes.nameOf(first),
                CqlTypes.nameOf(second), times
                    ? "numbers, or a timestamp or interval plus or minus an interval" : "numbers");
        }
    }

    void comparison()
    {
        final boolean membership = operator.family() == CqlOperator.Family.MEMBERSHIP;
        final boolean ordered = membership ? operator == CqlOperator.BETWEEN
            : operator != CqlOperator.EQUAL && operator != CqlOperator.NOT_EQUAL;
        for (int i = 1; i < binding.getOperandCount(); i++)
        {
            comparable(membership ? binding.operands().get(i).getParserPosition() : position, ordered, i);
        }
    }

    private void comparable(final SqlParserPos where, final boolean ordered, final int other)
    {
        final CqlType a = cql(0);
        final CqlType b = cql(other);
        for (final CqlType type : new CqlType[]{a, b})
        {
            if (type == CqlType.BYTE && ordered || type == CqlType.XMLTYPE || type == CqlType.OBJECT)
            {
                throw new CqlRuleException(Message.OPERAND_TYPE, where, operator.shown(), type.cqlName(),
                    type == CqlType.BYTE ? "numbers, strings or times; bytes can only be equal or not" :
                    "numbers, strings or times");
            }
        }
        if (ordered && (a == CqlType.BOOLEAN || b == CqlType.BOOLEAN))
        {
            throw new CqlRuleException(Message.BOOLEAN_ORDER, where);
        }
        if (a == null || b == null)
        {
            return;
        }
        final CqlType common = CqlTypes.comparable(type(0), type(other));
        if (common == null)
        {
            throw new CqlRuleException(Message.OPERAND_TYPES, where, operator.shown(), a.cqlName(), b.cqlName(),
                "of one type");
        }
        if (a != b && (a == CqlType.CHAR || b == CqlType.CHAR) && common != CqlType.CHAR)
        {
            converts(binding.operands().get(a == CqlType.CHAR ? 0 : other), common, where);
        }
    }

    /**
     * A string that is compared with a time is converted to a time: a literal at planning, a timestamp column for each
     * row.
     */
    private void converts(final SqlNode text, final CqlType time, final SqlParserPos where)
    {
        if (text instanceof SqlCharStringLiteral literal)
        {
            final String value = literal.getValueAs(String.class);
            if (time == CqlType.TIMESTAMP && TimestampParser.timestamp(value) == null)
            {
                throw new CqlRuleException(Message.BAD_TIMESTAMP, text.getParserPosition(), value);
            }
            if (time == CqlType.INTERVAL && TimestampParser.interval(value, "day", "second") == null)
            {
                throw new CqlRuleException(Message.BAD_INTERVAL, text.getParserPosition(), value);
            }
        }
        else if (time == CqlType.INTERVAL)
        {
            throw new CqlRuleException(Message.OPERAND_TYPES, where, operator.shown(), "char", "interval",
                "of one type");
        }
    }

    void conditions()
    {
        for (int i = 0; i < binding.getOperandCount(); i++)
        {
            CqlOperator.checkCondition(binding.operands().get(i).getParserPosition(), type(i));
        }
    }

    void text()
    {
        for (int i = 0; i < binding.getOperandCount(); i++)
        {
            final CqlType type = cql(i);
            if (type == CqlType.OBJECT || type == CqlType.XMLTYPE)
            {
                throw new CqlRuleException(Message.OPERAND_TYPE, binding.operands().get(i).getParserPosition(),
                    operator.shown(), type.cqlName(), "a string, a number, a time or a boolean");
            }
        }
    }

    void matching()
    {
        final CqlType type = cql(0);
        if (type != null && type != CqlType.CHAR && !type.isNumeric())
        {
            throw new CqlRuleException(Message.OPERAND_TYPE, binding.operands().get(0).getParserPosition(),
                operator.shown(),
                type.cqlName(), "text");
        }
    }

    void choice()
    {
        final int last = binding.getOperandCount() - 1;
        RelDataType common = type(1);
        for (int i = 0; i <= last; i++)
        {
            if (operator.takesCondition(i, last + 1))
            {
                CqlOperator.checkCondition(binding.operands().get(i).getParserPosition(), type(i));
            }
            else
            {
                final CqlType met = CqlTypes.branch(common, type(i));
                if (met == null && CqlTypes.toCql(common) != null && cql(i) != null)
                {
                    throw new CqlRuleException(Message.BRANCH_TYPES, binding.operands().get(i).getParserPosition(),
                        CqlTypes.nameOf(common), CqlTypes.nameOf(type(i)));
                }
                common = met == null || met == CqlTypes.toCql(common) ? common : CqlTypes.toCalcite(met, true);
            }
        }
    }
}

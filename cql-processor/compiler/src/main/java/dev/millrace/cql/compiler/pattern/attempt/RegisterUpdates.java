package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.Register;
import dev.millrace.cql.compiler.pattern.Register.Kind;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.PatternExpression;

/** Statements that update the registers of an attempt with the current row. */
final class RegisterUpdates
{
    private final AttemptLayout layout;
    private final Registers registers;
    private final RowValues rows;

    RegisterUpdates(final AttemptLayout layout, final Registers registers, final RowValues rows)
    {
        this.layout = layout;
        this.registers = registers;
        this.rows = rows;
    }

    /** Writes statements that update a register with the current row; {@code flags} is a variable. */
    void update(final Register register, final int variable, final ExpressionCode code)
    {
        switch (register.kind())
        {
            case COUNT_ROWS -> code.line(registers.word(register) + "++;");
            case FIRST ->
            {
                code.line("if (!(" + registers.isTaken(register) + ')' + (register.offset() == 0 ? "" :
                    " && " + registers.isTaken(layout.registers().lower(register))) + ") {");
                code.line(registers.set(register.taken(), "true"));
                set(register, variable, code);
                code.line("}");
            }
            case LAST, ROW -> set(register, variable, code);
            default -> accumulate(register, code);
        }
    }

    private void set(final Register register, final int variable, final ExpressionCode code)
    {
        if (register.kind() == Kind.LAST && register.offset() > 0)
        {
            shift(register, layout.registers().lower(register), code);
            return;
        }
        final Operand row = rowOf(register, variable, code);
        code.line(register.isReference() ? registers.object(register) +
            ", " + row.isNull() + " ? null : " + row.value() + ");" :
            registers.word(register) + " = " + Registers.encode(register.type(), row.value()) + ';');
        code.line(registers.set(register.flag(), "!(" + row.isNull() + ')'));
    }

    /** The value of the current row for a register. */
    private Operand rowOf(final Register register, final int variable, final ExpressionCode code)
    {
        if (register.value() == null)
        {
            return Operand.notNull("arrival", CqlType.BIGINT);
        }
        if (register.isOfEarlierLabel())
        {
            // Its number, not its name.
            final Register label = layout.registers().earlierLabel(register.back());
            return code.declare(registers.word(label), "!(" + registers.has(label) + ')' +
                rows.isOlder(register.back(), register.maxAgeNs()), CqlType.BIGINT);
        }
        if (register.value() instanceof PatternExpression.Classifier)
        {
            return Operand.notNull(Integer.toString(variable), CqlType.BIGINT);
        }
        return register.value() instanceof Expression.Column ? rows.row(register, code) :
            rows.argument(register.value(), code);
    }

    /** Shifts the previous row; the register of the previous row is updated later. */
    private void shift(final Register to, final Register from, final ExpressionCode code)
    {
        code.line(to.isReference() ? registers.object(to) + ", " + registers.object(from) +
            "));" : registers.word(to) + " = " + registers.word(from) + ';');
        code.line(registers.set(to.flag(), registers.has(from)));
    }

    private void accumulate(final Register register, final ExpressionCode code)
    {
        final Operand row = rows.argument(register.value(), code);
        final String has = registers.has(Math.max(0, register.flag()), "flags");
        code.line("if (!" + row.isNull() + ") {");
        switch (register.kind())
        {
            case COUNT -> code.line(registers.word(register) + "++;");
            case SUM_LONG -> code.line(registers.word(register) + " += " + row.value() + ';');
            case SUM_DOUBLE -> code.line("CompensatedSum.add(" + registers.words(register) + ", " + row.value() + ");");
            default ->
            {
                final String before = register.isReference() ? '(' + LocalTypes.local(register.type()) + ") " +
                    registers.object(register) + ')' : Registers.decode(register.type(), registers.word(register));
                code.line("if (!(" + has + ") || " + order(register.type(), row.value(), '(' + before + ')') +
                    (register.kind() == Kind.MIN ? " < 0" : " > 0") + ") " + (register.isReference() ?
                    registers.object(register) + ", " + row.value() + ");" :
                    registers.word(register) + " = " + Registers.encode(register.type(), row.value()) + ';'));
            }
        }
        if (register.flag() >= 0)
        {
            code.line(registers.set(register.flag(), "true"));
        }
        code.line("}");
    }

    static String extreme(final Register register, final String before, final String row)
    {
        return order(register.type(), row, before) + (register.kind() == Kind.MIN ? " < 0 ? " : " > 0 ? ") + row +
            " : " + before;
    }

    /** Comparison of two values. */
    static String order(final CqlType type, final String one, final String other)
    {
        return switch (type)
        {
            case FLOAT, DOUBLE -> "Double.compare(" + one + " + 0.0, " + other + " + 0.0)";
            case CHAR -> "Values.compareTexts(" + one + ", " + other + ')';
            case BIGDECIMAL -> '(' + one + ").compareTo(" + other + ')';
            case BYTE -> "java.util.Arrays.compare(" + one + ", " + other + ')';
            case BOOLEAN -> "Boolean.compare(" + one + ", " + other + ')';
            case OBJECT, XMLTYPE -> "(" + one + ".equals(" + other + ") ? 0 : 1)";
            default -> "Long.compare(" + one + ", " + other + ')';
        };
    }
}

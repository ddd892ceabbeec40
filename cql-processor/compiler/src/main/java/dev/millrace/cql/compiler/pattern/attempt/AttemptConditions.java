package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.PatternGraph;
import dev.millrace.cql.compiler.pattern.PatternStrategy;
import dev.millrace.cql.compiler.pattern.PatternStrategySelector;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.runtime.pattern.PatternProgram;
import dev.millrace.cql.runtime.pattern.attempt.AttemptPattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Determines the next positions of an attempt from conditions. When all conditions are comparisons of numbers, they are
 * bits: those that read only the current and earlier rows are computed once per row, others once per attempt, and a
 * table maps bits to next positions. Other conditions are computed only when they are needed.
 *
 * <p>Not thread-safe; used for one class.
 */
final class AttemptConditions
{
    private static final int MAX_BITS = 8;
    private static final int MAX_TABLE = 1 << 12;
    private static final char DEAD = AttemptPattern.DEAD;

    private final PatternSpec spec;
    private final PatternProgram program;
    private final PatternGraph paths;
    private final PatternStrategySelector choice;
    private final boolean all;
    /**
     * With several labellings per attempt: the list of next positions ends at a position where the attempt is complete.
     */
    private final boolean endsWithMatch;
    /** Bit of each condition, by its parts. */
    private final Map<Set<Expression>, Integer> bits = new LinkedHashMap<>();
    private final int[] bitOfVariable;
    private final boolean isTable;

    AttemptConditions(final PatternSpec spec, final PatternProgram program, final PatternStrategySelector choice)
    {
        this.spec = spec;
        this.program = program;
        this.choice = choice;
        paths = choice.paths();
        endsWithMatch = choice.kind() == PatternStrategy.LABELLINGS && spec.durationNs() == 0;
        all = spec.allMatches() || choice.kind() == PatternStrategy.LABELLINGS;
        bitOfVariable = new int[spec.variables().size()];
        boolean areSimple = true;
        for (int i = 0; i < bitOfVariable.length; i++)
        {
            final Expression condition = spec.conditions().get(i);
            if (condition != null)
            {
                areSimple &= isSimple(condition);
                bitOfVariable[i] = bits.computeIfAbsent(
                    new LinkedHashSet<>(Conditions.conjuncts(choice.condition(i))), key -> bits.size());
            }
        }
        isTable = areSimple && bits.size() <= MAX_BITS && (paths.size() << bits.size()) <= MAX_TABLE;
    }

    /** Whether a condition is a comparison of numbers, or a conjunction of such comparisons. */
    private boolean isSimple(final Expression condition)
    {
        return Conditions.conjuncts(condition).stream().allMatch(each ->
            each instanceof Expression.Call call && switch (call.operation())
            {
                case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, IS_NULL, IS_NOT_NULL ->
                    call.arguments().stream().allMatch(this::isNumber);
                default -> false;
            });
    }

    /** Whether an aggregate is computed over all rows, which may fail. */
    private boolean isFunction(final Expression expression)
    {
        return expression instanceof PatternExpression.Aggregate leaf && choice.layout().function(leaf) >= 0;
    }

    private boolean isNumber(final Expression expression)
    {
        return LocalTypes.isPrimitive(expression.type()) && (expression instanceof Expression.Literal ||
            expression instanceof Expression.Column ||
            expression instanceof PatternExpression && !isFunction(expression) ||
            expression instanceof Expression.Call call && !Conditions.canFail(call) && switch (call.operation())
            {
                case ADD, SUBTRACT, MULTIPLY, NEGATE, DIVIDE, CONVERT ->
                    call.arguments().size() <= 4 && call.arguments().stream().allMatch(this::isNumber);
                default -> false;
            });
    }

    /** Whether the next positions are read from a table, so that no row fails. */
    boolean isTable()
    {
        return isTable;
    }

    int bitCount()
    {
        return bits.size();
    }

    /** The next position by position and bits; with labellings, the variables that fit. The start is last. */
    Object table()
    {
        final int columns = 1 << bits.size();
        final char[] next = new char[(paths.size() + 1) * columns];
        final long[] sets = new long[next.length];
        for (int i = 0; i <= paths.size(); i++)
        {
            final int[] follow = i == paths.size() ? paths.first() : paths.follow(i);
            for (int set = 0; set < columns; set++)
            {
                next[i * columns + set] = DEAD;
                for (int j = follow.length - 1; j >= 0; j--)
                {
                    final int variable = program.labels()[follow[j]];
                    if (spec.conditions().get(variable) == null || (set & 1 << bitOfVariable[variable]) != 0)
                    {
                        next[i * columns + set] = (char)follow[j];
                        sets[i * columns + set] |= 1L << variable;
                    }
                }
            }
        }
        return all ? sets : next;
    }

    /** The positions whose conditions hold, by the bits of a row. */
    int[] fits()
    {
        final int[] fits = new int[1 << bits.size()];
        for (int set = 0; set < fits.length; set++)
        {
            for (int i = 0; i < paths.size(); i++)
            {
                final int variable = program.labels()[i];
                if (spec.conditions().get(variable) == null || (set & 1 << bitOfVariable[variable]) != 0)
                {
                    fits[set] |= 1 << i;
                }
            }
        }
        return fits;
    }

    /**
     * Statements that find the positions to which a row moves the attempts at the bits of {@code live}, oldest first;
     * without those younger than a match that removes them.
     */
    String fitting()
    {
        final StringBuilder text = new StringBuilder("    int next = 0;\n");
        for (int i = paths.size() - 1; i >= 0; i--)
        {
            final int variable = program.labels()[i];
            final List<String> tests = new ArrayList<>();
            if (i > 0)
            {
                tests.add("(live & " + (1 << i - 1) + ") != 0");
            }
            if (spec.conditions().get(variable) != null)
            {
                tests.add("holds" + variable + "(r, o, p, r, o, NONE, 0L)");
            }
            text.append("    ").append(tests.isEmpty() ? "" : "if (" + String.join(" && ", tests) + ") ")
                .append("next |= ").append(1 << i).append(";\n");
            if (i == paths.size() - 1 && choice.skipsPast())
            {
                text.append("    if (next != 0) return next;\n");
            }
        }
        return text + "    return next;\n";
    }

    /** Whether a part of a condition reads only the current and earlier rows. */
    private static boolean isOfRow(final Expression part, final int variable)
    {
        if (part instanceof PatternExpression.Navigation leaf)
        {
            return AttemptLayout.isRow(leaf, variable);
        }
        return !(part instanceof PatternExpression) && parts(part).stream().allMatch(each -> isOfRow(each, variable));
    }

    private static List<Expression> parts(final Expression expression)
    {
        return expression instanceof Expression.Call call ? call.arguments() : List.of();
    }

    /** A variable that has a condition. */
    private int variable(final int bit)
    {
        int variable = 0;
        while (spec.conditions().get(variable) == null || bitOfVariable[variable] != bit)
        {
            variable++;
        }
        return variable;
    }

    private static List<Expression> ofRow(final List<Expression> parts, final int variable, final boolean isOfRow)
    {
        return parts.stream().filter(each -> isOfRow(each, variable) == isOfRow).toList();
    }

    /** Whether some condition must be evaluated for each attempt. */
    boolean readsAttempts()
    {
        for (int bit = 0; bit < bits.size(); bit++)
        {
            final int variable = variable(bit);
            if (!ofRow(Conditions.conjuncts(spec.conditions().get(variable)), variable, false).isEmpty())
            {
                return true;
            }
        }
        return false;
    }

    /** Writes conditions for both methods that compute bits. */
    interface Writer
    {
        /** A separate method. */
        ExpressionCode code(int variable);
    }

    /**
     * The body that computes the bits that depend only on the row: whether the parts of conditions that read it hold.
     */
    String bitsOfRow(final Writer writer)
    {
        return bits(writer, true);
    }

    /** The body that computes the bits of an attempt from those of the row. */
    String bitsOfAttempt(final Writer writer)
    {
        return bits(writer, false);
    }

    private String bits(final Writer writer, final boolean areOfRow)
    {
        final StringBuilder text = new StringBuilder();
        final List<String> values = new ArrayList<>();
        for (int bit = 0; bit < bits.size(); bit++)
        {
            final int variable = variable(bit);
            final List<Expression> parts =
                ofRow(Conditions.conjuncts(spec.conditions().get(variable)), variable, areOfRow);
            final int mask = 1 << bit;
            if (parts.isEmpty())
            {
                values.add(areOfRow ? Integer.toString(mask) : "bits & " + mask);
                continue;
            }
            final ExpressionCode code = writer.code(variable);
            final List<String> tests = new ArrayList<>();
            parts.forEach(part -> tests.add(code.condition(part)));
            text.append("    final boolean c").append(bit).append(";\n    {\n").append(code.text())
                .append("    c").append(bit).append(" = ").append(String.join(" & ", tests)).append(";\n    }\n");
            values.add(areOfRow ? "(c" + bit + " ? " + mask + " : 0)" : "(c" + bit + " ? bits & " + mask + " : 0)");
        }
        return text + "    return " + (values.isEmpty() ? "0" : String.join(" | ", values)) + ";\n";
    }

    /**
     * Statements that find the next one of some positions by calling conditions, or, with labellings, the variables
     * that fit.
     *
     * @param positions source text of the array with the positions
     */
    String steps(final int[] follow, final String positions, final String arguments)
    {
        if (all)
        {
            return variables(follow, arguments);
        }
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < follow.length; i++)
        {
            final int variable = program.labels()[follow[i]];
            if (spec.conditions().get(variable) == null)
            {
                return text + "return " + positions + '[' + i + "];\n";
            }
            text.append("if (holds").append(variable).append('(').append(arguments).append(")) return ")
                .append(positions).append('[').append(i).append("]; ");
        }
        return text + "return DEAD;\n";
    }

    /**
     * Up to the first position that completes a match, when that position wins: conditions of later ones are not
     * computed.
     */
    private String variables(final int[] follow, final String arguments)
    {
        final StringBuilder text = new StringBuilder("{ long set = 0L; ");
        long tested = 0;
        for (final int position : follow)
        {
            final int variable = program.labels()[position];
            final long bit = 1L << variable;
            if ((tested & bit) == 0)
            {
                text.append(spec.conditions().get(variable) == null ? "" : "if (holds" + variable + '(' + arguments +
                    ")) ").append("set |= 1L << ").append(variable).append("; ");
                tested |= bit;
            }
            if (endsWithMatch && paths.accepts(position))
            {
                text.append("if ((set & 1L << ").append(variable).append(") != 0L) return set; ");
            }
        }
        return text + "return set; }\n";
    }

    /** Whether a condition is the same for all attempts. */
    boolean isRowLocal(final int variable)
    {
        return (program.rowLocal() & 1L << variable) != 0;
    }
}

package dev.millrace.cql.language.semantic;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.semantic.LogicalMatch.Leaf;
import dev.millrace.cql.language.types.CqlAggregate;
import dev.millrace.cql.language.types.NumericLiteral;
import dev.millrace.cql.language.types.PatternFunction;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * Replaces the values that conditions and measures read from the match with columns, one per leaf. Navigation over an
 * expression becomes navigation of each of its columns. Used for one pattern, not thread-safe.
 */
final class MatchReferenceRewriter extends SqlShuttle
{
    /** Maximum number of rows for navigation. */
    static final int MAX_OFFSET_ROWS = 10_000;

    /** The target of the current navigation. */
    private record Step(String function, boolean first, int offset, int back, long maxAgeMs, boolean running)
    {
    }

    private static final Step ROW_AT_HAND = new Step("", false, 0, 0, -1, true);

    private final MatchVariables variables;
    private final MatchColumns columns;
    private final CallResolver functions;
    private final List<Leaf> leaves = new ArrayList<>();
    private final List<SqlCall> aggregates = new ArrayList<>();
    private int defined = -1;
    private Step step;
    private boolean inAggregate;
    private boolean running = true;
    private long mask;

    MatchReferenceRewriter(final MatchVariables variables, final MatchColumns columns, final CallResolver functions)
    {
        this.variables = variables;
        this.columns = columns;
        this.functions = functions;
    }

    /** The leaves; aggregates among them do not have types and arguments yet. */
    List<Leaf> leaves()
    {
        return leaves;
    }

    /** For each leaf the call of an aggregate with arguments over the source, or {@code null}. */
    List<SqlCall> aggregates()
    {
        return aggregates;
    }

    /** The condition of a variable over leaves. */
    SqlNode condition(final SqlNode condition, final int variable)
    {
        defined = variable;
        return condition.accept(this);
    }

    /** A measure over leaves. */
    SqlNode measure(final SqlNode value)
    {
        defined = -1;
        return value.accept(this);
    }

    /** A column of the row for which a result row is emitted. */
    SqlNode rowColumn(final int column, final SqlParserPos position)
    {
        return leaf(new LogicalMatch.RowColumn(column, columns.type(column)), null, position);
    }

    private SqlNode leaf(final Leaf leaf, final SqlCall aggregate, final SqlParserPos position)
    {
        leaves.add(leaf);
        aggregates.add(aggregate);
        return MatchTypeInference.column(MatchTypeInference.leafName(leaves.size() - 1), position);
    }

    @Override
    public SqlNode visit(final SqlIdentifier name)
    {
        if (name.isStar())
        {
            throw new CqlRuleException(Message.UNEXPECTED_TOKEN, name.getParserPosition(), "'*'", "a column");
        }
        final SqlNode java = functions.path(name, this::columnParts);
        if (java != null)
        {
            return java.accept(this);
        }
        final SqlParserPos position = name.getParserPosition();
        final long rows = name.isSimple() ? MatchVariables.ALL : variables.need(name);
        final int last = name.names.size() - 1;
        final int column = columns.need(name.names.get(last), name.getComponentParserPosition(last));
        ofRows(rows, position);
        if (inAggregate)
        {
            return MatchTypeInference.column(columns.name(column), position);
        }
        final Step from = step == null ? ROW_AT_HAND : step;
        return leaf(new LogicalMatch.Navigation(rows, from.first(), from.offset(), from.back(), from.maxAgeMs(),
            from.running(), column, columns.type(column)), null, position);
    }

    /** An aggregate or navigation must be over the rows of one variable or SUBSET. */
    private void ofRows(final long rows, final SqlParserPos position)
    {
        if (inAggregate || step != null)
        {
            if (mask != 0 && mask != rows)
            {
                throw new CqlRuleException(Message.SEVERAL_VARIABLES, position, inAggregate ? "an aggregate" :
                    step.function());
            }
            mask = rows;
        }
    }

    @Override
    public SqlNode visit(final SqlCall written)
    {
        final SqlNode java = functions.path(written, this::columnParts);
        if (java != null)
        {
            return java.accept(this);
        }
        final SqlCall call = functions.call(written);
        if (call.getOperator() instanceof PatternFunction operator)
        {
            return switch (operator.family())
            {
                case NAVIGATION -> navigation(call, operator);
                case MATCH -> ofMatch(call, operator);
                case VIEW -> view(call, operator);
            };
        }
        if (call.getOperator() instanceof SqlAggFunction)
        {
            return aggregate(call);
        }
        SelectResolver.checkOperands(call);
        return copy(call);
    }

    private int columnParts(final List<String> names)
    {
        return names.size() > 1 && variables.maskOf(names.get(0)) != 0 ? 2 : columns.has(names.get(0)) ? 1 : 0;
    }

    private SqlCall copy(final SqlCall call)
    {
        final List<SqlNode> operands = new ArrayList<>();
        for (final SqlNode operand : call.getOperandList())
        {
            operands.add(operand == null ? null : operand.accept(this));
        }
        return new SqlBasicCall(call.getOperator(), operands, call.getParserPosition(), call.getFunctionQuantifier());
    }

    private SqlNode view(final SqlCall call, final PatternFunction operator)
    {
        final SqlNode seen = call.operand(0);
        final boolean fits = seen instanceof SqlCall inner &&
            (inner.getOperator() == PatternFunction.FIRST || inner.getOperator() == PatternFunction.LAST ||
            functions.call(inner).getOperator() instanceof SqlAggFunction);
        if (!fits)
        {
            throw new CqlRuleException(Message.VIEW_ARGUMENT, call.getParserPosition(), operator.getName());
        }
        if (operator == PatternFunction.FINAL && defined >= 0)
        {
            throw new CqlRuleException(Message.ONLY_IN_MEASURES, call.getParserPosition(), operator.getName());
        }
        final boolean before = running;
        running = operator == PatternFunction.RUNNING;
        final SqlNode result = seen.accept(this);
        running = before;
        return result;
    }

    private SqlNode ofMatch(final SqlCall call, final PatternFunction operator)
    {
        if (operator == PatternFunction.MATCH_NUMBER)
        {
            if (defined >= 0)
            {
                // Attempts are matched in parallel: the number of a match is known only when older attempts have ended.
                throw new CqlRuleException(Message.ONLY_IN_MEASURES, call.getParserPosition(), operator.getName())
                    .withHint("the number of a match is known when the match is complete: use it in MEASURES and " +
                        "test it in WHERE");
            }
            if (step != null)
            {
                throw new CqlRuleException(Message.NESTED_NAVIGATION, call.getParserPosition(), operator.getName(),
                    step.function()).withHint("all rows of a match have the same number: write match_number() alone");
            }
            return inAggregate ? MatchTypeInference.column(MatchColumns.MATCH_NUMBER, call.getParserPosition()) :
                leaf(new LogicalMatch.MatchNumber(), null, call.getParserPosition());
        }
        long rows = MatchVariables.ALL;
        if (call.operandCount() == 1)
        {
            if (!(call.operand(0) instanceof SqlIdentifier name) || !name.isSimple() || name.isStar())
            {
                throw new CqlRuleException(Message.NAVIGATION_ARGUMENT, call.operand(0).getParserPosition(),
                    operator.getName());
            }
            rows = variables.need(name);
        }
        ofRows(rows, call.getParserPosition());
        if (inAggregate)
        {
            return MatchTypeInference.column(MatchColumns.CLASSIFIER, call.getParserPosition());
        }
        final Step from = step == null ? ROW_AT_HAND : step;
        return leaf(new LogicalMatch.Classifier(rows, from.first(), from.offset(), from.back(), from.maxAgeMs(),
            from.running()), null, call.getParserPosition());
    }

    private void refuseNesting(final SqlCall call, final String function)
    {
        if (inAggregate || step != null)
        {
            throw new CqlRuleException(Message.NESTED_NAVIGATION, call.getParserPosition(), function,
                inAggregate ? "an aggregate" : step.function());
        }
    }

    private SqlNode aggregate(final SqlCall call)
    {
        if (inAggregate)
        {
            throw new CqlRuleException(Message.NESTED_AGGREGATE, call.getParserPosition());
        }
        final String function = call.getOperator().getName().toLowerCase(Locale.ROOT);
        refuseNesting(call, function);
        if (call.operandCount() == 1 && call.operand(0) instanceof SqlIdentifier star && star.isStar())
        {
            if (call.getOperator() != CqlAggregate.COUNT || call.getFunctionQuantifier() != null)
            {
                throw new CqlRuleException(Message.UNEXPECTED_TOKEN, star.getParserPosition(), "'*'", "a column");
            }
            final long rows = star.names.size() == 1 ? MatchVariables.ALL : variables.need(star);
            return leaf(new LogicalMatch.Aggregate(rows, function, List.of(), false, running, CqlType.BIGINT), null,
                call.getParserPosition());
        }
        SelectResolver.checkOperands(call);
        inAggregate = true;
        mask = 0;
        final SqlCall overSource = copy(call);
        inAggregate = false;
        return leaf(new LogicalMatch.Aggregate(mask == 0 ? MatchVariables.ALL : mask, function, List.of(), false,
            running, CqlType.BIGINT), overSource, call.getParserPosition());
    }

    private SqlNode navigation(final SqlCall call, final PatternFunction operator)
    {
        refuseNesting(call, operator.getName());
        if (operator == PatternFunction.FIRST || operator == PatternFunction.LAST)
        {
            return navigate(call.operand(0), labelled(call, operator, 0, -1));
        }
        if (operator == PatternFunction.NEXT && defined >= 0)
        {
            throw new CqlRuleException(Message.ONLY_IN_MEASURES, call.getParserPosition(), operator.getName());
        }
        final int rows = call.operandCount() == 1 ? 1 : constant(call.operand(1), operator);
        final int back = operator == PatternFunction.NEXT ? -rows : rows;
        final long maxAgeMs = call.operandCount() < 3 ? -1 : constant(call.operand(2), operator, Integer.MAX_VALUE);
        SqlNode inner = call.operand(0);
        final boolean before = running;
        if (inner instanceof SqlCall view && view.getOperator() instanceof PatternFunction seen &&
            seen.family() == PatternFunction.Family.VIEW)
        {
            if (seen == PatternFunction.FINAL && defined >= 0)
            {
                throw new CqlRuleException(Message.ONLY_IN_MEASURES, view.getParserPosition(), seen.getName());
            }
            running = seen == PatternFunction.RUNNING;
            inner = view.operand(0);
        }
        final SqlNode result;
        if (inner instanceof SqlCall nested &&
            (nested.getOperator() == PatternFunction.FIRST || nested.getOperator() == PatternFunction.LAST))
        {
            result = navigate(nested.operand(0),
                labelled(nested, (PatternFunction) nested.getOperator(), back, maxAgeMs));
        }
        else
        {
            result = navigate(inner, new Step(operator.getName(), false, 0, back, maxAgeMs, running));
            if (defined >= 0 && mask != MatchVariables.ALL && mask != 1L << defined || isSubset(inner))
            {
                throw new CqlRuleException(Message.PREV_OTHER_VARIABLE, call.getParserPosition(),
                    variables.names().get(defined), columnOf(inner));
            }
        }
        running = before;
        return result;
    }

    /** A SUBSET that contains only the variable is not the variable. */
    private boolean isSubset(final SqlNode argument)
    {
        return defined >= 0 && argument instanceof SqlIdentifier name && !name.isSimple() &&
            variables.isSubset(name.names.get(0));
    }

    private static String columnOf(final SqlNode argument)
    {
        return argument instanceof SqlIdentifier name ? name.names.get(name.names.size() - 1) : "column";
    }

    private Step labelled(final SqlCall call, final PatternFunction operator, final int back, final long maxAgeMs)
    {
        return new Step(operator.getName(), operator == PatternFunction.FIRST,
            call.operandCount() == 1 ? 0 : constant(call.operand(1), operator), back, maxAgeMs, running);
    }

    private SqlNode navigate(final SqlNode argument, final Step to)
    {
        SelectResolver.refuseCondition(argument);
        step = to;
        mask = 0;
        final SqlNode result = argument.accept(this);
        step = null;
        if (mask == 0)
        {
            throw new CqlRuleException(Message.NAVIGATION_ARGUMENT, argument.getParserPosition(), to.function());
        }
        return result;
    }

    private static int constant(final SqlNode operand, final PatternFunction function)
    {
        final int rows = constant(operand, function, Integer.MAX_VALUE);
        if (rows > MAX_OFFSET_ROWS)
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, operand.getParserPosition(),
                "looking more than " + MAX_OFFSET_ROWS + " rows away", "");
        }
        return rows;
    }

    private static int constant(final SqlNode operand, final PatternFunction function, final int max)
    {
        if (!(operand instanceof NumericLiteral number) || number.cqlType() != CqlType.INT ||
            number.number().signum() < 0 || number.number().compareTo(BigDecimal.valueOf(max)) > 0)
        {
            throw new CqlRuleException(Message.OFFSET_NOT_CONSTANT, operand.getParserPosition(), function.getName());
        }
        return number.number().intValue();
    }
}

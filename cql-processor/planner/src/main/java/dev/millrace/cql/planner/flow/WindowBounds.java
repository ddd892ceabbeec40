package dev.millrace.cql.planner.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.Query;
import dev.millrace.cql.language.syntax.Source;
import dev.millrace.cql.language.syntax.Statement;
import dev.millrace.cql.language.syntax.Window;
import dev.millrace.cql.language.types.CqlAggregate;
import dev.millrace.cql.language.types.CqlFunction;
import dev.millrace.cql.language.types.CqlOperator;
import dev.millrace.cql.language.types.NumericLiteral;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * Defines {@code window_start()} and {@code window_end()} of a select block. The bounds of a window with SLIDE follow
 * from the last multiple of the step, those of a session from the times of its rows. Used for one block, not
 * thread-safe.
 */
final class WindowBounds extends SqlShuttle
{
    /** The pseudocolumn for a row's time. */
    static final String ELEMENT_TIME = "element_time";

    private static final String START = "window_start";
    private static final String END = "window_end";

    private final Query.Select select;
    private boolean isUsed;

    private WindowBounds(final Query.Select select)
    {
        this.select = select;
    }

    /**
     * Replaces the functions with equivalent expressions.
     *
     * @param select block as written
     * @return the block itself if it contains none of the functions
     * @throws CqlRuleException if no window has such bounds
     */
    static Query.Select replaced(final Query.Select select)
    {
        final WindowBounds bounds = new WindowBounds(select);
        final Query.OrderBy order = select.orderBy();
        final Query.Select changed = new Query.Select(select.distinct(),
            select.items().stream().map(item ->
                new Statement.Item(bounds.of(item.expression()), item.alias())).toList(),
            select.from(), bounds.of(select.where()), select.groupBy() == null ? null : bounds.of(select.groupBy()),
            bounds.of(select.having()), order == null ? null : new Query.OrderBy(order.terms().stream().map(term ->
                new Query.OrderTerm(bounds.of(term.value()), term.descending(), term.nullsFirst())).toList(),
            order.rows(), bounds.of(order.partitionBy()), order.position()), select.position());
        return bounds.isUsed ? changed : select;
    }

    private SqlNode of(final SqlNode value)
    {
        return value == null ? null : value.accept(this);
    }

    private List<SqlNode> of(final List<SqlNode> values)
    {
        return values.stream().map(this::of).toList();
    }

    @Override
    public SqlNode visit(final SqlCall call)
    {
        final String name = call.getOperator() instanceof CqlFunction function && function.isPlain() ?
            function.getName().toLowerCase(Locale.ROOT) : "";
        final boolean isStart = name.equals(START);
        if (!isStart && !name.equals(END))
        {
            final SqlNode[] operands = call.getOperandList().stream().map(this::of).toArray(SqlNode[]::new);
            return new SqlBasicCall(call.getOperator(), Arrays.asList(operands), call.getParserPosition(),
                call.getFunctionQuantifier());
        }
        final SqlParserPos position = call.getParserPosition();
        if (call.operandCount() > 0)
        {
            throw new CqlRuleException(Message.ARGUMENT_COUNT, position, name, "no argument", call.operandCount());
        }
        isUsed = true;
        return CqlFunction.call("to_timestamp", position, bound(isStart, name, position));
    }

    /** The bound in nanoseconds. */
    private SqlNode bound(final boolean isStart, final String name, final SqlParserPos position)
    {
        final Source only = select.from().size() == 1 ? select.from().get(0) : null;
        final Window window = only instanceof Source.NamedSource source ? source.window() : null;
        if (window instanceof Window.Range range && range.slide() != null)
        {
            final SqlNode tick = CqlAggregate.TICK.createCall(position, ns(range.slide().ns(), position));
            return isStart ? CqlOperator.MINUS.createCall(position, tick, ns(range.range().ns(), position)) : tick;
        }
        if (window instanceof Window.Session session)
        {
            checkGroups(session, name, position);
            final SqlNode time = new SqlIdentifier(ELEMENT_TIME, position);
            return isStart ? CqlAggregate.MIN.createCall(position, time) : CqlOperator.PLUS.createCall(position,
                CqlAggregate.MAX.createCall(position, time), ns(session.gap().ns(), position));
        }
        throw new CqlRuleException(Message.WINDOW_BOUNDS, position, name);
    }

    private static SqlNode ns(final long ns, final SqlParserPos position)
    {
        return new NumericLiteral(BigDecimal.valueOf(ns), CqlType.BIGINT, position);
    }

    /** A group must not contain rows of several sessions. */
    private void checkGroups(final Window.Session session, final String name, final SqlParserPos position)
    {
        for (final SqlIdentifier column : session.columns())
        {
            final boolean isGrouped = select.groupBy() != null && select.groupBy().stream().anyMatch(term ->
                term instanceof SqlIdentifier key && last(key).equalsIgnoreCase(last(column)));
            if (!isGrouped)
            {
                throw new CqlRuleException(Message.WINDOW_BOUNDS, position, name).withHint("group by " + last(column) +
                    ", too: a group would contain rows of several sessions");
            }
        }
    }

    private static String last(final SqlIdentifier name)
    {
        return name.names.get(name.names.size() - 1);
    }
}

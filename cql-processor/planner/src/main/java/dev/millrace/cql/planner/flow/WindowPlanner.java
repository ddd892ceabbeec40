package dev.millrace.cql.planner.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.Suggestions;
import dev.millrace.cql.language.semantic.SourceInfo;
import dev.millrace.cql.language.syntax.ForeignForms;
import dev.millrace.cql.language.syntax.Statement;
import dev.millrace.cql.language.syntax.Window;
import dev.millrace.cql.plan.flow.WindowSpec;
import dev.millrace.cql.planner.expression.Constants;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/** Converts windows of the syntax tree to windows of plans. Used for one source. */
final class WindowPlanner
{
    private final SourceInfo source;
    private final List<String> windows;

    /**
     * @param source  stream below the window
     * @param windows names of the application's windows, as declared
     */
    WindowPlanner(final SourceInfo source, final List<String> windows)
    {
        this.source = source;
        this.windows = windows;
    }

    WindowSpec plan(final Window window)
    {
        if (window instanceof Window.Now)
        {
            return new WindowSpec.Now();
        }
        if (window instanceof Window.Range range)
        {
            return new WindowSpec.Range(range.range().ns(), ns(range.slide()));
        }
        if (window instanceof Window.ValueRange range)
        {
            return valueRange(range);
        }
        if (window instanceof Window.Rows rows)
        {
            return new WindowSpec.Rows(rows.rows(), rows.slide());
        }
        if (window instanceof Window.PartitionRows partition)
        {
            return new WindowSpec.Partition(
                columns(partition.columns()), partition.rows(), ns(partition.range()), ns(partition.slide()));
        }
        if (window instanceof Window.Until until)
        {
            return until(until.column());
        }
        if (window instanceof Window.Session session)
        {
            return new WindowSpec.Session(session.gap().ns(), columns(session.columns()));
        }
        if (window instanceof Window.User user)
        {
            return user(user);
        }
        return new WindowSpec.Unbounded();
    }

    private WindowSpec user(final Window.User user)
    {
        final String written = user.name().getSimple();
        final String name = windows.stream().filter(written::equalsIgnoreCase).findFirst().orElseThrow(() ->
            new CqlRuleException(Message.UNKNOWN_WINDOW, user.name().getParserPosition(), written,
                windows.isEmpty() ? "none" : String.join(", ", windows))
                .withHint(Suggestions.didYouMean(written, windows)).withHint(ForeignForms.calendar(written)));
        final List<Object> arguments = new ArrayList<>();
        for (final SqlNode argument : user.arguments())
        {
            final Object value = Constants.value(argument);
            if (value == null)
            {
                throw new CqlRuleException(Message.WINDOW_ARGUMENT, argument.getParserPosition(), name);
            }
            arguments.add(value);
        }
        return new WindowSpec.User(name, arguments);
    }

    private static long ns(final Statement.Period period)
    {
        return period == null ? 0 : period.ns();
    }

    private WindowSpec valueRange(final Window.ValueRange range)
    {
        final int column = column(range.column());
        final CqlType type = source.columns().get(column).type();
        final boolean isTime = type == CqlType.TIMESTAMP || type == CqlType.INTERVAL;
        if (!type.isNumeric() && !isTime || isTime != range.time())
        {
            throw new CqlRuleException(Message.OPERAND_TYPE, range.column().getParserPosition(), "RANGE ... ON",
                type.cqlName(), isTime ? "an interval" : "a number or a time");
        }
        return new WindowSpec.ValueRange(column, range.range().doubleValue());
    }

    private WindowSpec until(final SqlIdentifier name)
    {
        final int column = column(name);
        final CqlType type = source.columns().get(column).type();
        if (type != CqlType.TIMESTAMP && type != CqlType.BIGINT)
        {
            throw new CqlRuleException(Message.OPERAND_TYPE, name.getParserPosition(), "RANGE UNTIL", type.cqlName(),
                "a timestamp, or a bigint of nanoseconds");
        }
        return new WindowSpec.Until(column);
    }

    private List<Integer> columns(final List<SqlIdentifier> names)
    {
        return names.stream().map(this::column).toList();
    }

    private int column(final SqlIdentifier name)
    {
        final String last = name.names.get(name.names.size() - 1);
        final int column = source.indexOf(last);
        if (column < 0)
        {
            throw new CqlRuleException(Message.UNKNOWN_COLUMN, name.getParserPosition(), source.name(), last,
                String.join(", ", source.columnNames())).withHint(Suggestions.didYouMean(last, source.columnNames()));
        }
        return column;
    }
}

package dev.millrace.cql.planner.flow;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.semantic.SourceInfo;
import dev.millrace.cql.language.syntax.Query;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.plan.flow.WindowSpec;
import dev.millrace.cql.planner.expression.ColumnReferences;
import dev.millrace.cql.planner.expression.ExpressionTranslator;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexNode;

/** Plans the lookup join of rows over {@code [now]} with a lookup source. Used for one join. */
final class LookupJoinPlanner
{
    private final Query.Select select;
    private final LookupTerm pulled;
    private final FlowNode input;
    private final boolean pulledIsLeft;
    private final RowType columns;

    /**
     * @param select       block, for messages
     * @param pulled       lookup source
     * @param input        rows for which the source is queried
     * @param pulledIsLeft whether the source precedes the rows in FROM
     */
    LookupJoinPlanner(final Query.Select select, final LookupTerm pulled, final FlowNode input,
        final boolean pulledIsLeft)
    {
        this.select = select;
        this.pulled = pulled;
        this.input = input;
        this.pulledIsLeft = pulledIsLeft;
        columns = new RowType(pulled.info().columnNames(),
            pulled.info().columns().stream().map(SourceInfo.Column::type).toList());
        if (!isOverNow(input))
        {
            throw new CqlRuleException(switch (pulled.kind())
            {
                case CACHE -> Message.CACHE_WITHOUT_NOW;
                case TABLE -> Message.TABLE_SOURCE_WITHOUT_NOW;
                default -> Message.TABLE_WITHOUT_NOW;
            }, select.from().get(0).position(), "stream");
        }
    }

    private static boolean isOverNow(final FlowNode node)
    {
        return node instanceof FlowNode.Window window ? window.window() instanceof WindowSpec.Now :
            !node.inputs().isEmpty() && node.inputs().stream().anyMatch(LookupJoinPlanner::isOverNow);
    }

    /**
     * The join.
     *
     * @param conjuncts conditions over the columns of both, in the order of FROM
     * @return node whose columns are in the order of FROM
     */
    FlowNode plan(final List<RexNode> conjuncts)
    {
        final int pulledColumns = columns.size();
        final int inputColumns = input.rows().size();
        final ExpressionTranslator translator = translator(input.rows().with(columns));
        final List<Expression> conditions = new ArrayList<>();
        for (final RexNode each : conjuncts)
        {
            conditions.add(translator.translate(!pulledIsLeft ? each : ColumnReferences.shifted(each, column ->
                column < pulledColumns ? column + inputColumns : column - pulledColumns)));
        }
        final FlowNode found = switch (pulled.kind())
        {
            case CACHE -> cache(conditions);
            case TABLE -> table(conditions);
            default -> node(pulled.arguments().stream().map(translator::translate).toList(), List.of());
        };
        final FlowNode left =
            conditions.isEmpty() ? found : new FlowNode.Calc(found, ExpressionTranslator.all(conditions), null);
        return pulledIsLeft ? rotated(left, inputColumns) : left;
    }

    private static ExpressionTranslator translator(final RowType rows)
    {
        return new ExpressionTranslator(index -> new Expression.Column(index, rows.types().get(index), true));
    }

    private FlowNode node(final List<Expression> keys, final List<Integer> keyColumns)
    {
        return new FlowNode.Pull(input, pulled.kind(), pulled.info().name(), columns, keys, keyColumns,
            pulled.details());
    }

    /** A cache is queried with all columns of its key. */
    private FlowNode cache(final List<Expression> conditions)
    {
        final List<Expression> keys = new ArrayList<>();
        final List<Integer> keyColumns = new ArrayList<>();
        for (final String property : pulled.info().keyProperties())
        {
            final int column = pulled.info().indexOf(property);
            final Expression value = take(conditions, column);
            if (value != null)
            {
                keys.add(value);
                keyColumns.add(column);
            }
        }
        if (keys.isEmpty() || keys.size() < pulled.info().keyProperties().size())
        {
            throw new CqlRuleException(Message.CACHE_WITHOUT_KEY, select.where() == null ? select.position() :
                select.where().getParserPosition(), pulled.info().name(),
                String.join(", ", pulled.info().keyProperties()));
        }
        return node(keys, keyColumns);
    }

    /**
     * A table is queried with every column that is compared by equality; the other conditions are tested after the
     * query.
     */
    private FlowNode table(final List<Expression> conditions)
    {
        final List<Expression> keys = new ArrayList<>();
        final List<Integer> keyColumns = new ArrayList<>();
        for (int column = 0; column < columns.size(); column++)
        {
            final Expression value = take(conditions, column);
            if (value != null)
            {
                keys.add(value);
                keyColumns.add(column);
            }
        }
        if (keys.isEmpty())
        {
            throw new CqlRuleException(Message.TABLE_SOURCE_KEY, select.where() == null ? select.position() :
                select.where().getParserPosition(), pulled.info().name());
        }
        return node(keys, keyColumns);
    }

    /** Removes the first equality with a column and returns its other side. */
    private Expression take(final List<Expression> conditions, final int column)
    {
        for (int i = 0; i < conditions.size(); i++)
        {
            final Expression value = keyValue(conditions.get(i), input.rows().size(), column);
            if (value != null)
            {
                conditions.remove(i);
                return value;
            }
        }
        return null;
    }

    /** The other side of an equality with a column of the lookup source, if it depends only on the input row. */
    private static Expression keyValue(final Expression condition, final int inputColumns, final int key)
    {
        if (condition instanceof Expression.Call call && call.operation() == Operation.EQUAL)
        {
            for (int side = 0; side < 2; side++)
            {
                final Expression value = call.arguments().get(1 - side);
                if (call.arguments().get(side) instanceof Expression.Column column &&
                    column.column() == inputColumns + key && ColumnReferences.allBelow(value, inputColumns))
                {
                    return value;
                }
            }
        }
        return null;
    }

    /** Moves the first columns of a row after the others. */
    static FlowNode rotated(final FlowNode node, final int first)
    {
        final List<Field> fields = new ArrayList<>();
        final int size = node.rows().size();
        for (int i = 0; i < size; i++)
        {
            final int column = (i + first) % size;
            fields.add(new Field(node.rows().names().get(column),
                new Expression.Column(column, node.rows().types().get(column), true)));
        }
        return new FlowNode.Calc(node, null, fields);
    }
}

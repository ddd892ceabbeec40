package dev.millrace.cql.language.semantic;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.Statement.Item;
import dev.millrace.cql.language.types.CqlAggregate;
import dev.millrace.cql.language.types.CqlOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * Resolves every name of a select block and checks rules that Calcite does not have: conditions are not values, and
 * aggregates are allowed only in some clauses. Stars are expanded; columns are qualified with the internal name of
 * their source.
 */
final class SelectResolver
{
    /** A select item: the resolved value and the name of its column, explicit when written with AS. */
    record Column(SqlNode value, String name, boolean explicit)
    {
    }

    private final Scope scope;
    private final CallResolver calls;
    private final Map<String, SqlNode> aliases = new HashMap<>();
    private final Set<SqlNode> aggregated = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean aggregates;

    SelectResolver(final Scope scope, final CallResolver calls)
    {
        this.scope = scope;
        this.calls = calls;
    }

    List<Column> items(final List<Item> items)
    {
        final List<Column> columns = new ArrayList<>();
        final Set<String> explicit = new HashSet<>();
        for (final Item item : items)
        {
            if (item.expression() instanceof SqlIdentifier star && star.isStar())
            {
                expand(star, columns);
            }
            else
            {
                final Names names = new Names(null, false);
                final SqlNode value = typed(item.expression().accept(names));
                if (names.aggregate)
                {
                    aggregated.add(value);
                }
                refuseCondition(item.expression());
                if (item.alias() != null)
                {
                    final String alias = item.alias().getSimple();
                    if (!explicit.add(alias.toLowerCase(Locale.ROOT)))
                    {
                        throw new CqlRuleException(Message.DUPLICATE_COLUMN, item.alias().getParserPosition(), alias);
                    }
                    aliases.put(alias.toLowerCase(Locale.ROOT), value);
                }
                columns.add(item.alias() != null
                    ? new Column(value, item.alias().getSimple(), true) : new Column(value, nameOf(value), false));
            }
            if (columns.size() > Message.MAX_COLUMNS)
            {
                throw new CqlRuleException(Message.TOO_MANY_COLUMNS, item.expression().getParserPosition(),
                    columns.size(),
                    Message.MAX_COLUMNS);
            }
        }
        return unique(columns, explicit);
    }

    /** An untyped null is a string, as the empty string is: null || null. */
    private static SqlNode typed(final SqlNode value)
    {
        return SqlUtil.isNullLiteral(value, false)
            ? CqlOperator.CONCAT.createCall(value.getParserPosition(), value, value) : value;
    }

    /** Columns without a name are named by their position; duplicate names get a number. */
    private static List<Column> unique(final List<Column> columns, final Set<String> explicit)
    {
        final Set<String> taken = new HashSet<>(explicit);
        final List<Column> named = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++)
        {
            final String name = columns.get(i).name() == null ? "column" + (i + 1) : columns.get(i).name();
            String free = name;
            if (!columns.get(i).explicit())
            {
                for (int number = 2; !taken.add(free.toLowerCase(Locale.ROOT)); number++)
                {
                    free = name + '_' + number;
                }
            }
            named.add(new Column(columns.get(i).value(), free, columns.get(i).explicit()));
        }
        return named;
    }

    private static String nameOf(final SqlNode value)
    {
        return value instanceof SqlIdentifier name ? name.names.get(1) : null;
    }

    private void expand(final SqlIdentifier star, final List<Column> columns)
    {
        for (int i = 0; i < scope.entries().size(); i++)
        {
            if (star.names.size() == 1 ||
                i == scope.source(star.names.get(0), star.getComponentParserPosition(0)))
            {
                for (final String column : scope.entries().get(i).visible())
                {
                    final SqlParserPos position = star.getParserPosition();
                    columns.add(new Column(new SqlIdentifier(List.of(Scope.internalAlias(i), column), null, position,
                        List.of(position, position)), column, false));
                }
            }
        }
    }

    /** Whether an aggregate has been resolved so far. */
    boolean hasAggregates()
    {
        return aggregates;
    }

    /** Resolves a condition or value over grouped rows, which may contain aggregates and names of the select list. */
    SqlNode resolveGrouped(final SqlNode node)
    {
        return node.accept(new Names(null, true));
    }

    /**
     * Resolves HAVING, after all other clauses.
     *
     * @param condition {@code null} without the clause
     * @param groupBy   {@code null} without the clause
     */
    SqlNode having(final SqlNode condition, final SqlNodeList groupBy)
    {
        if (condition == null)
        {
            return null;
        }
        final SqlNode having = resolveGrouped(condition);
        if (groupBy == null && !aggregates)
        {
            throw new CqlRuleException(Message.HAVING_WITHOUT_AGGREGATE, condition.getParserPosition());
        }
        return having;
    }

    /**
     * Resolves GROUP BY: names of the select list take precedence over those of the sources, except for aggregates.
     *
     * @param terms {@code null} without the clause
     */
    SqlNodeList groupBy(final List<SqlNode> terms, final SqlParserPos position)
    {
        if (terms == null)
        {
            return null;
        }
        final SqlNodeList groupBy = new SqlNodeList(position);
        for (final SqlNode term : terms)
        {
            refuseCondition(term);
            groupBy.add(term.accept(new Names("GROUP BY", true)));
        }
        return groupBy;
    }

    /**
     * Resolves a condition or value.
     *
     * @param clause name of the clause if it cannot contain aggregates, otherwise {@code null}
     */
    SqlNode resolve(final SqlNode node, final String clause)
    {
        return node.accept(new Names(clause, false));
    }

    static void refuseCondition(final SqlNode node)
    {
        if (node instanceof SqlCall call && call.getOperator() instanceof CqlOperator operator &&
            operator.isCondition())
        {
            throw new CqlRuleException(Message.NOT_A_VALUE, node.getParserPosition());
        }
    }

    static void checkOperands(final SqlCall call)
    {
        final List<SqlNode> operands = call.getOperandList();
        for (int i = 0; i < operands.size(); i++)
        {
            if (!(call.getOperator() instanceof CqlOperator operator) || !operator.takesCondition(i, operands.size()))
            {
                refuseCondition(operands.get(i));
            }
        }
    }

    /** Replaces names. */
    private final class Names extends SqlShuttle
    {
        private final String clause;
        private final boolean withAliases;
        private boolean inAggregate;
        private boolean aggregate;

        Names(final String clause, final boolean withAliases)
        {
            this.clause = clause;
            this.withAliases = withAliases;
        }

        @Override
        public SqlNode visit(final SqlIdentifier name)
        {
            if (name.isStar())
            {
                return name;
            }
            if (withAliases && !inAggregate && name.isSimple())
            {
                final SqlNode alias = aliases.get(name.getSimple().toLowerCase(Locale.ROOT));
                if (alias != null)
                {
                    refuseAggregate(alias, name.getParserPosition());
                    return alias;
                }
            }
            final SqlNode java = calls.path(name, scope::columnParts);
            return java == null ? scope.resolve(name) : java.accept(this);
        }

        @Override
        public SqlNode visit(final SqlCall written)
        {
            final SqlNode java = calls.path(written, scope::columnParts);
            if (java != null)
            {
                return java.accept(this);
            }
            final SqlCall call = calls.call(written);
            if (call.getOperator() == SqlStdOperatorTable.FILTER)
            {
                return filtered(call);
            }
            checkOperands(call);
            if (!(call.getOperator() instanceof CqlAggregate))
            {
                if (call.getOperator() instanceof SqlFunction function)
                {
                    throw new CqlRuleException(Message.ONLY_IN_PATTERN, call.getParserPosition(),
                        function.getName().toLowerCase(Locale.ROOT));
                }
                return copy(call);
            }
            if (inAggregate)
            {
                throw new CqlRuleException(Message.NESTED_AGGREGATE, call.getParserPosition());
            }
            refuseAggregate(null, call.getParserPosition());
            aggregates = true;
            aggregate = true;
            inAggregate = true;
            final SqlNode resolved = copy(call);
            inAggregate = false;
            return resolved;
        }

        private SqlNode filtered(final SqlCall call)
        {
            final SqlNode target = call.operand(0).accept(this);
            inAggregate = true;
            final SqlNode condition = call.operand(1).accept(this);
            inAggregate = false;
            return new SqlBasicCall(call.getOperator(), List.of(target, condition), call.getParserPosition());
        }

        private void refuseAggregate(final SqlNode alias, final SqlParserPos position)
        {
            if (clause != null && (alias == null || aggregated.contains(alias)))
            {
                throw new CqlRuleException(Message.AGGREGATE_IN_WHERE, position, clause);
            }
        }

        private SqlNode copy(final SqlCall call)
        {
            final List<SqlNode> operands = new ArrayList<>();
            for (final SqlNode operand : call.getOperandList())
            {
                operands.add(operand.accept(this));
            }
            return new SqlBasicCall(
                call.getOperator(), operands, call.getParserPosition(), call.getFunctionQuantifier());
        }
    }
}

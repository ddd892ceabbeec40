package dev.millrace.cql.language.semantic;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.Query;
import dev.millrace.cql.language.types.CqlAggregate;
import dev.millrace.cql.language.types.CqlTypes;
import dev.millrace.cql.language.types.NumericLiteral;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/** Resolves and types a select block, once the sources of FROM are known. Single use, not thread-safe. */
public final class BlockAnalyzer
{
    private static final HepProgram NO_RULES = HepProgram.builder().build();

    private final Query.Select select;
    private final String text;
    private final PlanningDeadline deadline;
    private final List<Named> sources;
    private final From from;
    private final Scope scope = new Scope();
    private final SelectResolver resolver;
    private final List<SqlNode> hidden = new ArrayList<>();

    /**
     * A source under its alias in the block.
     *
     * @param alias    name
     * @param position position of the name
     * @param info     columns and kind
     * @param measures whether its columns are measures of a pattern
     * @param timed    whether its last column is the row time, which a star does not include
     */
    public record Named(String alias, SqlParserPos position, SourceInfo info, boolean measures, boolean timed)
    {
    }

    /** The structure of FROM. */
    public sealed interface From
    {
    }

    /**
     * A source.
     *
     * @param source its index
     */
    public record Leaf(int source) implements From
    {
    }

    /**
     * Sources separated by commas.
     *
     * @param parts at least one
     */
    public record Product(List<From> parts) implements From
    {
    }

    /**
     * An outer join.
     *
     * @param left      left side
     * @param keepsLeft true for LEFT
     * @param right     right side
     * @param on        condition
     * @param position  position of the join
     */
    public record Outer(From left, boolean keepsLeft, From right, SqlNode on, SqlParserPos position) implements From
    {
    }

    /**
     * @param select   block
     * @param sources  all sources in FROM
     * @param from     structure of FROM
     * @param text     statement, for messages
     * @param deadline deadline of planning
     * @param calls    resolves calls by name
     */
    public BlockAnalyzer(final Query.Select select, final List<Named> sources, final From from, final String text,
        final PlanningDeadline deadline, final CallResolver calls)
    {
        this.select = select;
        this.sources = List.copyOf(sources);
        this.from = from;
        this.text = text;
        this.deadline = deadline;
        sources.forEach(source -> scope.add(source.alias(), source.position(), source.info().columnNames(),
            source.measures(), source.timed()));
        resolver = new SelectResolver(scope, calls);
    }

    /**
     * Analyzes the block.
     *
     * @throws CqlRuleException if the block is invalid
     */
    public LogicalBlock analyze()
    {
        final SqlParserPos position = select.position();
        final List<SelectResolver.Column> columns = resolver.items(select.items());
        final SqlNode where = select.where() == null ? null : resolver.resolve(select.where(), "WHERE");
        final SqlNodeList groupBy = resolver.groupBy(select.groupBy(), position);
        final SqlNode having = resolver.having(select.having(), groupBy);
        if (groupBy != null || resolver.hasAggregates())
        {
            columns.forEach(column -> column.value().accept(new GroupedTime()));
        }
        final LogicalBlock.LogicalOrder order = order(columns);
        final SqlNodeList items = new SqlNodeList(position);
        columns.forEach(column -> items.add(named(column.value(), items.size())));
        hidden.forEach(value -> items.add(named(value, items.size())));
        final SqlSelect resolved = new SqlSelect(position, null, items, node(from), where, groupBy, having, null, null,
            null, null, null, null);
        return convert(resolved, columns, order, groupBy != null || resolver.hasAggregates());
    }

    /** Refuses the time of a row where groups are selected: a group has many times. */
    private final class GroupedTime extends SqlBasicVisitor<Void>
    {
        @Override
        public Void visit(final SqlIdentifier name)
        {
            for (int i = 0; i < scope.entries().size(); i++)
            {
                final Scope.Entry entry = scope.entries().get(i);
                if (entry.timed() && name.names.get(0).equals(Scope.internalAlias(i)) &&
                    entry.indexOf(name.names.get(1)) == entry.columns().size() - 1)
                {
                    throw new CqlRuleException(Message.ELEMENT_TIME_GROUPED, name.getParserPosition());
                }
            }
            return null;
        }

        @Override
        public Void visit(final SqlCall call)
        {
            final boolean isAggregate =
                call.getOperator() instanceof CqlAggregate || call.getOperator() == SqlStdOperatorTable.FILTER;
            return isAggregate ? null : super.visit(call);
        }
    }

    private static SqlNode named(final SqlNode value, final int index)
    {
        return SqlStdOperatorTable.AS.createCall(value.getParserPosition(), value,
            new SqlIdentifier("c" + index, value.getParserPosition()));
    }

    private LogicalBlock.LogicalOrder order(final List<SelectResolver.Column> columns)
    {
        final Query.OrderBy written = select.orderBy();
        if (written == null)
        {
            return null;
        }
        final List<Integer> terms = new ArrayList<>();
        final List<Boolean> descending = new ArrayList<>();
        final List<Boolean> nullsFirst = new ArrayList<>();
        for (final Query.OrderTerm term : written.terms())
        {
            terms.add(column(term.value(), columns));
            descending.add(term.descending());
            nullsFirst.add(term.nullsFirst());
        }
        final List<Integer> partitionBy = new ArrayList<>();
        written.partitionBy().forEach(term -> partitionBy.add(column(term, columns)));
        return new LogicalBlock.LogicalOrder(terms, descending, nullsFirst, written.rows(), partitionBy);
    }

    /** Index of the column to which a term of ORDER BY refers: a position, a column of the list, or a hidden one. */
    private int column(final SqlNode term, final List<SelectResolver.Column> columns)
    {
        if (term instanceof NumericLiteral number)
        {
            final int ordinal = number.cqlType() == CqlType.INT ? number.number().intValueExact() : 0;
            if (ordinal < 1 || ordinal > columns.size())
            {
                throw new CqlRuleException(Message.UNKNOWN_COLUMN, term.getParserPosition(), "the select list", term,
                    "1 to " + columns.size());
            }
            return ordinal - 1;
        }
        if (term instanceof SqlIdentifier name && name.isSimple())
        {
            for (int i = 0; i < columns.size(); i++)
            {
                if (columns.get(i).explicit() && columns.get(i).name().equalsIgnoreCase(name.getSimple()))
                {
                    return i;
                }
            }
        }
        SelectResolver.refuseCondition(term);
        final SqlNode resolved = resolver.resolveGrouped(term);
        for (int i = 0; i < columns.size(); i++)
        {
            if (columns.get(i).value().equalsDeep(resolved, org.apache.calcite.util.Litmus.IGNORE))
            {
                return i;
            }
        }
        if (select.distinct() && select.orderBy().rows() == 0)
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, term.getParserPosition(),
                "ORDER BY of a value that SELECT DISTINCT does not list", "add it to the select list");
        }
        hidden.add(resolved);
        return columns.size() + hidden.size() - 1;
    }

    private SqlNode node(final From part)
    {
        if (part instanceof Leaf leaf)
        {
            final SqlParserPos position = sources.get(leaf.source()).position();
            return SqlStdOperatorTable.AS.createCall(position,
                new SqlIdentifier(SourceTable.nameOf(leaf.source()), position),
                new SqlIdentifier(Scope.internalAlias(leaf.source()), position));
        }
        if (part instanceof Outer outer)
        {
            final SqlNode left = node(outer.left());
            final SqlNode right = node(outer.right());
            return join(outer.position(), left, outer.keepsLeft() ? JoinType.LEFT : JoinType.RIGHT, right,
                resolver.resolve(outer.on(), "ON"));
        }
        SqlNode all = null;
        for (final From each : ((Product) part).parts())
        {
            final SqlNode next = node(each);
            all = all == null ? next : join(next.getParserPosition(), all, JoinType.COMMA, next, null);
        }
        return all;
    }

    private static SqlNode join(
        final SqlParserPos position, final SqlNode left, final JoinType type, final SqlNode right, final SqlNode on)
    {
        return new SqlJoin(position, left, SqlLiteral.createBoolean(false, position), type.symbol(position), right,
            (on == null ? JoinConditionType.NONE : JoinConditionType.ON).symbol(position), on);
    }

    private LogicalBlock convert(final SqlSelect resolved, final List<SelectResolver.Column> columns,
        final LogicalBlock.LogicalOrder order, final boolean aggregates)
    {
        deadline.check();
        final StatementCatalog catalog = new StatementCatalog(sources.stream().map(Named::info).toList());
        final CqlValidator validator = new CqlValidator(catalog, text, deadline);
        final SqlNode validated = validator.validate(resolved);
        final RelDataType rowType = validator.getValidatedNodeType(validated);
        final List<String> names = new ArrayList<>();
        final List<CqlType> types = new ArrayList<>();
        final List<Class<?>> classes = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++)
        {
            final RelDataType type = rowType.getFieldList().get(i).getType();
            names.add(columns.get(i).name());
            types.add(type.getSqlTypeName() == SqlTypeName.NULL ? CqlType.CHAR : CqlTypes.toCql(type));
            classes.add(CqlTypes.javaClass(type));
        }
        deadline.check();
        final RelOptCluster cluster =
            RelOptCluster.create(new HepPlanner(NO_RULES), new RexBuilder(CqlTypes.FACTORY));
        final SqlToRelConverter converter = new SqlToRelConverter(
            (type, query, path, viewPath) ->
            {
                throw new IllegalStateException("views are never expanded, query=" + query);
            },
            validator, catalog, cluster, StandardConvertletTable.INSTANCE, StatementAnalyzer.CONVERTER);
        final RelNode plan = converter.convertQuery(validated, false, true).project();
        return new LogicalBlock(names, types, classes, plan, hidden.size(), aggregates, order);
    }
}

package dev.millrace.cql.planner.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.Suggestions;
import dev.millrace.cql.language.semantic.BlockAnalyzer;
import dev.millrace.cql.language.semantic.CallResolver;
import dev.millrace.cql.language.semantic.LogicalBlock;
import dev.millrace.cql.language.semantic.LogicalMatch;
import dev.millrace.cql.language.semantic.MatchAnalyzer;
import dev.millrace.cql.language.semantic.PlanningDeadline;
import dev.millrace.cql.language.semantic.SourceInfo;
import dev.millrace.cql.language.syntax.Query;
import dev.millrace.cql.language.syntax.Source;
import dev.millrace.cql.language.syntax.Statement;
import dev.millrace.cql.language.syntax.Window;
import dev.millrace.cql.language.types.NumericLiteral;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.WindowSpec;
import dev.millrace.cql.planner.expression.XmlTables;
import dev.millrace.cql.planner.rule.FlowRule;
import dev.millrace.cql.planner.rule.LogicalRules;
import dev.millrace.cql.planner.rule.OrderingScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Plans one statement as a flow: select blocks become joins, filters and groups over windows; implicit operators are
 * added where the statement has none. Single use, not thread-safe.
 */
public final class FlowPlanner
{
    /** Resolves names in FROM. */
    public interface Sources
    {
        /** Columns and kind; throws {@link CqlRuleException} if no source has the name. */
        public SourceInfo info(SqlIdentifier name);

        /** The rows of a channel or view: a stream if the kind is STREAM, otherwise a relation. */
        public FlowNode node(SqlIdentifier name);

        /** The rows of a stream with their time as last column; {@code null} if they have none. */
        public FlowNode timedNode(SqlIdentifier name);

        /** The windows of the application, as declared. */
        public List<String> windows();

        /** Records the logical plan of a select block that scans the sources of these names. */
        public void logical(RelNode plan, List<String> names);
    }

    private final Statement statement;
    private final String text;
    private final PlanningDeadline deadline;
    private final Sources sources;
    private final CallResolver calls;
    private final List<List<OrderingScope>> blocks = new ArrayList<>();

    public FlowPlanner(final Statement statement, final String text, final PlanningDeadline deadline,
        final Sources sources,
        final CallResolver calls)
    {
        this.statement = statement;
        this.text = text;
        this.deadline = deadline;
        this.sources = sources;
        this.calls = calls;
    }

    /** The sources of each outermost select block, after {@link #plan()}. */
    public List<List<OrderingScope>> blocks()
    {
        return blocks;
    }

    /** Plans the statement. */
    public FlowRule plan()
    {
        FlowRule body = query(statement.query());
        if (statement.evaluateEvery() != null)
        {
            final FlowNode evaluated = new FlowNode.Evaluate(body.relation(), statement.evaluateEvery().ns());
            body = body.with(evaluated, body.isStream() ?
                new FlowNode.ToStream(evaluated, FlowNode.StreamKind.ISTREAM, List.of()) : null);
        }
        return toStream(statement, body);
    }

    /** Applies a relation-to-stream operator to a body. */
    private static FlowRule toStream(final Statement statement, final FlowRule body)
    {
        if (statement.toStream() == Statement.ToStream.NONE)
        {
            return body;
        }
        final List<Integer> difference = new ArrayList<>();
        for (final SqlNode term : statement.differenceUsing())
        {
            difference.add(differenceColumn(term, body.names()));
        }
        final boolean isPlain =
            body.isStream() && statement.toStream() == Statement.ToStream.ISTREAM && difference.isEmpty();
        final FlowNode stream = isPlain ? body.stream() : new FlowNode.ToStream(body.relation(),
            switch (statement.toStream())
            {
                case ISTREAM -> FlowNode.StreamKind.ISTREAM;
                case DSTREAM -> FlowNode.StreamKind.DSTREAM;
                default -> FlowNode.StreamKind.RSTREAM;
            }, difference);
        final FlowNode last = body.relation() instanceof FlowNode.Evaluate evaluate ? evaluate.input() :
            body.relation();
        return stream(body, statement.toStream() == Statement.ToStream.RSTREAM && last instanceof FlowNode.Sort sort ?
            new FlowNode.Sort(stream, sort.keys()) : stream);
    }

    private static FlowRule stream(final FlowRule columns, final FlowNode stream)
    {
        return columns.with(new FlowNode.Window(stream, new WindowSpec.Unbounded()), stream);
    }

    private static int differenceColumn(final SqlNode term, final List<String> names)
    {
        if (term instanceof NumericLiteral number && number.cqlType() == CqlType.INT)
        {
            final int ordinal = number.number().intValueExact();
            if (ordinal >= 1 && ordinal <= names.size())
            {
                return ordinal - 1;
            }
        }
        if (term instanceof SqlIdentifier name)
        {
            final String last = name.names.get(name.names.size() - 1);
            for (int i = 0; i < names.size(); i++)
            {
                if (names.get(i).equalsIgnoreCase(last))
                {
                    return i;
                }
            }
        }
        throw new CqlRuleException(Message.UNKNOWN_COLUMN, term.getParserPosition(), "the select list", term,
            String.join(", ", names)).withHint(Suggestions.didYouMean(term.toString(), names));
    }

    private FlowRule query(final Query query)
    {
        deadline.check();
        if (query instanceof Query.Select select)
        {
            return new Block(select).plan();
        }
        if (query instanceof Query.SourceRef alone)
        {
            final FlowRule whole = source(alone.name(), new Window.Unbounded(), null);
            blocks.add(List.of(OrderingScope.of(alone.name().getSimple(), sources.info(alone.name()), whole)));
            return whole;
        }
        final Query.SetOperation set = (Query.SetOperation)query;
        return ordered(set, new SetPlanner(set, query(set.left()), query(set.right())).plan());
    }

    /** ORDER BY of a whole set operation: positions and names refer to the first block's columns. */
    private static FlowRule ordered(final Query.SetOperation set, final FlowRule rule)
    {
        final Query.OrderBy order = set.orderBy();
        if (order == null)
        {
            return rule;
        }
        final List<FlowNode.SortKey> keys = new ArrayList<>();
        for (final Query.OrderTerm term : order.terms())
        {
            keys.add(new FlowNode.SortKey(differenceColumn(term.value(), rule.names()), term.descending(),
                term.nullsFirst()));
        }
        final List<Integer> partitionBy = new ArrayList<>();
        order.partitionBy().forEach(term -> partitionBy.add(differenceColumn(term, rule.names())));
        return sorted(rule, keys, order.rows(), partitionBy);
    }

    private static FlowRule sorted(
        final FlowRule rule, final List<FlowNode.SortKey> keys, final long rows, final List<Integer> partitionBy)
    {
        return rows > 0
            ? rule.with(new FlowNode.Sort(new FlowNode.TopN(rule.relation(), keys, rows, partitionBy), keys), null)
            : rule.with(new FlowNode.Sort(rule.relation(), keys),
                rule.isStream() ? new FlowNode.Sort(rule.stream(), keys) : null);
    }

    /** A channel or view with its window. */
    private FlowRule source(
        final SqlIdentifier name, final Window window, final SqlParserPos windowPosition)
    {
        final SourceInfo info = sources.info(name);
        if (info.kind() == SourceInfo.Kind.CACHE)
        {
            throw windowPosition == null ?
                new CqlRuleException(Message.CACHE_ALONE, name.getParserPosition(), info.name()) :
                new CqlRuleException(Message.WINDOW_ON_CACHE, windowPosition, info.name());
        }
        if (info.kind() == SourceInfo.Kind.TABLE)
        {
            throw windowPosition == null ?
                new CqlRuleException(Message.TABLE_SOURCE_ALONE, name.getParserPosition(), info.name()) :
                new CqlRuleException(Message.WINDOW_ON_TABLE, windowPosition, info.name());
        }
        final FlowNode node = sources.node(name);
        if (info.kind() == SourceInfo.Kind.RELATION)
        {
            if (windowPosition != null)
            {
                throw new CqlRuleException(Message.WINDOW_ON_RELATION, windowPosition, info.name());
            }
            return FlowRule.of(info.columns(), node, null);
        }
        if (window instanceof Window.Unbounded)
        {
            return stream(FlowRule.of(info.columns(), null, null), node);
        }
        final WindowSpec spec = new WindowPlanner(info, sources.windows()).plan(window);
        return FlowRule.of(info.columns(), new FlowNode.Window(node, spec), null);
    }

    /** One select block. */
    private final class Block
    {
        private final Query.Select select;
        private final boolean hasBounds;
        private final List<BlockAnalyzer.Named> named = new ArrayList<>();
        private final List<FlowRule> rules = new ArrayList<>();
        private final List<LookupTerm> pulled = new ArrayList<>();
        private final List<OrderingScope> inputs = new ArrayList<>();

        Block(final Query.Select written)
        {
            select = WindowBounds.replaced(written);
            hasBounds = select != written;
        }

        FlowRule plan()
        {
            final List<BlockAnalyzer.From> parts = new ArrayList<>();
            final int outer = blocks.size();
            select.from().forEach(source -> parts.add(from(source)));
            blocks.subList(outer, blocks.size()).clear();
            blocks.add(scopes());
            final LogicalBlock block = new BlockAnalyzer(select, named, new BlockAnalyzer.Product(parts), text,
                deadline, calls).analyze();
            sources.logical(block.plan(), named.stream().map(BlockAnalyzer.Named::alias).toList());
            final boolean hasOuterJoin = select.from().stream().anyMatch(Source.OuterJoin.class::isInstance);
            final boolean isStream = !block.aggregates() && !hasOuterJoin && pulled.stream().allMatch(each ->
                each == null) && rules.stream().allMatch(FlowRule::isStream);
            final FlowNode relation = build(block, rule -> rule.relation());
            final FlowNode stream = !isStream ? null : rules.size() == 1 && !select.distinct() ?
                build(block, rule -> rule.stream()) :
                new FlowNode.ToStream(relation, FlowNode.StreamKind.ISTREAM, List.of());
            return finish(block, relation, stream);
        }

        /**
         * The sources whose columns a partition expression may name: the input of a pattern, and all other sources
         * except caches.
         */
        private List<OrderingScope> scopes()
        {
            final List<OrderingScope> scopes = new ArrayList<>(inputs);
            for (int i = 0; i < rules.size(); i++)
            {
                if (rules.get(i) != null && !named.get(i).measures())
                {
                    scopes.add(OrderingScope.of(named.get(i).alias(), named.get(i).info(), rules.get(i)));
                }
            }
            return scopes;
        }

        private FlowNode build(final LogicalBlock block, final Function<FlowRule, FlowNode> form)
        {
            final List<FlowNode> nodes = new ArrayList<>();
            rules.forEach(rule -> nodes.add(rule == null ? null : form.apply(rule)));
            final FlowNode built =
                new SelectBlockPlanner(nodes, pulled, select).build(LogicalRules.apply(block.plan()));
            final FlowNode renamed = renamed(built, block);
            return select.distinct() && !picksFirst() ? new FlowNode.Distinct(renamed) : renamed;
        }

        /** ORDER BY ... ROWS selects rows before SELECT DISTINCT removes duplicates. */
        private boolean picksFirst()
        {
            return select.distinct() && select.orderBy() != null && select.orderBy().rows() > 0;
        }

        /** Columns under their names; hidden columns get generated names. */
        private FlowNode renamed(final FlowNode node, final LogicalBlock block)
        {
            final List<Field> fields = new ArrayList<>();
            for (int i = 0; i < node.rows().size(); i++)
            {
                final String name = i < block.names().size() ? block.names().get(i) : "order" + i;
                if (node instanceof FlowNode.Calc calc && calc.fields() != null)
                {
                    fields.add(new Field(name, calc.fields().get(i).expression()));
                }
                else
                {
                    fields.add(new Field(name, new Expression.Column(i, node.rows().types().get(i), true)));
                }
            }
            return node instanceof FlowNode.Calc calc && calc.fields() != null ?
                new FlowNode.Calc(calc.input(), calc.condition(), fields) : new FlowNode.Calc(node, null, fields);
        }

        private FlowRule finish(final LogicalBlock block, final FlowNode relation, final FlowNode stream)
        {
            final LogicalBlock.LogicalOrder order = block.order();
            if (order == null)
            {
                return new FlowRule(block.names(), block.types(), block.classes(), relation, stream);
            }
            final List<FlowNode.SortKey> keys = new ArrayList<>();
            for (int i = 0; i < order.columns().size(); i++)
            {
                keys.add(new FlowNode.SortKey(
                    order.columns().get(i), order.descending().get(i), order.nullsFirst().get(i)));
            }
            final FlowRule rule = sorted(new FlowRule(block.names(), block.types(), block.classes(), relation, stream),
                keys, order.rows(), order.partitionBy());
            final FlowRule shown = block.hidden() == 0 ? rule : rule.with(
                visible(rule.relation(), block), rule.isStream() ? visible(rule.stream(), block) : null);
            return picksFirst() ? shown.with(new FlowNode.Distinct(shown.relation()), null) : shown;
        }

        private FlowNode visible(final FlowNode node, final LogicalBlock block)
        {
            final List<Field> fields = new ArrayList<>();
            for (int i = 0; i < block.names().size(); i++)
            {
                fields.add(new Field(block.names().get(i), new Expression.Column(i, node.rows().types().get(i), true)));
            }
            return new FlowNode.Calc(node, null, fields);
        }

        private BlockAnalyzer.From from(final Source source)
        {
            if (source instanceof Source.OuterJoin join)
            {
                final BlockAnalyzer.From left = from(join.left());
                final BlockAnalyzer.From right = from(join.right());
                return new BlockAnalyzer.Outer(left, join.keepsLeft(), right, join.on(), join.operatorPosition());
            }
            if (source instanceof Source.NamedSource named)
            {
                final SourceInfo info = sources.info(named.name());
                final boolean isCache = info.kind() == SourceInfo.Kind.CACHE;
                if ((isCache || info.kind() == SourceInfo.Kind.TABLE) && named.windowPosition() == null)
                {
                    return add(named.alias() == null ? named.name() : named.alias(), info, null, new LookupTerm(info,
                        isCache ? FlowNode.PullKind.CACHE : FlowNode.PullKind.TABLE, List.of(), List.of()), false);
                }
                return named(named, info);
            }
            if (source instanceof Source.MatchSource matched)
            {
                return match(matched);
            }
            if (source instanceof Source.SubQuery sub)
            {
                final FlowRule rule = toStream(sub.statement(), query(sub.statement().query()));
                return add(sub.alias(), info(sub.alias().getSimple(), rule), rule, null, false);
            }
            if (source instanceof Source.TableFunction table)
            {
                return tableFunction(table);
            }
            final Source.XmlTable table = (Source.XmlTable)source;
            final FlowRule rule = XmlTables.plan(table, FlowPlanner.this::query);
            final SqlIdentifier alias = table.alias() == null ? table.input().name() : table.alias();
            return add(alias, info(alias.getSimple(), rule), rule, null, false);
        }

        /** The rows that a call returns, for each row of the preceding sources. */
        private BlockAnalyzer.From tableFunction(final Source.TableFunction table)
        {
            final RexNode call = arguments(List.of(table.call()), table.position()).get(0);
            final SourceInfo.Column column =
                new TableElements(calls).column(call, table.call().getParserPosition(), table.column(), table.type());
            final SourceInfo info = new SourceInfo(table.alias() == null ? column.name() : table.alias().getSimple(),
                SourceInfo.Kind.TABLE, List.of(column), List.of());
            final SqlIdentifier alias = table.alias() == null ? new SqlIdentifier(column.name(), table.position()) :
                table.alias();
            return add(alias, info, null,
                new LookupTerm(info, FlowNode.PullKind.FUNCTION, List.of(call), List.of(column.javaClass())), false);
        }

        /** Values over the columns of all sources that precede in FROM. */
        private List<RexNode> arguments(final List<SqlNode> values, final SqlParserPos position)
        {
            if (named.isEmpty())
            {
                throw new CqlRuleException(Message.TABLE_ALONE, position);
            }
            final List<BlockAnalyzer.From> before = new ArrayList<>();
            for (int i = 0; i < named.size(); i++)
            {
                before.add(new BlockAnalyzer.Leaf(i));
            }
            final List<Statement.Item> items = new ArrayList<>();
            values.forEach(value -> items.add(new Statement.Item(value, null)));
            final LogicalBlock block = new BlockAnalyzer(
                new Query.Select(false, items, select.from(), null, null, null, null, position), named,
                new BlockAnalyzer.Product(before), text, deadline, calls).analyze();
            if (block.aggregates())
            {
                throw new CqlRuleException(Message.AGGREGATE_IN_WHERE, position, "TABLE( )");
            }
            final RelNode plan = LogicalRules.apply(block.plan());
            final List<RexNode> found = new ArrayList<>();
            for (int i = 0; i < values.size(); i++)
            {
                found.add(plan instanceof Project project ? project.getProjects().get(i) :
                    RexInputRef.of(i, plan.getRowType()));
            }
            return found;
        }

        /** A channel or view; a stream's rows include their time if the statement refers to it. */
        private BlockAnalyzer.From named(final Source.NamedSource named, final SourceInfo info)
        {
            final SqlIdentifier alias = named.alias() == null ? named.name() : named.alias();
            final FlowRule plain = source(named.name(), named.window(), named.windowPosition());
            final FlowNode timed = !hasBounds && !text.toLowerCase(Locale.ROOT).contains(WindowBounds.ELEMENT_TIME) ||
                info.kind() != SourceInfo.Kind.STREAM || info.indexOf(WindowBounds.ELEMENT_TIME) >= 0 ? null :
                sources.timedNode(named.name());
            if (timed == null)
            {
                if (hasBounds && named.window() instanceof Window.Session)
                {
                    throw new CqlRuleException(Message.NOT_AVAILABLE, named.name().getParserPosition(),
                        "the session of rows " +
                        "that have a column element_time", "give the column another name in a view");
                }
                return add(alias, info, plain, null, false);
            }
            final List<SourceInfo.Column> columns = new ArrayList<>(info.columns());
            columns.add(new SourceInfo.Column(WindowBounds.ELEMENT_TIME, CqlType.BIGINT));
            final SourceInfo withTime = new SourceInfo(info.name(), info.kind(), columns, List.of());
            final WindowSpec window = new WindowPlanner(info, sources.windows()).plan(named.window());
            this.named.add(new BlockAnalyzer.Named(
                alias.getSimple(), alias.getParserPosition(), withTime, false, true));
            rules.add(FlowRule.of(columns, new FlowNode.Window(timed, window), plain.isStream() ? timed : null));
            pulled.add(null);
            return new BlockAnalyzer.Leaf(this.named.size() - 1);
        }

        private BlockAnalyzer.From match(final Source.MatchSource matched)
        {
            final SourceInfo info = sources.info(matched.name());
            final LogicalMatch match = MatchAnalyzer.analyze(matched, info, text, deadline, calls);
            final FlowNode.Match node = PatternPlanner.plan(match, sources.node(matched.name()));
            final FlowRule rule = stream(FlowRule.of(match.columns(), null, null), node);
            final SqlIdentifier alias = matched.alias() == null ? matched.name() : matched.alias();
            inputs.add(new OrderingScope(List.of(alias.getSimple(), info.name()), info, node.input()));
            return add(alias, info(alias.getSimple(), rule), rule, null, true);
        }

        private SourceInfo info(final String name, final FlowRule rule)
        {
            return new SourceInfo(name, rule.isStream() ? SourceInfo.Kind.STREAM : SourceInfo.Kind.RELATION,
                rule.columns(), List.of());
        }

        private BlockAnalyzer.From add(final SqlIdentifier alias, final SourceInfo info, final FlowRule rule,
            final LookupTerm asked, final boolean measures)
        {
            named.add(new BlockAnalyzer.Named(alias.getSimple(), alias.getParserPosition(), info, measures,
                false));
            rules.add(rule);
            pulled.add(asked);
            return new BlockAnalyzer.Leaf(named.size() - 1);
        }
    }
}

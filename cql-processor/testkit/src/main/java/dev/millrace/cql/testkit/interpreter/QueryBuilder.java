package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.Expr;
import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import dev.millrace.cql.testkit.interpreter.syntax.SyntaxTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Creates sources of statements and checks everything that can be checked without data. */
final class QueryBuilder
{
    private static final SyntaxTree.Window EVERYTHING =
        new SyntaxTree.Window(SyntaxTree.WindowKind.UNBOUNDED, 0, 0, 0, 1, List.of(), null, false);

    private final Map<String, Entry> catalog = new HashMap<>();

    /** A source with a name and the column names it has under it. */
    record Entry(Source source, List<String> names)
    {
    }

    void add(final String name, final Source source, final List<String> names)
    {
        if (catalog.putIfAbsent(name, new Entry(source, names)) != null)
        {
            throw new InvalidStatementException("the name " + name + " is used twice");
        }
    }

    private Entry find(final String name)
    {
        final Entry entry = catalog.get(name);
        if (entry == null)
        {
            throw new InvalidStatementException("unknown stream or view " + name);
        }
        return entry;
    }

    Source statement(final SyntaxTree.Statement statement)
    {
        Source.Table table = body(statement.body());
        if (statement.everyNs() > 0)
        {
            table = new SampledRelation(table, statement.everyNs());
        }
        if (statement.stream() != null)
        {
            return new RelationToStream(table, statement.stream(), difference(table, statement.difference()));
        }
        return table.grows ? new RelationToStream(table, "istream", null) : table;
    }

    private static int[] difference(final Source.Table table, final List<Object> terms)
    {
        if (terms == null)
        {
            return null;
        }
        return terms.stream().mapToInt(term -> {
            final int index = term instanceof Long place ? place.intValue() - 1 : table.names.indexOf(term);
            if (index < 0 || index >= table.names.size())
            {
                throw new InvalidStatementException("DIFFERENCE USING: " + term + " is not in the select list");
            }
            return index;
        }).toArray();
    }

    private Source.Table body(final SyntaxTree.Body body)
    {
        if (body instanceof SyntaxTree.Select select)
        {
            return select(select);
        }
        if (body instanceof SyntaxTree.Ref ref)
        {
            final Entry entry = find(ref.name());
            return named(entry);
        }
        if (body instanceof SyntaxTree.SetOp setOp)
        {
            return SetRelation.of(setOp.word(), body(setOp.left()), body(setOp.right()));
        }
        final SyntaxTree.Ordered ordered = (SyntaxTree.Ordered)body;
        return ordered(body(ordered.body()), ordered.order());
    }

    /** A source under other column names, as a relation. */
    private static Source.Table named(final Entry entry)
    {
        final Source.Table table = entry.source() instanceof Source.Flow flow ? new Source.SoFar(flow)
            : (Source.Table)entry.source();
        return table.names.equals(entry.names()) ? table : new Renamed(table, entry.names());
    }

    private static final class Renamed extends Source.Table
    {
        private final Source.Table table;

        Renamed(final Source.Table table, final List<String> names)
        {
            super(names, table.types, table.bases, table.initial, table.grows);
            this.table = table;
        }

        @Override
        List<Row> at(final Evaluation run, final long time)
        {
            return table.at(run, time);
        }

        @Override
        void instants(final Evaluation run, final java.util.Set<Long> instants)
        {
            table.instants(run, instants);
        }
    }

    /** ORDER BY over a set operation: positions and names of its columns only. */
    private static Source.Table ordered(final Source.Table table, final Expr.Order order)
    {
        final JoinRelation from = new JoinRelation.Whole(table, table.names, "");
        final List<TypedExpression> items = new ArrayList<>();
        final Binder binder = new Binder(from.scope);
        for (int i = 0; i < table.names.size(); i++)
        {
            final int index = i;
            items.add(new TypedExpression(table.types.get(i), env -> env.row[index]));
        }
        final List<SelectRelation.Key> keys = new ArrayList<>();
        for (final Expr.Term term : order.terms())
        {
            final TypedExpression typed = term.expr() instanceof Expr.Lit lit ? items.get(place(lit, items.size()))
                : binder.bind(term.expr(), false);
            keys.add(new SelectRelation.Key(typed, term.descending(), term.nullsFirst()));
        }
        final List<TypedExpression> partition =
            order.partition().stream().map(expr -> binder.bind(expr, false)).toList();
        return new SelectRelation(from, new SelectRelation.Parts(table.names, items, false, null, null, List.of(),
            null, keys, order.rows(), partition, null), table.initial, table.grows && order.rows() == 0);
    }

    private static int place(final Expr.Lit lit, final int count)
    {
        if (!(lit.value() instanceof Integer number) || number < 1 || number > count)
        {
            throw new InvalidStatementException("ORDER BY position out of range");
        }
        return number - 1;
    }

    private JoinRelation from(final SyntaxTree.From from)
    {
        if (from instanceof SyntaxTree.Cross cross)
        {
            return new JoinRelation.Pair(from(cross.left()), from(cross.right()), null, null);
        }
        if (from instanceof SyntaxTree.Outer outer)
        {
            return new JoinRelation.Pair(from(outer.first()), from(outer.second()), outer.right(), outer.on());
        }
        if (from instanceof SyntaxTree.Sub sub)
        {
            final Source source = statement(sub.statement());
            return joined(new Entry(source, source.names), null, sub.alias());
        }
        if (from instanceof SyntaxTree.Matched matched)
        {
            final Entry entry = find(matched.name());
            if (!(entry.source() instanceof Source.Flow flow))
            {
                throw new InvalidStatementException("MATCH_RECOGNIZE needs a stream, " + matched.name() +
                    " is a relation");
            }
            final Source.Flow match = MatchRelation.of(flow, entry.names(), matched.match());
            return joined(new Entry(match, match.names), null, matched.alias());
        }
        final SyntaxTree.Named named = (SyntaxTree.Named)from;
        return joined(find(named.name()), named.window(), named.alias());
    }

    private static JoinRelation joined(final Entry entry, final SyntaxTree.Window window, final String alias)
    {
        if (entry.source() instanceof Source.Table table)
        {
            if (window != null)
            {
                throw new InvalidStatementException("window on a relation");
            }
            return new JoinRelation.Whole(table, entry.names(), alias);
        }
        final Source.Flow flow = (Source.Flow)entry.source();
        if (flow.names.equals(entry.names()))
        {
            return new JoinRelation.Windowed(flow, entry.names(), window == null ? EVERYTHING : window, alias);
        }
        return new JoinRelation.Windowed(new RenamedFlow(flow, entry.names()), entry.names(),
            window == null ? EVERYTHING : window, alias);
    }

    private static final class RenamedFlow extends Source.Flow
    {
        private final Source.Flow flow;

        RenamedFlow(final Source.Flow flow, final List<String> names)
        {
            super(names, flow.types, flow.bases);
            this.flow = flow;
        }

        @Override
        List<Item> compute(final Evaluation run)
        {
            return flow.items(run);
        }
    }

    private static List<SyntaxTree.Item> expand(final List<SyntaxTree.Item> items, final Scope scope)
    {
        final List<SyntaxTree.Item> expanded = new ArrayList<>();
        for (final SyntaxTree.Item item : items)
        {
            if (!(item.expr() instanceof Expr.Star star))
            {
                expanded.add(item);
                continue;
            }
            final int before = expanded.size();
            for (final Scope.Part part : scope.parts())
            {
                if (star.qualifier() == null || star.qualifier().equals(part.alias()))
                {
                    part.names().forEach(name ->
                        expanded.add(new SyntaxTree.Item(new Expr.Col(part.alias(), name), null)));
                }
            }
            if (expanded.size() == before)
            {
                throw new InvalidStatementException("unknown source " + star.qualifier());
            }
        }
        return expanded;
    }

    private Source.Table select(final SyntaxTree.Select select)
    {
        final JoinRelation from = from(select.from());
        final Binder binder = new Binder(from.scope, from.windows());
        final List<SyntaxTree.Item> items = expand(select.items(), from.scope);
        final List<String> names = new ArrayList<>();
        final Map<String, Expr> aliases = new HashMap<>();
        for (final SyntaxTree.Item item : items)
        {
            names.add(item.alias() != null ? item.alias()
                : item.expr() instanceof Expr.Col col ? col.name() : "$" + names.size());
            if (item.alias() != null)
            {
                aliases.put(item.alias(), item.expr());
            }
        }
        final List<TypedExpression> typed = items.stream().map(item -> binder.bind(item.expr(), false)).toList();
        if (select.where() != null && Binder.hasAggregate(select.where()))
        {
            throw new InvalidStatementException("aggregate in WHERE");
        }
        final TypedExpression where = select.where() == null ? null : binder.condition(select.where());
        final Expr having = select.having() == null ? null : Expr.replace(select.having(), aliases);
        final boolean aggregated = select.group() != null || having != null
            || items.stream().anyMatch(item -> Binder.hasAggregate(item.expr()));
        final List<Expr> group = select.group() == null ? List.of()
            : select.group().stream().map(expr -> Expr.replace(expr, aliases)).toList();
        if (group.stream().anyMatch(Binder::hasAggregate))
        {
            throw new InvalidStatementException("aggregate in GROUP BY");
        }
        if (aggregated)
        {
            checkAggregated(items, having, group, binder);
            if (from.windows() != null)
            {
                from.windows().checkGrouped(group.stream().map(expr -> expr instanceof Expr.Col col ? col.name() : "")
                    .toList());
            }
        }
        final List<TypedExpression> keys = group.stream().map(expr -> binder.bind(expr, false)).toList();
        final List<SelectRelation.Key> order = select.order() == null ? null
            : order(select.order(), items, aliases, binder, aggregated ? group : null);
        final long top = select.order() == null ? 0 : select.order().rows();
        final List<TypedExpression> partition = select.order() == null ? List.of() : select.order().partition().stream()
            .map(expr -> binder.bind(Expr.replace(expr, aliases), false)).toList();
        final boolean single = aggregated && select.group() == null;
        return new SelectRelation(from, new SelectRelation.Parts(names, typed, select.distinct(), where,
            aggregated ? keys : null, binder.aggregated(), having == null ? null : binder.condition(having), order,
            top, partition, numbers(items, binder, aggregated ? group : null)), single || from.initial,
            from.grows && !aggregated && top == 0 &&
                items.stream().noneMatch(item -> item.expr() instanceof Expr.RowNumber));
    }

    /** How rows are numbered; null when they are not. */
    private static SelectRelation.Numbers numbers(
        final List<SyntaxTree.Item> items, final Binder binder, final List<Expr> group)
    {
        for (final SyntaxTree.Item item : items)
        {
            if (item.expr() instanceof Expr.RowNumber number)
            {
                return new SelectRelation.Numbers(order(number.order(), items, Map.of(), binder, group),
                    number.order().partition().stream().map(expr -> binder.bind(expr, false)).toList());
            }
        }
        return null;
    }

    private static void checkAggregated(
        final List<SyntaxTree.Item> items, final Expr having, final List<Expr> group, final Binder binder)
    {
        for (final SyntaxTree.Item item : items)
        {
            if (item.expr() instanceof Expr.Col col && col.name().equals(Scope.TIME))
            {
                throw new InvalidStatementException("ELEMENT_TIME in the select list of a grouped query");
            }
            binder.checkGrouped(item.expr(), group);
        }
        if (having != null)
        {
            binder.checkGrouped(having, group);
        }
    }

    private static List<SelectRelation.Key> order(final Expr.Order order, final List<SyntaxTree.Item> items,
        final Map<String, Expr> aliases, final Binder binder, final List<Expr> group)
    {
        final List<SelectRelation.Key> keys = new ArrayList<>();
        for (final Expr.Term term : order.terms())
        {
            Expr expr = term.expr();
            if (expr instanceof Expr.Lit lit && lit.value() instanceof Integer)
            {
                expr = items.get(place(lit, items.size())).expr();
            }
            expr = Expr.replace(expr, aliases);
            if (group != null)
            {
                binder.checkGrouped(expr, group);
            }
            keys.add(new SelectRelation.Key(binder.bind(expr, false), term.descending(), term.nullsFirst()));
        }
        return keys;
    }
}

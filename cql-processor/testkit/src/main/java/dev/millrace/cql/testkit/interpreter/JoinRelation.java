package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.Expr;
import dev.millrace.cql.testkit.interpreter.syntax.SyntaxTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** FROM: the combined rows of its sources at an instant. */
abstract class JoinRelation
{
    final Scope scope = new Scope();
    final Set<String> bases = new HashSet<>();
    boolean grows;
    boolean initial;

    abstract List<Object[]> at(Evaluation run, long time);

    abstract void instants(Evaluation run, Set<Long> instants);

    /** The window, when it is the only source. */
    Windows windows()
    {
        return null;
    }

    /** A stream with a window. */
    static final class Windowed extends JoinRelation
    {
        private final Source.Flow flow;
        private final Windows windows;

        Windowed(final Source.Flow flow, final List<String> names, final SyntaxTree.Window window, final String alias)
        {
            this.flow = flow;
            windows = new Windows(window, flow);
            scope.add(alias, names, flow.types, true);
            bases.addAll(flow.bases);
            grows = windows.grows();
        }

        @Override
        Windows windows()
        {
            return windows;
        }

        @Override
        List<Object[]> at(final Evaluation run, final long time)
        {
            final List<Object[]> rows = new ArrayList<>();
            for (final Source.Item item : windows.at(flow.items(run), time, run.isLoose))
            {
                final Object[] row = java.util.Arrays.copyOf(item.row().values(), flow.types.size() + 1);
                row[flow.types.size()] = item.time();
                rows.add(row);
            }
            return rows;
        }

        @Override
        void instants(final Evaluation run, final Set<Long> instants)
        {
            windows.instants(flow.items(run), instants);
        }
    }

    /** A relation. */
    static final class Whole extends JoinRelation
    {
        private final Source.Table table;

        Whole(final Source.Table table, final List<String> names, final String alias)
        {
            this.table = table;
            scope.add(alias, names, table.types, false);
            bases.addAll(table.bases);
            initial = table.initial;
        }

        @Override
        List<Object[]> at(final Evaluation run, final long time)
        {
            final List<Object[]> rows = new ArrayList<>();
            table.at(run, time).forEach(row -> rows.add(java.util.Arrays.copyOf(row.values(), table.types.size() + 1)));
            return rows;
        }

        @Override
        void instants(final Evaluation run, final Set<Long> instants)
        {
            instants.addAll(table.changes(run));
        }
    }

    /** Two sides: product, or outer join when there is a condition. */
    static final class Pair extends JoinRelation
    {
        private final JoinRelation left;
        private final JoinRelation right;
        private final Boolean keepRight;
        private final TypedExpression on;

        Pair(final JoinRelation left, final JoinRelation right, final Boolean keepRight, final Expr on)
        {
            this.left = left;
            this.right = right;
            this.keepRight = keepRight;
            scope.addAll(left.scope);
            scope.addAll(right.scope);
            bases.addAll(left.bases);
            bases.addAll(right.bases);
            grows = keepRight == null && left.grows && right.grows;
            initial = left.initial || right.initial;
            this.on = on == null ? null : new Binder(scope).condition(on);
        }

        @Override
        List<Object[]> at(final Evaluation run, final long time)
        {
            final List<Object[]> a = left.at(run, time);
            final List<Object[]> b = right.at(run, time);
            final List<Object[]> rows = new ArrayList<>();
            final boolean[] hit = new boolean[b.size()];
            final Env env = new Env();
            for (final Object[] x : a)
            {
                boolean found = false;
                for (int i = 0; i < b.size(); i++)
                {
                    final Object[] both = both(x, b.get(i));
                    env.row = both;
                    if (on == null || on.holds(env))
                    {
                        rows.add(both);
                        found = true;
                        hit[i] = true;
                    }
                }
                if ((!found || run.isLoose) && Boolean.FALSE.equals(keepRight))
                {
                    rows.add(both(x, new Object[right.scope.width()]));
                }
            }
            for (int i = 0; Boolean.TRUE.equals(keepRight) && i < b.size(); i++)
            {
                if (!hit[i] || run.isLoose)
                {
                    rows.add(both(new Object[left.scope.width()], b.get(i)));
                }
            }
            return rows;
        }

        private Object[] both(final Object[] x, final Object[] y)
        {
            final Object[] both = java.util.Arrays.copyOf(x, x.length + y.length);
            System.arraycopy(y, 0, both, x.length, y.length);
            return both;
        }

        @Override
        void instants(final Evaluation run, final Set<Long> instants)
        {
            left.instants(run, instants);
            right.instants(run, instants);
        }
    }
}

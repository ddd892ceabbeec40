package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A stream or a relation, by definition: nothing in it is incremental. */
abstract class Source
{
    final List<String> names;
    final List<Type> types;
    /** Input streams and relations on which it depends. */
    final Set<String> bases;

    Source(final List<String> names, final List<Type> types, final Set<String> bases)
    {
        this.names = names;
        this.types = types;
        this.bases = bases;
    }

    /** A row of a stream. */
    record Item(long time, Row row)
    {
    }

    /** A stream: rows in order of arrival. */
    abstract static class Flow extends Source
    {
        Flow(final List<String> names, final List<Type> types, final Set<String> bases)
        {
            super(names, types, bases);
        }

        @SuppressWarnings("unchecked") // Only this method stores values under this key.
        final List<Item> items(final Evaluation run)
        {
            List<Item> items = (List<Item>)run.known.get(this);
            if (items == null)
            {
                items = compute(run);
                run.known.put(this, items);
            }
            return items;
        }

        abstract List<Item> compute(Evaluation run);
    }

    /** A relation: a bag of rows for every instant. */
    abstract static class Table extends Source
    {
        /** Whether it has rows from the beginning of time. */
        final boolean initial;
        /** Whether it can only grow. */
        final boolean grows;

        Table(final List<String> names, final List<Type> types, final Set<String> bases, final boolean initial,
            final boolean grows)
        {
            super(names, types, bases);
            this.initial = initial;
            this.grows = grows;
        }

        abstract List<Row> at(Evaluation run, long time);

        /** Adds the instants at which it can change. */
        abstract void instants(Evaluation run, Set<Long> instants);

        final TreeSet<Long> changes(final Evaluation run)
        {
            final TreeSet<Long> instants = new TreeSet<>();
            instants(run, instants);
            if (initial)
            {
                instants.add(Evaluation.BEGINNING);
            }
            return instants;
        }
    }

    /** An input stream. */
    static final class BaseFlow extends Flow
    {
        private final String name;

        BaseFlow(final String name, final List<String> names, final List<Type> types)
        {
            super(names, types, Set.of(name));
            this.name = name;
        }

        @Override
        List<Item> compute(final Evaluation run)
        {
            final List<Item> items = new ArrayList<>();
            run.log(name).forEach(change -> items.add(new Item(change.time(), change.row())));
            return items;
        }
    }

    /** An input relation. */
    static final class BaseTable extends Table
    {
        private final String name;
        private final int[] key;

        BaseTable(final String name, final List<String> names, final List<Type> types, final int[] key)
        {
            super(names, types, Set.of(name), false, false);
            this.name = name;
            this.key = key;
        }

        @Override
        List<Row> at(final Evaluation run, final long time)
        {
            final List<Row> rows = new ArrayList<>();
            for (final Evaluation.Change change : run.log(name))
            {
                if (change.time() > time)
                {
                    break;
                }
                if (!run.isLoose)
                {
                    apply(rows, change);
                }
                else if (change.kind() != '-')
                {
                    rows.add(change.row());
                }
            }
            return rows;
        }

        /** Applies a change; false when it refers to a row that does not exist. */
        boolean apply(final List<Row> rows, final Evaluation.Change change)
        {
            if (change.kind() == '+')
            {
                return rows.add(change.row());
            }
            if (change.kind() == '-')
            {
                return rows.remove(change.row());
            }
            for (int i = 0; key.length > 0 && i < rows.size(); i++)
            {
                if (rows.get(i).columns(key).equals(change.row().columns(key)))
                {
                    rows.set(i, change.row());
                    return true;
                }
            }
            return false;
        }

        @Override
        void instants(final Evaluation run, final Set<Long> instants)
        {
            run.log(name).forEach(change -> instants.add(change.time()));
        }
    }

    /** A stream as a relation: all rows so far. */
    static final class SoFar extends Table
    {
        private final Flow flow;

        SoFar(final Flow flow)
        {
            super(flow.names, flow.types, flow.bases, false, true);
            this.flow = flow;
        }

        @Override
        List<Row> at(final Evaluation run, final long time)
        {
            final List<Row> rows = new ArrayList<>();
            for (final Item item : flow.items(run))
            {
                if (item.time() <= time)
                {
                    rows.add(item.row());
                }
            }
            return rows;
        }

        @Override
        void instants(final Evaluation run, final Set<Long> instants)
        {
            flow.items(run).forEach(item -> instants.add(item.time()));
        }
    }
}

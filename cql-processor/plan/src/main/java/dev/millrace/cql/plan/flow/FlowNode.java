package dev.millrace.cql.plan.flow;

import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * A node of a flow. Its expressions read {@link Expression.Column} of its input unless stated otherwise. Nodes with
 * keys accept plain columns only: the planner computes other keys in a {@link Calc} below the node. Null keys are equal
 * to each other except in joins, where null never matches.
 *
 * <p>The output of a node is a stream (inserts only) or a relation (inserts and deletes); a delete carries a row equal
 * in value to an earlier insert.
 */
public sealed interface FlowNode
{
    /**
     * The nodes whose rows this node reads.
     *
     * @return immutable list, empty for {@link Source}
     */
    List<FlowNode> inputs();

    /** The columns of its rows. */
    RowType rows();

    /** Kinds of time. */
    enum TimeKind
    {
        /** Assigned by the engine: strictly increasing over all such sources. */
        SYSTEM,
        /** Assigned by the application, never decreasing. */
        APPLICATION,
        /** Assigned by the application, strictly increasing. */
        APPLICATION_TOTAL_ORDER
    }

    /**
     * A channel.
     *
     * @param name        channel id
     * @param rows        columns: those of the type in order, and {@code element_time} (bigint, nanoseconds) last when
     *     {@code elementTime} is set
     * @param relation    whether it carries inserts, deletes and updates
     * @param primaryKey  columns of the relation's key, empty when it has none
     * @param silent      whether it never delays other sources (a relation that is filled once)
     * @param elementTime whether the time of a row is a column
     * @param timeColumn  index of the column of the type that contains the time of each row, in nanoseconds; -1 if
     *     the type has no such column
     */
    record Source(String name, EventType type, RowType rows, boolean relation, List<Integer> primaryKey, TimeKind time,
        boolean silent, boolean elementTime, int timeColumn) implements FlowNode
    {
        /** Copies the list. */
        public Source
        {
            primaryKey = List.copyOf(primaryKey);
        }

        /** A channel without a column that is known to contain the time. */
        public Source(final String name, final EventType type, final RowType rows, final boolean relation,
            final List<Integer> primaryKey, final TimeKind time, final boolean silent, final boolean elementTime)
        {
            this(name, type, rows, relation, primaryKey, time, silent, elementTime, -1);
        }

        @Override
        public List<FlowNode> inputs()
        {
            return List.of();
        }
    }

    /**
     * Stream to relation.
     *
     * @param input  a stream
     * @param window rows in the window
     */
    record Window(FlowNode input, WindowSpec window) implements FlowNode
    {
        @Override
        public List<FlowNode> inputs()
        {
            return List.of(input);
        }

        @Override
        public RowType rows()
        {
            return input.rows();
        }
    }

    /**
     * Filter and projection, of a stream or a relation.
     *
     * @param input     rows in
     * @param condition rows for which it is not true are dropped; {@code null} keeps all
     * @param fields    output columns; {@code null} keeps the input's
     */
    record Calc(FlowNode input, Expression condition, List<Field> fields) implements FlowNode
    {
        /** Copies the list. */
        public Calc
        {
            fields = fields == null ? null : List.copyOf(fields);
        }

        @Override
        public List<FlowNode> inputs()
        {
            return List.of(input);
        }

        @Override
        public RowType rows()
        {
            return fields == null ? input.rows() : new RowType(fields.stream().map(Field::name).toList(),
                fields.stream().map(field -> field.expression().type()).toList());
        }
    }

    /**
     * A stream whose rows have their time as last column {@code element_time} (bigint, nanoseconds).
     *
     * @param input a stream
     */
    record Timed(FlowNode input) implements FlowNode
    {
        @Override
        public List<FlowNode> inputs()
        {
            return List.of(input);
        }

        @Override
        public RowType rows()
        {
            return input.rows().with(new RowType(List.of("element_time"),
                List.of(dev.millrace.api.event.CqlType.BIGINT)));
        }
    }

    /** Kinds of joins. For a right outer join, the planner exchanges the sides of a left outer join. */
    enum JoinKind
    {
        /** Pairs that match. */
        INNER,
        /** Also left rows that match no right row, with nulls on the right. */
        LEFT
    }

    /**
     * Join of two relations. An output row contains the columns of the left side, then those of the right side.
     *
     * @param left      left side
     * @param right     right side
     * @param kind      inner or left outer
     * @param leftKeys  columns that must equal {@code rightKeys}, pairwise, of one type; empty = product
     * @param rightKeys columns of the right side, counted from 0
     * @param condition further condition over the columns of both; may be {@code null}
     * @param rows      columns of both sides; stored, because computing them at each call takes minutes for plans with
     *     hundreds of joins
     */
    record Join(FlowNode left, FlowNode right, JoinKind kind, List<Integer> leftKeys, List<Integer> rightKeys,
        Expression condition, RowType rows) implements FlowNode
    {
        /** Copies the lists. */
        public Join
        {
            leftKeys = List.copyOf(leftKeys);
            rightKeys = List.copyOf(rightKeys);
        }

        /** A join with the row type that follows from both sides. */
        public Join(
            final FlowNode left,
            final FlowNode right,
            final JoinKind kind,
            final List<Integer> leftKeys,
            final List<Integer> rightKeys,
            final Expression condition)
        {
            this(left, right, kind, leftKeys, rightKeys, condition, left.rows().with(right.rows()));
        }

        @Override
        public List<FlowNode> inputs()
        {
            return List.of(left, right);
        }
    }

    /** Kinds of lookup sources. */
    enum PullKind
    {
        /** A cache, by its key. */
        CACHE,
        /** A table of a database, by equality. */
        TABLE,
        /** A function that returns a collection. */
        FUNCTION,
        /** XMLTABLE. */
        XML
    }

    /**
     * Lookup join of a relation (over {@code [now]}) with a source that is queried once for every inserted row; the
     * rows found are deleted together with that row. An output row contains the columns of the input, then those of the
     * row found.
     *
     * @param input      rows for which the source is queried
     * @param kind       kind of the source
     * @param source     its name in the catalog, or the name of the function
     * @param pulled     columns of the rows found
     * @param keys       lookup values, over the input
     * @param keyColumns for a cache or table: columns of {@code pulled} that equal the keys; otherwise empty
     * @param details    further constants of the kind: XQuery and column paths of XMLTABLE
     */
    record Pull(FlowNode input, PullKind kind, String source, RowType pulled, List<Expression> keys,
        List<Integer> keyColumns, List<Object> details) implements FlowNode
    {
        /** Copies the lists. */
        public Pull
        {
            keys = List.copyOf(keys);
            keyColumns = List.copyOf(keyColumns);
            details = List.copyOf(details);
        }

        /**
         * The name by which flows bind its source: a separate one for each set of compared columns of a table.
         *
         * @return name of the source, for tables followed by the compared columns
         */
        public String binding()
        {
            return kind == PullKind.TABLE ? source + keyColumns : source;
        }

        /** Whether rows may be found in a replica of the source: a cache that is asked for one integer or string. */
        public boolean isReplicable()
        {
            return kind == PullKind.CACHE && keys.size() == 1 && switch (keys.get(0).type())
            {
                case INT, BIGINT, TIMESTAMP, INTERVAL, CHAR -> true;
                default -> false;
            };
        }

        @Override
        public List<FlowNode> inputs()
        {
            return List.of(input);
        }

        @Override
        public RowType rows()
        {
            return input.rows().with(pulled);
        }
    }

    /**
     * An aggregate.
     *
     * @param function  lower-case name: sum, count, avg, min, max, first, last, xmlagg, listagg, the name of a Colt
     *     function or of a user function
     * @param arguments columns of the input; empty for {@code count(*)}
     * @param distinct  whether equal arguments count once
     * @param type      type of the result
     * @param filter    boolean column of the input that is true in the rows that count, or {@link #ALL_ROWS}
     */
    record Aggregate(
        String function, List<Integer> arguments, boolean distinct, dev.millrace.api.event.CqlType type, int filter)
    {
        /** The value of {@code filter} without a filter. */
        public static final int ALL_ROWS = -1;

        /** Copies the list. */
        public Aggregate
        {
            arguments = List.copyOf(arguments);
        }

        /**
         * Whether it aggregates all rows and its value does not depend on the order in which they enter and leave.
         *
         * @return false for aggregates whose value depends on the order of rows, and for user functions
         */
        public boolean isOrderless()
        {
            return switch (function)
            {
                case "count", "sum", "avg", "min", "max" -> true;
                default -> false;
            };
        }
    }

    /**
     * Groups of a relation. Rows are the keys followed by the aggregates. Without keys there is one group, whose row
     * exists from the beginning of time.
     *
     * @param input      relation
     * @param keys       columns of the input
     * @param aggregates aggregate functions
     * @param rows       output columns
     */
    record Group(FlowNode input, List<Integer> keys, List<Aggregate> aggregates, RowType rows) implements FlowNode
    {
        /** Copies the lists. */
        public Group
        {
            keys = List.copyOf(keys);
            aggregates = List.copyOf(aggregates);
        }

        @Override
        public List<FlowNode> inputs()
        {
            return List.of(input);
        }
    }

    /**
     * One copy of equal rows; nulls are equal.
     *
     * @param input relation
     */
    record Distinct(FlowNode input) implements FlowNode
    {
        @Override
        public List<FlowNode> inputs()
        {
            return List.of(input);
        }

        @Override
        public RowType rows()
        {
            return input.rows();
        }
    }

    /** Set operations. */
    enum SetKind
    {
        /** Set union. */
        UNION,
        /** Sum of bags; of two streams a stream. */
        UNION_ALL,
        /** Difference of bags. */
        EXCEPT,
        /** Difference of sets. */
        MINUS,
        /** Set intersection. */
        INTERSECT,
        /** Left rows that occur on the right, with their duplicates. */
        IN,
        /** Left rows that do not occur on the right. */
        NOT_IN
    }

    /**
     * A set operation over rows of the same types.
     *
     * @param kind  kind of set operation
     * @param left  left side, which determines the column names
     * @param right right side
     */
    record SetOperation(SetKind kind, FlowNode left, FlowNode right) implements FlowNode
    {
        @Override
        public List<FlowNode> inputs()
        {
            return List.of(left, right);
        }

        @Override
        public RowType rows()
        {
            return left.rows();
        }
    }

    /**
     * A term of ORDER BY.
     *
     * @param column     column of the input
     * @param descending direction
     * @param nullsFirst position of nulls
     */
    record SortKey(int column, boolean descending, boolean nullsFirst)
    {
    }

    /**
     * ORDER BY without ROWS: the rows of one instant leave sorted, stably.
     *
     * @param input stream or relation
     * @param keys  terms, most significant first
     */
    record Sort(FlowNode input, List<SortKey> keys) implements FlowNode
    {
        /** Copies the list. */
        public Sort
        {
            keys = List.copyOf(keys);
        }

        @Override
        public List<FlowNode> inputs()
        {
            return List.of(input);
        }

        @Override
        public RowType rows()
        {
            return input.rows();
        }
    }

    /**
     * ORDER BY ... ROWS n: the first rows of the ordered relation, as a relation; ties in order of arrival.
     *
     * @param input       relation
     * @param keys        terms, most significant first
     * @param limit       number of rows
     * @param partitionBy columns that partition the relation, empty for one partition
     */
    record TopN(FlowNode input, List<SortKey> keys, long limit, List<Integer> partitionBy) implements FlowNode
    {
        /** Copies the lists. */
        public TopN
        {
            keys = List.copyOf(keys);
            partitionBy = List.copyOf(partitionBy);
        }

        @Override
        public List<FlowNode> inputs()
        {
            return List.of(input);
        }

        @Override
        public RowType rows()
        {
            return input.rows();
        }
    }

    /** Relation to stream. */
    enum StreamKind
    {
        /** Inserted rows. */
        ISTREAM,
        /** Deleted rows. */
        DSTREAM,
        /** The whole relation whenever it changes. */
        RSTREAM
    }

    /**
     * Relation to stream, netted per instant.
     *
     * @param input      relation
     * @param kind       operator
     * @param difference columns of DIFFERENCE USING; empty without
     */
    record ToStream(FlowNode input, StreamKind kind, List<Integer> difference) implements FlowNode
    {
        /** Copies the list. */
        public ToStream
        {
            difference = List.copyOf(difference);
        }

        @Override
        public List<FlowNode> inputs()
        {
            return List.of(input);
        }

        @Override
        public RowType rows()
        {
            return input.rows();
        }
    }

    /**
     * EVALUATE EVERY: the relation as it was at the last multiple of the period.
     *
     * @param input relation
     */
    record Evaluate(FlowNode input, long periodNs) implements FlowNode
    {
        @Override
        public List<FlowNode> inputs()
        {
            return List.of(input);
        }

        @Override
        public RowType rows()
        {
            return input.rows();
        }
    }

    /**
     * MATCH_RECOGNIZE over a stream.
     *
     * @param input   stream
     * @param pattern pattern to search for
     */
    record Match(FlowNode input, PatternSpec pattern) implements FlowNode
    {
        @Override
        public List<FlowNode> inputs()
        {
            return List.of(input);
        }

        @Override
        public RowType rows()
        {
            return new RowType(pattern.measures().stream().map(Field::name).toList(),
                pattern.measures().stream().map(field -> field.expression().type()).toList());
        }
    }

    /**
     * All nodes upstream of a node, inputs before consumers, each once, and the node itself last.
     *
     * @param node end
     * @return new list
     */
    static List<FlowNode> upstream(final FlowNode node)
    {
        final java.util.Set<FlowNode> seen = java.util.Collections.newSetFromMap(new java.util.IdentityHashMap<>());
        final List<FlowNode> order = new ArrayList<>();
        collect(node, seen, order);
        return order;
    }

    private static void collect(final FlowNode node, final java.util.Set<FlowNode> seen, final List<FlowNode> order)
    {
        if (seen.add(node))
        {
            node.inputs().forEach(input -> collect(input, seen, order));
            order.add(node);
        }
    }
}

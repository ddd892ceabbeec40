package dev.millrace.cql.plan.flow;

import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * A node of a flow. Expressions in it are over {@link Expression.Column} of its input unless it says otherwise. Nodes
 * with keys take plain columns: the planner computes others in a {@link Calc} before. Null keys are equal to each other
 * except in joins, where null never matches.
 *
 * <p>A node gives a stream (inserts only) or a relation (inserts and deletes); a delete carries a row equal in value to
 * one inserted before.
 */
public sealed interface FlowNode
{
    /**
     * Where its rows come from.
     *
     * @return immutable list, empty for {@link Source}
     */
    List<FlowNode> inputs();

    /**
     * Columns of its rows.
     *
     * @return row type
     */
    RowType rows();

    /** Kinds of time. */
    enum TimeKind
    {
        /** Given by the engine: strictly increasing over all such sources. */
        SYSTEM,
        /** Given by the application, never decreasing. */
        APPLICATION,
        /** Given by the application, strictly increasing. */
        APPLICATION_TOTAL_ORDER
    }

    /**
     * A channel.
     *
     * @param name       channel id
     * @param type       event type
     * @param rows       columns: those of the type in order, and {@code element_time} (bigint, nanoseconds) last when
     *                   {@code elementTime} is set
     * @param relation   whether it carries inserts, deletes and updates
     * @param primaryKey columns of the relation's key, empty without
     * @param time       kind of time
     * @param silent     whether it never holds back others (a relation filled once)
     * @param elementTime whether the time of a row is a column
     * @param timeColumn  the column of the type that holds the time of each row, in nanoseconds; -1 when none does
     */
    record Source(String name, EventType type, RowType rows, boolean relation, List<Integer> primaryKey, TimeKind time,
        boolean silent, boolean elementTime, int timeColumn) implements FlowNode
    {
        /** Copies the list. */
        public Source
        {
            primaryKey = List.copyOf(primaryKey);
        }

        /**
         * A channel none of whose columns is known to hold the time.
         *
         * @param name       channel id
         * @param type       event type
         * @param rows       columns
         * @param relation   whether it carries inserts, deletes and updates
         * @param primaryKey columns of the relation's key, empty without
         * @param time       kind of time
         * @param silent     whether it never holds back others
         * @param elementTime whether the time of a row is a column
         */
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
     * @param window which rows are in
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
     * A stream whose rows have their time as a last column {@code element_time} (bigint, nanoseconds).
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

    /** Kinds of joins. A right outer join is a left one with its sides exchanged by the planner. */
    enum JoinKind
    {
        /** Pairs that match. */
        INNER,
        /** Also left rows without partner, with nulls on the right. */
        LEFT
    }

    /**
     * Join of two relations. Rows are those of the left followed by those of the right.
     *
     * @param left      one side
     * @param right     other side
     * @param kind      inner or left outer
     * @param leftKeys  columns that must equal {@code rightKeys}, pairwise, of one type; empty = product
     * @param rightKeys columns of the right side, counted from its own 0
     * @param condition further condition over the columns of both; {@code null} when there is none
     * @param rows      columns of both, stored: computed at each call, hundreds of joins would take minutes to plan
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

        /**
         * Join with the row type that follows from both sides.
         *
         * @param left      one side
         * @param right     other side
         * @param kind      inner or left outer
         * @param leftKeys  columns that must equal {@code rightKeys}, pairwise, of one type; empty = product
         * @param rightKeys columns of the right side, counted from its own 0
         * @param condition further condition over the columns of both; {@code null} when there is none
         */
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

    /** Kinds of pull sources. */
    enum PullKind
    {
        /** A cache, by its key. */
        CACHE,
        /** A table of a database, by equality. */
        TABLE,
        /** A function that gives a collection. */
        FUNCTION,
        /** XMLTABLE. */
        XML
    }

    /**
     * Join of a relation (over {@code [now]}) with something that is asked once for every row that enters; its rows
     * leave with the row that asked. Rows are those of the input followed by those found.
     *
     * @param input     rows that ask
     * @param kind      what is asked
     * @param source    its name in the catalog; name of the function
     * @param pulled    columns of the rows found
     * @param keys      values to ask with, over the input
     * @param keyColumns for cache and table: columns of {@code pulled} that equal the keys; else empty
     * @param details   further constants of the kind: XQuery and column paths of XMLTABLE
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
         * The name by which flows bind its source: one for each way of asking a table.
         *
         * @return the source, for tables with the columns that are compared
         */
        public String binding()
        {
            return kind == PullKind.TABLE ? source + keyColumns : source;
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
     * @param function  lower-case name: sum, count, avg, min, max, first, last, xmlagg, listagg, a Colt name or a
     *                  user's
     * @param arguments columns of the input; empty for {@code count(*)}
     * @param distinct  whether equal arguments count once
     * @param type      type of the result
     * @param filter    boolean column of the input that is true in the rows that count, or {@link #ALL_ROWS}
     */
    record Aggregate(
        String function, List<Integer> arguments, boolean distinct, dev.millrace.api.event.CqlType type, int filter)
    {
        /** In place of a filter. */
        public static final int ALL_ROWS = -1;

        /** Copies the list. */
        public Aggregate
        {
            arguments = List.copyOf(arguments);
        }

        /**
         * Whether it takes all rows and has one value, in whatever order they come and leave.
         *
         * @return false for those whose value follows the order of rows, and for functions of users
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
     * @param aggregates what is computed
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
        /** Left rows that occur on the right, with their copies. */
        IN,
        /** The other left rows. */
        NOT_IN
    }

    /**
     * A set operation over rows of the same types.
     *
     * @param kind  which
     * @param left  left side, which gives the names
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
     * @param nullsFirst place of nulls
     */
    record SortKey(int column, boolean descending, boolean nullsFirst)
    {
    }

    /**
     * ORDER BY without ROWS: the rows of one instant leave sorted, stably.
     *
     * @param input stream or relation
     * @param keys  terms
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
     * @param keys        terms
     * @param limit       how many rows
     * @param partitionBy columns that split the relation, empty for one part
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
        /** Rows that enter. */
        ISTREAM,
        /** Rows that leave. */
        DSTREAM,
        /** The whole relation whenever it changes. */
        RSTREAM
    }

    /**
     * Relation to stream, netted an instant.
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
     * @param input    relation
     * @param periodNs period
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
     * @param pattern what is looked for
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
     * All nodes that a node stands on, itself last; each once, inputs before consumers.
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

package dev.millrace.cql.plan;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import java.util.List;
import java.util.Objects;

/**
 * A step of a pipeline: takes the rows of the step before and hands its own to each of its consumers, in order.
 * Immutable.
 *
 * <p>The tree is written downstream: an operator lists its consumers. Every operator but {@link Output} has at least
 * one.
 */
public sealed interface Operator
{
    /**
     * The steps that take this one's rows.
     *
     * @return immutable list, empty only for {@link Output}
     */
    List<Operator> consumers();

    /**
     * Stateless filter and projection: row in, at most one row out, same time and origin.
     *
     * @param condition rows for which it is not true are dropped; {@code null} keeps all
     * @param fields    output columns; every expression over {@link Expression.Column}
     * @param consumers next steps
     */
    record Calc(Expression condition, List<Field> fields, List<Operator> consumers) implements Operator
    {
        /** Copies the lists. */
        public Calc
        {
            fields = List.copyOf(fields);
            consumers = List.copyOf(consumers);
        }
    }

    /**
     * Join of {@code stream[now]} with a keyed relation (a cache) on equality with its key, under RStream: at most
     * one row out for a row in, no window state.
     *
     * @param relation  what is joined
     * @param key       value over the input row that must equal the relation's key column; null never matches
     * @param condition further condition over {@link Expression.Column} and {@link Expression.RelationColumn};
     *                  {@code null} when there is none
     * @param fields    output columns over the same
     * @param consumers next steps
     */
    record LookupJoin(
        RelationSource relation, Expression key, Expression condition, List<Field> fields, List<Operator> consumers)
        implements Operator
    {
        /** Copies the lists. */
        public LookupJoin
        {
            Objects.requireNonNull(relation, "relation");
            fields = List.copyOf(fields);
            consumers = List.copyOf(consumers);
        }
    }

    /**
     * Row pattern of k single variables without quantifier (tier 0): variable i of a match is the row k - 1 - i rows
     * back.
     *
     * <p>Row p of a partition completes prefix j when it satisfies {@code conditions.get(j)} and row p - 1 completed
     * prefix j - 1. A completed last prefix is a match. Without {@code allMatches} a match ends all prefixes of its
     * partition, so that the search goes on after its last row.
     *
     * @param partitionBy input columns that split the stream, empty for one partition
     * @param conditions  one entry a variable, over {@link Expression.PriorColumn}; {@code null} is always true
     * @param allMatches  whether overlapping matches are reported
     * @param measures    output columns over {@link Expression.PriorColumn}; offset 0 is the row that completes the
     *     match
     * @param consumers   next steps
     */
    record FixedPattern(
        List<Integer> partitionBy,
        List<Expression> conditions,
        boolean allMatches,
        List<Field> measures,
        List<Operator> consumers) implements Operator
    {
        /** Copies the lists; conditions may hold nulls. */
        public FixedPattern
        {
            partitionBy = List.copyOf(partitionBy);
            conditions = java.util.Collections.unmodifiableList(new java.util.ArrayList<>(conditions));
            measures = List.copyOf(measures);
            consumers = List.copyOf(consumers);
        }
    }

    /**
     * Row pattern of a start and a later row whose value stands in some relation to one of the start, whatever comes
     * between: ALL MATCHES of {@code A C* B}. Every row whose {@code start} holds begins a match; a row of the same
     * partition ends those for which {@code value comparison bound} holds, the oldest start first. A row whose value is
     * null ends nothing. All expressions but {@code condition} and {@code fields} are over {@link Expression.Column} of
     * one row and cannot fail.
     *
     * @param partitionBy input columns that split the stream, empty for one partition
     * @param start       which rows begin a match; {@code null} for all
     * @param value       of the row that ends a match
     * @param comparison  less, less or equal, greater, greater or equal
     * @param bound       of the row that begins it, of the same type; without it nothing begins
     * @param between     what the rows between must be
     * @param within      how long a match may take
     * @param condition   which matches are put out, over {@link Expression.PriorColumn}: offset 0 is the row that ends
     *     the match, 1 the one that begins it; {@code null} for all
     * @param fields      output columns over the same, cannot fail
     * @param consumers   next steps; only {@link Output} of kind {@link OutputKind#STREAM}
     */
    record SequencePattern(
        List<Integer> partitionBy,
        Expression start,
        Expression value,
        Operation comparison,
        Expression bound,
        Between between,
        Within within,
        Expression condition,
        List<Field> fields,
        List<Operator> consumers) implements Operator
    {
        /** Copies the lists. */
        public SequencePattern
        {
            Objects.requireNonNull(value, "value");
            Objects.requireNonNull(comparison, "comparison");
            Objects.requireNonNull(bound, "bound");
            Objects.requireNonNull(between, "between");
            Objects.requireNonNull(within, "within");
            partitionBy = List.copyOf(partitionBy);
            fields = List.copyOf(fields);
            consumers = List.copyOf(consumers);
        }
    }

    /** What the rows between the first and the last of a {@link SequencePattern} must be. */
    enum Between
    {
        /** Anything: a start makes a match with each row that stands in the relation. */
        ANY,
        /** Rows that do not end the match: a start makes one match; a value that is null ends it without one. */
        NOT_LAST,
        /** As {@link #NOT_LAST}, and a value that is NaN ends it without a match, too. */
        NOT_LAST_NOR_NAN
    }

    /**
     * How long a match may take.
     *
     * @param ns        time from its first row to its last, 0 without bound
     * @param inclusive whether it may take the time itself
     */
    record Within(long ns, boolean inclusive)
    {
    }

    /**
     * Incremental aggregation of an unbounded stream by keys. Its output is a relation: when a group's visible row
     * changes, the old row leaves and the new one enters at the event's time; a group that HAVING hides has no
     * visible row.
     *
     * <p>Without keys there is one group, and its row exists from the beginning of time.
     *
     * @param keys       grouping expressions over {@link Expression.Column}; null keys form one group
     * @param aggregates what is computed
     * @param having     over {@link Expression.KeyValue} and {@link Expression.AggregateValue}; {@code null} shows
     *     all
     * @param fields     output columns over the same
     * @param consumers  next steps; only {@link Output} of kind {@link OutputKind#RELATION}, or
     *     {@link OutputKind#STREAM} for the rows that enter (IStream)
     */
    record GroupedAggregate(
        List<Expression> keys,
        List<Aggregate> aggregates,
        Expression having,
        List<Field> fields,
        List<Operator> consumers) implements Operator
    {
        /** Copies the lists. */
        public GroupedAggregate
        {
            keys = List.copyOf(keys);
            aggregates = List.copyOf(aggregates);
            fields = List.copyOf(fields);
            consumers = List.copyOf(consumers);
        }
    }

    /**
     * The rows of a stream that are new in a window (IStream): all of them, but for one that an equal row leaves the
     * window for at the very time that it enters. Each row of the stream has a time of its own.
     *
     * @param window    which rows
     * @param fields    the columns of the input, each an {@link Expression.Column} of a type that is not a reference
     * @param consumers next steps
     */
    record EnteringRows(Window window, List<Field> fields, List<Operator> consumers) implements Operator
    {
        /** Copies the lists. */
        public EnteringRows
        {
            Objects.requireNonNull(window, "window");
            fields = List.copyOf(fields);
            consumers = List.copyOf(consumers);
        }
    }

    /**
     * Incremental aggregation of the latest rows of a stream, by at most one key. Its output is a relation as that of
     * {@link GroupedAggregate}; a group without rows has no visible row. Each row of the stream has a time of its own;
     * what leaves the window at that time changes the relation in the same instant.
     *
     * @param window     which rows
     * @param keys       none, or one expression over {@link Expression.Column}
     * @param aggregates sums, counts and means
     * @param having     over {@link Expression.KeyValue} and {@link Expression.AggregateValue}, cannot fail;
     *     {@code null} shows all
     * @param fields     output columns over the same, the key among them, cannot fail
     * @param consumers  next steps; only {@link Output} of kind {@link OutputKind#RELATION}, or
     *     {@link OutputKind#STREAM} for the rows that enter (IStream)
     */
    record WindowAggregate(
        Window window,
        List<Expression> keys,
        List<Aggregate> aggregates,
        Expression having,
        List<Field> fields,
        List<Operator> consumers) implements Operator
    {
        /** Copies the lists. */
        public WindowAggregate
        {
            Objects.requireNonNull(window, "window");
            keys = List.copyOf(keys);
            aggregates = List.copyOf(aggregates);
            fields = List.copyOf(fields);
            consumers = List.copyOf(consumers);
        }
    }

    /**
     * Statements that are equal but for one value that a column must have, run as one: a row costs what the statements
     * of its own value cost. Their results are those of the statements one by one.
     *
     * @param fused   what runs; ends in one {@link KeyedOutputs}
     * @param members the statements one by one, each a chain that ends in its {@link Output}, in order
     */
    record Family(Operator fused, List<Operator> members) implements Operator
    {
        /** Copies the list. */
        public Family
        {
            Objects.requireNonNull(fused, "fused");
            members = List.copyOf(members);
        }

        @Override
        public List<Operator> consumers()
        {
            return List.of(fused);
        }
    }

    /**
     * Outputs of which each takes the rows of one value of a key; rows of other values go nowhere. With a shape there
     * is an aggregation for each value, which knows the rows of that value alone.
     *
     * @param key       over {@link Expression.Column}, of type char, int or bigint
     * @param values    literal of each consumer; the same one may occur several times
     * @param shape     aggregation without consumers, without keys or with the key alone; {@code null} when rows pass
     *                  as they are
     * @param fields    output columns: those of the shape, or over {@link Expression.Column}
     * @param consumers outputs
     */
    record KeyedOutputs(
        Expression key,
        List<Expression.Literal> values,
        WindowAggregate shape,
        List<Field> fields,
        List<Operator> consumers) implements Operator
    {
        /** Copies the lists. */
        public KeyedOutputs
        {
            Objects.requireNonNull(key, "key");
            values = List.copyOf(values);
            fields = List.copyOf(fields);
            consumers = List.copyOf(consumers);
            if (values.size() != consumers.size())
            {
                throw new IllegalArgumentException("one value an output, values=" + values.size() + " outputs=" +
                    consumers.size());
            }
        }
    }

    /**
     * Which rows of a stream are in: those of a period or the last ones.
     *
     * @param rangeNs how long a row stays, 0 when rows are counted
     * @param rows    how many there are, 0 when they stay for a time
     */
    record Window(long rangeNs, long rows)
    {
        /** Checks the arguments. */
        public Window
        {
            if (rangeNs < 0 || rows < 0 || rangeNs > 0 == rows > 0)
            {
                throw new IllegalArgumentException("a window has a range or a number of rows, rangeNs=" + rangeNs +
                    " rows=" + rows);
            }
        }
    }

    /**
     * The end of a branch: rows of a query leave the processor.
     *
     * @param queryId query whose rows these are
     * @param type    row type, one property an input column in order
     * @param kind    stream or relation
     */
    record Output(String queryId, EventType type, OutputKind kind) implements Operator
    {
        @Override
        public List<Operator> consumers()
        {
            return List.of();
        }
    }

    /** What leaves a processor. */
    enum OutputKind
    {
        /** A stream: inserts only. */
        STREAM,
        /** A relation that the operator before maintains: inserts and deletes as it gives them. */
        RELATION,
        /**
         * The relation of a {@code [now]} window: each row enters at its time and leaves one nanosecond later; the
         * deletion is due when time has passed, by the next row or heartbeat.
         */
        NOW_RELATION
    }

    /**
     * A keyed relation that rows are looked up in.
     *
     * @param id        cache id, as the processor names its source
     * @param type      row type
     * @param keyColumn column of the key, index from 0
     */
    record RelationSource(String id, EventType type, int keyColumn)
    {
    }

    /** Kinds of aggregate functions. */
    enum AggregateFunction
    {
        /** Sum of the values that are not null; null when there are none. */
        SUM,
        /** Number of values that are not null; with argument {@code null}, of rows. */
        COUNT,
        /** Mean of the values that are not null; null when there are none. */
        AVG,
        /** Smallest value; null when there are none. */
        MIN,
        /** Greatest value; null when there are none. */
        MAX
    }

    /**
     * An aggregate.
     *
     * @param function what is computed
     * @param argument over {@link Expression.Column}; {@code null} for {@code count(*)}
     * @param type     type of the result
     */
    record Aggregate(AggregateFunction function, Expression argument, CqlType type)
    {
    }
}

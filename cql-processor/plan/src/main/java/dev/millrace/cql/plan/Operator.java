package dev.millrace.cql.plan;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import java.util.List;
import java.util.Objects;

/**
 * An operator of a pipeline: processes the rows of the preceding operator and passes its own rows to each of its
 * consumers, in order. Immutable.
 *
 * <p>The tree is written downstream: an operator lists its consumers. Every operator except {@link Output} has at least
 * one.
 */
public sealed interface Operator
{
    /**
     * The operators that receive the rows of this one.
     *
     * @return immutable list, empty only for {@link Output}
     */
    List<Operator> consumers();

    /**
     * Stateless filter and projection: at most one output row per input row, with the same time and origin.
     *
     * @param condition rows for which it is not true are dropped; {@code null} keeps all
     * @param fields    output columns; every expression over {@link Expression.Column}
     * @param consumers next operators
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
     * Join of {@code stream[now]} with a keyed relation (a cache) by equality with its key, under RStream: at most one
     * output row per input row, no window state.
     *
     * @param relation  relation to look up
     * @param key       value over the input row that must equal the relation's key column; null never matches
     * @param condition further condition over {@link Expression.Column} and {@link Expression.RelationColumn}; {@code
     *     null} if the join has no further condition
     * @param fields    output columns over the same
     * @param consumers next operators
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
     * Row pattern of k single variables without quantifiers (tier 0): variable i of a match is the row k - 1 - i rows
     * back.
     *
     * <p>Row p of a partition completes prefix j when it satisfies {@code conditions.get(j)} and row p - 1 completed
     * prefix j - 1. A completed last prefix is a match. Without {@code allMatches} a match discards all prefixes of its
     * partition, so that the search continues after the last row of the match.
     *
     * @param partitionBy input columns that partition the stream, empty for one partition
     * @param conditions  one per variable, over {@link Expression.PriorColumn}; {@code null} is always true
     * @param allMatches  whether overlapping matches are reported
     * @param measures    output columns over {@link Expression.PriorColumn}; offset 0 is the row that completes the
     *     match
     * @param consumers   next operators
     */
    record FixedPattern(
        List<Integer> partitionBy,
        List<Expression> conditions,
        boolean allMatches,
        List<Field> measures,
        List<Operator> consumers) implements Operator
    {
        /** Copies the lists; conditions may contain nulls. */
        public FixedPattern
        {
            partitionBy = List.copyOf(partitionBy);
            conditions = java.util.Collections.unmodifiableList(new java.util.ArrayList<>(conditions));
            measures = List.copyOf(measures);
            consumers = List.copyOf(consumers);
        }
    }

    /**
     * Row pattern of a first row and a later row whose value compares in a given way with a value of the first row,
     * with any rows between: ALL MATCHES of {@code A C* B}. Every row for which {@code start} is true begins a match; a
     * row of the same partition completes those for which {@code value comparison bound} is true, the oldest first row
     * first. A row whose value is null completes none. All expressions except {@code condition} and {@code fields} are
     * over {@link Expression.Column} of one row and cannot fail.
     *
     * @param partitionBy input columns that partition the stream, empty for one partition
     * @param start       condition for the first row of a match; {@code null} for all rows
     * @param value       value of the row that completes a match
     * @param comparison  less, less or equal, greater, or greater or equal
     * @param bound       value of the first row, of the same type; when it is null, no match begins
     * @param between     condition on the rows between
     * @param within      maximum duration of a match
     * @param condition   condition for a match to be emitted, over {@link Expression.PriorColumn}: offset 0 is the last
     *     row of the match, 1 its first row; {@code null} for all
     * @param fields      output columns over the same, which cannot fail
     * @param consumers   next operators; only {@link Output} of kind {@link OutputKind#STREAM}
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

    /** Condition on the rows between the first and the last row of a {@link SequencePattern}. */
    enum Between
    {
        /** None: a first row forms a match with each later row that satisfies the comparison. */
        ANY,
        /**
         * Rows that do not complete the match: a first row forms one match; a null value ends the match without a
         * result.
         */
        NOT_LAST,
        /** As {@link #NOT_LAST}, and a NaN value also ends the match without a result. */
        NOT_LAST_NOR_NAN
    }

    /**
     * Maximum duration of a match.
     *
     * @param ns        nanoseconds from its first row to its last; 0 means unlimited
     * @param inclusive whether the duration may equal the maximum
     */
    record Within(long ns, boolean inclusive)
    {
    }

    /**
     * Incremental aggregation of an unbounded stream by keys. Its output is a relation: when a group's visible row
     * changes, the old row is deleted and the new one inserted at the event's time; a group that HAVING hides has no
     * visible row.
     *
     * <p>Without keys there is one group, and its row exists from the beginning of time.
     *
     * @param keys       grouping expressions over {@link Expression.Column}; null keys form one group
     * @param aggregates aggregate functions
     * @param having     over {@link Expression.KeyValue} and {@link Expression.AggregateValue}; {@code null} shows all
     * @param fields     output columns over the same
     * @param consumers  next operators; only {@link Output} of kind {@link OutputKind#RELATION}, or {@link
     *     OutputKind#STREAM} for the inserted rows (IStream)
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
     * The rows of a stream that are new in a window (IStream): all of them, except a row that enters the window at the
     * same time as an equal row leaves it. All rows of the stream have different times.
     *
     * @param window    rows in the window
     * @param fields    input columns, each an {@link Expression.Column} of a type that is not a reference
     * @param consumers next operators
     */
    record WindowIStream(Window window, List<Field> fields, List<Operator> consumers) implements Operator
    {
        /** Copies the lists. */
        public WindowIStream
        {
            Objects.requireNonNull(window, "window");
            fields = List.copyOf(fields);
            consumers = List.copyOf(consumers);
        }
    }

    /**
     * Incremental aggregation of the latest rows of a stream, by at most one key. Its output is a relation like that of
     * {@link GroupedAggregate}; a group without rows has no visible row. All rows of the stream have different times;
     * rows that leave the window at the time of a row change the relation in the same instant.
     *
     * @param window     rows in the window
     * @param keys       none, or one expression over {@link Expression.Column}
     * @param aggregates sums, counts and means
     * @param having     over {@link Expression.KeyValue} and {@link Expression.AggregateValue}, which cannot fail;
     *     {@code null} shows all
     * @param fields     output columns over the same, including the key; they cannot fail
     * @param consumers  next operators; only {@link Output} of kind {@link OutputKind#RELATION}, or {@link
     *     OutputKind#STREAM} for the inserted rows (IStream)
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
     * Statements that differ only in one value that a column must equal, run as one: the cost of a row is that of the
     * statements for its value. The results equal those of the separate statements.
     *
     * @param fused   operators that run; they end in one {@link KeyedOutputs}
     * @param members the separate statements in order, each a chain that ends in its {@link Output}
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
     * Outputs that each receive the rows of one value of a key; rows of other values are dropped. With a shape there is
     * a separate aggregation per value, over the rows of that value only.
     *
     * @param key       over {@link Expression.Column}, of type char, int or bigint
     * @param values    literal of each consumer; may contain the same literal several times
     * @param shape     aggregation without consumers, without keys or with this key only; {@code null} when rows pass
     *     unchanged
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
                throw new IllegalArgumentException("one value per output, values=" + values.size() + " outputs=" +
                    consumers.size());
            }
        }
    }

    /**
     * The rows of a stream that are in a window: those of a period, or the last ones.
     *
     * @param rangeNs time for which a row stays, in nanoseconds; 0 for a window of a number of rows
     * @param rows    number of rows; 0 for a window of a period
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
     * @param type row type, one property per input column, in order
     * @param kind stream or relation
     */
    record Output(String queryId, EventType type, OutputKind kind) implements Operator
    {
        @Override
        public List<Operator> consumers()
        {
            return List.of();
        }
    }

    /** Kinds of output. */
    enum OutputKind
    {
        /** A stream: inserts only. */
        STREAM,
        /** A relation that the preceding operator maintains: its inserts and deletes, unchanged. */
        RELATION,
        /**
         * The relation of a {@code [now]} window: each row enters at its time and leaves one nanosecond later. The next
         * row or heartbeat after that time triggers the deletion.
         */
        NOW_RELATION
    }

    /**
     * A keyed relation for lookups.
     *
     * @param id        cache id, the name under which the processor has this source
     * @param type      row type
     * @param keyColumn column of the key, index from 0
     */
    record RelationSource(String id, EventType type, int keyColumn)
    {
    }

    /** Kinds of aggregate functions. */
    enum AggregateFunction
    {
        /** Sum of the values that are not null; null without such values. */
        SUM,
        /** Number of values that are not null; with argument {@code null}, of rows. */
        COUNT,
        /** Mean of the values that are not null; null without such values. */
        AVG,
        /** Smallest value; null without such values. */
        MIN,
        /** Largest value; null without such values. */
        MAX
    }

    /**
     * An aggregate.
     *
     * @param argument over {@link Expression.Column}; {@code null} for {@code count(*)}
     * @param type     type of the result
     */
    record Aggregate(AggregateFunction function, Expression argument, CqlType type)
    {
    }
}

package dev.millrace.cql.language.semantic;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.Refusal;
import dev.millrace.cql.language.syntax.Match;
import dev.millrace.cql.language.types.CqlTypes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.calcite.rex.RexNode;

/**
 * MATCH_RECOGNIZE with all names and types known. Conditions and measures are over columns that stand for what is read
 * of the match: column i of them is leaf i.
 *
 * @param match       as parsed
 * @param source      the stream that is read; its columns are followed by element_time where leaves name it
 * @param partitionBy columns of the source
 * @param variables   variables of the pattern in order of first occurrence, as CLASSIFIER shows them
 * @param duration    column of the source that DURATION counts, -1 without
 * @param skip        mask of the variables that AFTER MATCH SKIP names, 0 without
 * @param leaves      what the columns of conditions and measures stand for
 * @param conditions  one entry a variable, {@code null} is always true
 * @param measures    columns of the result
 * @param warnings    what is allowed but hardly meant
 */
public record LogicalMatch(
    Match match,
    SourceInfo source,
    List<Integer> partitionBy,
    List<String> variables,
    int duration,
    long skip,
    List<Leaf> leaves,
    List<RexNode> conditions,
    List<Measure> measures,
    List<Refusal> warnings)
{
    /** Copies the lists. */
    public LogicalMatch
    {
        partitionBy = List.copyOf(partitionBy);
        variables = List.copyOf(variables);
        leaves = List.copyOf(leaves);
        conditions = Collections.unmodifiableList(new ArrayList<>(conditions));
        measures = List.copyOf(measures);
        warnings = List.copyOf(warnings);
    }

    /**
     * The index of a variable.
     *
     * @param name name, case ignored
     * @return index from 0
     */
    public int indexOf(final String name)
    {
        for (int i = 0; i < variables.size(); i++)
        {
            if (variables.get(i).equalsIgnoreCase(name))
            {
                return i;
            }
        }
        throw new IllegalArgumentException("no variable of the pattern, name=" + name);
    }

    /**
     * Whether times of rows are read as column {@link #elementTimeColumn()} of the source.
     *
     * @return true when the input must have that column
     */
    public boolean readsElementTime()
    {
        for (final Leaf leaf : leaves)
        {
            if (leaf.readsColumn(elementTimeColumn()))
            {
                return true;
            }
        }
        return false;
    }

    /**
     * The column that stands for the time of a row.
     *
     * @return index behind the columns of the source
     */
    public int elementTimeColumn()
    {
        return source.columns().size();
    }

    /**
     * The column that stands for the number of the match in arguments of aggregates.
     *
     * @return index behind the time of a row
     */
    public int matchNumberColumn()
    {
        return source.columns().size() + 1;
    }

    /**
     * The column that stands for the variable of the row in arguments of aggregates.
     *
     * @return index behind the number of the match
     */
    public int classifierColumn()
    {
        return source.columns().size() + 2;
    }

    /**
     * The columns of the result.
     *
     * @return names and types
     */
    public List<SourceInfo.Column> columns()
    {
        return measures.stream().map(measure -> new SourceInfo.Column(measure.name(), measure.type(),
            measure.type() == CqlType.OBJECT ? CqlTypes.javaClass(measure.value().getType()) :
            measure.type().javaClass())).toList();
    }

    /**
     * A column of the result.
     *
     * @param name  its name
     * @param value over leaves
     * @param type  type
     */
    public record Measure(String name, RexNode value, CqlType type)
    {
    }

    /** Something that is read of the match. Masks are over variables; all bits mean any row. */
    public sealed interface Leaf
    {
        /**
         * The type of the value.
         *
         * @return CQL type
         */
        CqlType type();

        /**
         * Whether a column of the source is read.
         *
         * @param column index
         * @return true when it is
         */
        default boolean readsColumn(final int column)
        {
            return false;
        }
    }

    /**
     * A column of a row.
     *
     * @param variables mask
     * @param first     whether labelled rows are counted from the first, else from the last
     * @param offset    labelled rows counted
     * @param back      rows of the partition before that row, negative for rows after it
     * @param maxAgeMs  greatest age of the row, negative without
     * @param running   whether it is seen from the row at hand
     * @param column    column of the source
     * @param type      its type
     */
    public record Navigation(long variables, boolean first, int offset, int back, long maxAgeMs, boolean running,
        int column, CqlType type) implements Leaf
    {
        @Override
        public boolean readsColumn(final int index)
        {
            return column == index;
        }
    }

    /**
     * An aggregate over labelled rows.
     *
     * @param variables mask
     * @param function  name in lower case
     * @param arguments over columns of the source; empty for the number of rows
     * @param distinct  whether equal arguments count once
     * @param running   whether it is seen from the row at hand
     * @param type      type of the result
     */
    public record Aggregate(long variables, String function, List<RexNode> arguments, boolean distinct,
        boolean running, CqlType type) implements Leaf
    {
        /** Copies the list. */
        public Aggregate
        {
            arguments = List.copyOf(arguments);
        }

        @Override
        public boolean readsColumn(final int index)
        {
            return arguments.stream().anyMatch(argument -> MatchTyping.readsColumn(argument, index));
        }
    }

    /**
     * A column of the row that a row of the result stands for: the row at hand, the last of the match, the row where an
     * empty match was found, a row without match.
     *
     * @param column column of the source
     * @param type   its type
     */
    public record RowColumn(int column, CqlType type) implements Leaf
    {
        @Override
        public boolean readsColumn(final int index)
        {
            return column == index;
        }
    }

    /**
     * Name of the variable of a row; null for a row that is not in the match.
     *
     * @param variables mask
     * @param first     whether labelled rows are counted from the first, else from the last
     * @param offset    labelled rows counted
     * @param back      rows of the partition before that row, negative for rows after it
     * @param maxAgeMs  greatest age of the row, negative without
     * @param running   whether it is seen from the row at hand
     */
    public record Classifier(long variables, boolean first, int offset, int back, long maxAgeMs, boolean running)
        implements Leaf
    {
        @Override
        public CqlType type()
        {
            return CqlType.CHAR;
        }
    }

    /** Number of the match in its partition. */
    public record MatchNumber() implements Leaf
    {
        @Override
        public CqlType type()
        {
            return CqlType.BIGINT;
        }
    }
}

package dev.millrace.cql.language.semantic;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.syntax.MatchClause;
import dev.millrace.cql.language.types.CqlTypes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.calcite.rex.RexNode;

/**
 * A resolved and typed MATCH_RECOGNIZE. Conditions and measures read columns that represent the values read from the
 * match: column i is leaf i.
 *
 * @param match       as parsed
 * @param source      input stream; element_time follows its columns where leaves name it
 * @param partitionBy columns of the source
 * @param variables   variables of the pattern in order of first occurrence, as CLASSIFIER returns them
 * @param duration    column of the source that contains the duration, -1 without
 * @param skip        mask of the variables that AFTER MATCH SKIP names, 0 without
 * @param leaves      values that the columns of conditions and measures represent
 * @param conditions  one per variable, {@code null} is always true
 * @param measures    columns of the result
 * @param warnings    valid but probably unintended constructs
 */
public record LogicalMatch(
    MatchClause match,
    SourceInfo source,
    List<Integer> partitionBy,
    List<String> variables,
    int duration,
    long skip,
    List<Leaf> leaves,
    List<RexNode> conditions,
    List<Measure> measures,
    List<CqlRuleException> warnings)
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
     * @param name case-insensitive name
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
        throw new IllegalArgumentException("not a variable of the pattern, name=" + name);
    }

    /**
     * Whether times of rows are read as column {@link #elementTimeColumn()} of the source; the input must then have
     * that column.
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
     * The column that represents the time of a row.
     *
     * @return index after the columns of the source
     */
    public int elementTimeColumn()
    {
        return source.columns().size();
    }

    /**
     * The column that represents the number of the match in arguments of aggregates.
     *
     * @return index after the time of a row
     */
    public int matchNumberColumn()
    {
        return source.columns().size() + 1;
    }

    /**
     * The column that represents the variable of the row in arguments of aggregates.
     *
     * @return index after the number of the match
     */
    public int classifierColumn()
    {
        return source.columns().size() + 2;
    }

    /** The columns of the result. */
    public List<SourceInfo.Column> columns()
    {
        return measures.stream().map(measure -> new SourceInfo.Column(measure.name(), measure.type(),
            measure.type() == CqlType.OBJECT ? CqlTypes.javaClass(measure.value().getType()) :
            measure.type().javaClass())).toList();
    }

    /**
     * A column of the result.
     *
     * @param value over leaves
     */
    public record Measure(String name, RexNode value, CqlType type)
    {
    }

    /** A value that is read from the match. A mask has one bit per variable; all bits mean any row. */
    public sealed interface Leaf
    {
        /** The type of the value. */
        CqlType type();

        /** Whether a column of the source is read. */
        default boolean readsColumn(final int column)
        {
            return false;
        }
    }

    /**
     * A column of a row.
     *
     * @param variables mask
     * @param first     whether labeled rows are counted from the first one, otherwise from the last one
     * @param offset    number of labeled rows from that end
     * @param back      number of rows of the partition before that row, negative for rows after it
     * @param maxAgeMs  maximum age of the row, negative without
     * @param running   whether it is evaluated at the current row
     * @param column    column of the source
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
     * An aggregate over labeled rows.
     *
     * @param variables mask
     * @param function  lower-case name
     * @param arguments over columns of the source; empty for the number of rows
     * @param distinct  whether equal arguments count once
     * @param running   whether it is evaluated at the current row
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
            return arguments.stream().anyMatch(argument -> MatchTypeInference.readsColumn(argument, index));
        }
    }

    /**
     * A column of the row for which a result row is emitted: the current row, the last row of the match, the row at
     * which an empty match was found, or an unmatched row.
     *
     * @param column column of the source
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
     * Name of the variable with which a row is labeled; null for a row outside the match.
     *
     * @param variables mask
     * @param first     whether labeled rows are counted from the first one, otherwise from the last one
     * @param offset    number of labeled rows from that end
     * @param back      number of rows of the partition before that row, negative for rows after it
     * @param maxAgeMs  maximum age of the row, negative without
     * @param running   whether it is evaluated at the current row
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

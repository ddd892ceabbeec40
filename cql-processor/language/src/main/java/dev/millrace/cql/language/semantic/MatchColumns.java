package dev.millrace.cql.language.semantic;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.Suggestions;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.parser.SqlParserPos;

/** The columns of the input stream of a pattern, followed by the time of a row. Immutable. */
final class MatchColumns
{
    /** The time of a row. */
    static final String ELEMENT_TIME = "element_time";

    /** The number of the match, in arguments of aggregates. */
    static final String MATCH_NUMBER = "match_number()";
    /** The variable of the row, in arguments of aggregates. */
    static final String CLASSIFIER = "classifier()";

    private final SourceInfo source;
    private final List<SourceInfo.Column> columns;

    MatchColumns(final SourceInfo source)
    {
        this.source = source;
        columns = new ArrayList<>(source.columns());
        if (source.indexOf(ELEMENT_TIME) < 0)
        {
            columns.add(new SourceInfo.Column(ELEMENT_TIME, CqlType.BIGINT));
        }
    }

    List<SourceInfo.Column> all()
    {
        return columns;
    }

    /**
     * The columns that arguments of aggregates read; names other than those of {@link #all} cannot be written in CQL.
     */
    List<SourceInfo.Column> ofArguments()
    {
        final List<SourceInfo.Column> all = new ArrayList<>(columns);
        if (all.size() == source.columns().size())
        {
            all.add(new SourceInfo.Column(ELEMENT_TIME + "()", CqlType.BIGINT));
        }
        all.add(new SourceInfo.Column(MATCH_NUMBER, CqlType.BIGINT));
        all.add(new SourceInfo.Column(CLASSIFIER, CqlType.CHAR));
        return all;
    }

    CqlType type(final int column)
    {
        return columns.get(column).type();
    }

    String name(final int column)
    {
        return columns.get(column).name();
    }

    boolean has(final String name)
    {
        return columns.stream().anyMatch(column -> column.name().equalsIgnoreCase(name));
    }

    int need(final String name, final SqlParserPos position)
    {
        for (int i = 0; i < columns.size(); i++)
        {
            if (columns.get(i).name().equalsIgnoreCase(name))
            {
                return i;
            }
        }
        throw new CqlRuleException(Message.UNKNOWN_COLUMN, position, source.name(), name,
            Scope.shown(source.columnNames()))
            .withHint(Suggestions.didYouMean(name, source.columnNames()));
    }

    /** A column of PARTITION BY or ORDER BY, unqualified or qualified by the name of the stream. */
    int needPlain(final SqlIdentifier name)
    {
        if (name.names.size() == 2 && !name.names.get(0).equalsIgnoreCase(source.name()))
        {
            throw new CqlRuleException(Message.UNKNOWN_QUALIFIER, name.getComponentParserPosition(0), name.names.get(0),
                source.name());
        }
        final int last = name.names.size() - 1;
        return need(name.names.get(last), name.getComponentParserPosition(last));
    }

    boolean isTime(final int column)
    {
        return name(column).equalsIgnoreCase(ELEMENT_TIME);
    }
}

package dev.millrace.cql.language.semantic;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.Suggestions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.parser.SqlParserPos;

/** The names that are visible in a select block: its sources with their columns. Not thread-safe. */
final class Scope
{
    /** A source under its alias in the block. */
    record Entry(String alias, List<String> columns, boolean measures, boolean timed)
    {
        /** The columns that a star includes: the time of a row is not one of them. */
        List<String> visible()
        {
            return timed ? columns.subList(0, columns.size() - 1) : columns;
        }

        int indexOf(final String column)
        {
            for (int i = 0; i < columns.size(); i++)
            {
                if (columns.get(i).equalsIgnoreCase(column))
                {
                    return i;
                }
            }
            return -1;
        }
    }

    private final List<Entry> entries = new ArrayList<>();

    void add(final String alias, final SqlParserPos position, final List<String> columns, final boolean measures)
    {
        add(alias, position, columns, measures, false);
    }

    /** Adds a source; with {@code timed}, its last column is the time of a row. */
    void add(final String alias, final SqlParserPos position, final List<String> columns, final boolean measures,
        final boolean timed)
    {
        for (final Entry entry : entries)
        {
            if (entry.alias().equalsIgnoreCase(alias))
            {
                throw new CqlRuleException(Message.DUPLICATE_ALIAS, position, alias);
            }
        }
        entries.add(new Entry(alias, columns, measures, timed));
    }

    List<Entry> entries()
    {
        return entries;
    }

    /** The internal name of a source in Calcite. */
    static String internalAlias(final int source)
    {
        return "a" + source;
    }

    int source(final String qualifier, final SqlParserPos position)
    {
        for (int i = 0; i < entries.size(); i++)
        {
            if (entries.get(i).alias().equalsIgnoreCase(qualifier))
            {
                return i;
            }
        }
        final List<String> aliases = entries.stream().map(Entry::alias).collect(Collectors.toList());
        throw new CqlRuleException(Message.UNKNOWN_QUALIFIER, position, qualifier, String.join(", ", aliases))
            .withHint(Suggestions.didYouMean(qualifier, aliases));
    }

    /** The number of leading parts of a name that are a column: 2 when the first is a source, 1 when it is a column. */
    int columnParts(final List<String> names)
    {
        int found = 0;
        for (final Entry entry : entries)
        {
            if (names.size() > 1 && entry.alias().equalsIgnoreCase(names.get(0)))
            {
                return 2;
            }
            found = entry.indexOf(names.get(0)) >= 0 ? 1 : found;
        }
        return found;
    }

    /** The qualified name of a column, for Calcite. */
    SqlIdentifier resolve(final SqlIdentifier name)
    {
        final boolean qualified = name.names.size() == 2;
        final String column = name.names.get(qualified ? 1 : 0);
        final SqlParserPos position = qualified ? name.getComponentParserPosition(1) : name.getParserPosition();
        int found = -1;
        if (qualified)
        {
            found = source(name.names.get(0), name.getComponentParserPosition(0));
        }
        else
        {
            for (int i = 0; i < entries.size(); i++)
            {
                if (entries.get(i).indexOf(column) >= 0)
                {
                    if (found >= 0)
                    {
                        throw new CqlRuleException(Message.AMBIGUOUS_COLUMN, position, column,
                            entries.get(found).alias(), entries.get(i).alias());
                    }
                    found = i;
                }
            }
        }
        if (found < 0 || entries.get(found).indexOf(column) < 0)
        {
            throw unknown(found < 0 ? entries : List.of(entries.get(found)), column, position);
        }
        final Entry entry = entries.get(found);
        return new SqlIdentifier(
            List.of(internalAlias(found), entry.columns().get(entry.indexOf(column))), null, name.getParserPosition(),
            List.of(name.getParserPosition(), name.getParserPosition()));
    }

    private static CqlRuleException unknown(final List<Entry> among, final String column, final SqlParserPos position)
    {
        final List<String> columns = among.stream().flatMap(entry -> entry.columns().stream()).distinct()
            .collect(Collectors.toList());
        final String owners = among.stream().map(Entry::alias).collect(Collectors.joining(" and "));
        final String shown = shown(columns);
        final String nearest = Suggestions.didYouMean(column, columns);
        if (among.get(0).measures())
        {
            return new CqlRuleException(Message.NOT_A_MEASURE, position, column, owners, shown).withHint(nearest);
        }
        if (column.equalsIgnoreCase("element_time"))
        {
            return new CqlRuleException(Message.NEEDS_STREAM, position, "ELEMENT_TIME", owners);
        }
        return new CqlRuleException(Message.UNKNOWN_COLUMN, position, owners, column, shown).withHint(nearest)
            .withHint(column.equalsIgnoreCase("ora_query_id")
                ? "there is no pseudo-column ORA_QUERY_ID; write the id of the query as a string"
                : column.matches("(?i)window_(start|end)") ? "write " + column + "()" : null);
    }

    static String shown(final List<String> names)
    {
        return names.size() <= 12 ? String.join(", ", names) : String.join(", ", names.subList(0, 12)) + ", ...";
    }
}

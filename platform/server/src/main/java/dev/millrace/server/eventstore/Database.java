package dev.millrace.server.eventstore;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A database: its kind and its rules for names. Immutable.
 *
 * @param quote     encloses identifiers
 * @param uppercase whether identifiers without quotes are stored in upper case
 */
record Database(DatabaseKind kind, String quote, boolean uppercase)
{
    private static final int CLASS_LENGTH = 2;
    /** SQLSTATE classes: feature not supported, data, constraints, access or syntax. */
    private static final Set<String> PERMANENT = Set.of("0A", "22", "23", "42");

    static Database of(final Connection connection) throws SQLException
    {
        final DatabaseMetaData metadata = connection.getMetaData();
        return new Database(DatabaseKind.of(metadata.getDatabaseProductName()),
            metadata.getIdentifierQuoteString().strip(), metadata.storesUpperCaseIdentifiers());
    }

    /** A name as it is stored for users that write it without quotes. */
    String stored(final String name)
    {
        return uppercase ? name.toUpperCase(Locale.ROOT) : name.toLowerCase(Locale.ROOT);
    }

    /** A stored name in SQL, which may be a reserved word. */
    String quoted(final String name)
    {
        return quote + name.replace(quote, quote + quote) + quote;
    }

    /** Whether a table exists in the schema of a connection. */
    static boolean hasTable(final Connection connection, final String name) throws SQLException
    {
        final DatabaseMetaData metadata = connection.getMetaData();
        final String pattern = name.replace("_", metadata.getSearchStringEscape() + '_');
        try (ResultSet tables =
            metadata.getTables(connection.getCatalog(), connection.getSchema(), pattern, new String[] {"TABLE",
                "BASE TABLE"}))
        {
            while (tables.next())
            {
                if (tables.getString("TABLE_NAME").equals(name))
                {
                    return true;
                }
            }
            return false;
        }
    }

    /** Whether a statement would fail again. */
    static boolean isPermanent(final SQLException failure)
    {
        return chain(failure).stream().anyMatch(one -> one instanceof SQLException sql && sql.getSQLState() != null &&
            sql.getSQLState().length() > CLASS_LENGTH &&
            PERMANENT.contains(sql.getSQLState().substring(0, CLASS_LENGTH)));
    }

    /** The reason of a failure. A pool only reports that it has no connection; its cause contains the reason. */
    static String reason(final SQLException failure)
    {
        final List<Throwable> chain = chain(failure);
        final String first = text(failure);
        final String last = text(chain.get(chain.size() - 1));
        return first.contains(last) ? first : first + " because " + last;
    }

    private static String text(final Throwable failure)
    {
        return String.valueOf(failure.getMessage()).replaceAll("\\s+", " ").strip();
    }

    private static List<Throwable> chain(final SQLException failure)
    {
        final List<Throwable> chain = new ArrayList<>();
        Throwable next = failure;
        while (next != null && !chain.contains(next))
        {
            chain.add(next);
            next = next instanceof SQLException sql && sql.getNextException() != null ? sql.getNextException() :
                next.getCause();
        }
        return chain;
    }
}

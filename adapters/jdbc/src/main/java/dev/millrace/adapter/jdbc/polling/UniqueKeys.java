package dev.millrace.adapter.jdbc.polling;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The unique indexes of a table, which prove that columns order its rows. Stateless. */
final class UniqueKeys
{
    private UniqueKeys()
    {
    }

    /**
     * Whether columns identify the rows of a table.
     *
     * @param table   name as declared
     * @param columns names; case is ignored
     * @return also true if the table is a view or the database does not describe it
     */
    static boolean mayIdentify(final Connection connection, final String table, final Set<String> columns)
        throws SQLException
    {
        final DatabaseMetaData database = connection.getMetaData();
        final String[] parts = table.split("\\.");
        final String name = stored(database, parts[parts.length - 1]);
        final String schema = parts.length > 1 ? stored(database, parts[parts.length - 2]) : connection.getSchema();
        if (!isTable(database, connection.getCatalog(), schema, name))
        {
            return true;
        }
        final Map<String, Set<String>> indexes = new HashMap<>();
        try (ResultSet found = database.getIndexInfo(connection.getCatalog(), schema, name, true, true))
        {
            while (found.next())
            {
                final String index = found.getString("INDEX_NAME");
                final String column = found.getString("COLUMN_NAME");
                final String filter = found.getString("FILTER_CONDITION");
                if (index != null && column != null && (filter == null || filter.isEmpty()))
                {
                    indexes.computeIfAbsent(index, each -> new HashSet<>())
                        .add(unquoted(column).toLowerCase(Locale.ROOT));
                }
            }
        }
        return indexes.values().stream().anyMatch(columns::containsAll);
    }

    private static boolean isTable(final DatabaseMetaData database, final String catalog, final String schema,
        final String name) throws SQLException
    {
        try (ResultSet found = database.getTables(catalog, escaped(database, schema), escaped(database, name), null))
        {
            return found.next() && found.getString("TABLE_TYPE").endsWith("TABLE");
        }
    }

    private static String escaped(final DatabaseMetaData database, final String name) throws SQLException
    {
        final String escape = database.getSearchStringEscape();
        return name == null || escape == null || escape.isEmpty() ? name :
            name.replace("_", escape + '_').replace("%", escape + '%');
    }

    private static String stored(final DatabaseMetaData database, final String declared) throws SQLException
    {
        final String plain = unquoted(declared);
        return !plain.equals(declared) ? plain :
            database.storesUpperCaseIdentifiers() ? plain.toUpperCase(Locale.ROOT) :
            database.storesLowerCaseIdentifiers() ? plain.toLowerCase(Locale.ROOT) : plain;
    }

    private static String unquoted(final String name)
    {
        return name.length() > 1 && "\"`[".indexOf(name.charAt(0)) >= 0 ? name.substring(1, name.length() - 1) : name;
    }
}

package dev.millrace.server.eventstore;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.network.durable.GroupDescription;
import dev.millrace.network.recording.GroupName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The tables that describe the datasets of a database: the datasets, the tables of their rows, and the columns of
 * these. Thread-safe; statements run in the transaction of the given connection, creations need one that commits each
 * statement.
 */
final class DatasetCatalog
{
    /** Some databases allow no more in names. */
    private static final int MAX_NAME = 60;
    private static final int MAX_TABLES = 10_000;

    private final String prefix;

    /**
     * What is known about a dataset.
     *
     * @param rows    number of rows
     * @param firstNs when the first ones were recorded; {@link Long#MIN_VALUE} without rows
     * @param lastNs  when the last ones were recorded
     */
    record Dataset(String name, long rows, long firstNs, long lastNs)
    {
    }

    /**
     * What a transaction writes.
     *
     * @param batches number of batches
     * @param rows    number of their rows
     * @param firstNs when the first ones were recorded
     * @param lastNs  when the last ones were recorded
     */
    record Extent(long batches, long rows, long firstNs, long lastNs)
    {
    }

    /** @param prefix of the names of all tables */
    DatasetCatalog(final String prefix)
    {
        this.prefix = prefix;
    }

    private String datasets()
    {
        return prefix + "dataset";
    }

    private String tables()
    {
        return prefix + "dataset_table";
    }

    private String columns()
    {
        return prefix + "dataset_column";
    }

    /** Creates the tables of the catalog unless they exist. */
    synchronized void create(final Connection connection, final Database database) throws SQLException
    {
        final DatabaseKind kind = database.kind();
        create(connection, database, datasets(), "dataset VARCHAR(100) NOT NULL PRIMARY KEY, next_batch " +
            kind.bigint() + " NOT NULL, row_count " + kind.bigint() + " NOT NULL, first_ns " + kind.bigint() +
            ", last_ns " + kind.bigint() + ", last_write VARCHAR(100)");
        create(connection, database, tables(), "table_name VARCHAR(100) NOT NULL PRIMARY KEY, dataset VARCHAR(100) " +
            "NOT NULL, group_name " + kind.text() + " NOT NULL");
        create(connection, database, columns(), "table_name VARCHAR(100) NOT NULL, column_no " + kind.integer() +
            " NOT NULL, column_name VARCHAR(100) NOT NULL, property_name " + kind.text() + " NOT NULL, " +
            "property_type VARCHAR(20) NOT NULL, PRIMARY KEY (table_name, column_no)");
    }

    private static void create(final Connection connection, final Database database, final String table,
        final String columns) throws SQLException
    {
        if (Database.hasTable(connection, database.stored(table)))
        {
            return;
        }
        try
        {
            run(connection, "CREATE TABLE " + table + " (" + columns + ')');
        }
        catch (final SQLException e)
        {
            // Another instance may have created it in the meantime.
            if (!Database.hasTable(connection, database.stored(table)))
            {
                throw e;
            }
        }
    }

    private static void run(final Connection connection, final String text) throws SQLException
    {
        try (Statement statement = connection.createStatement())
        {
            statement.execute(text);
        }
    }

    private boolean exists(final Connection connection, final Database database) throws SQLException
    {
        return Database.hasTable(connection, database.stored(columns()));
    }

    /** All datasets, by name. */
    List<Dataset> list(final Connection connection, final Database database) throws SQLException
    {
        final List<Dataset> all = new ArrayList<>();
        if (!exists(connection, database))
        {
            return all;
        }
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(
            "SELECT dataset, row_count, first_ns, last_ns FROM " + datasets() + " ORDER BY dataset"))
        {
            while (rows.next())
            {
                final long count = rows.getLong(2);
                all.add(new Dataset(rows.getString(1), count, count == 0 ? Long.MIN_VALUE : rows.getLong(3),
                    count == 0 ? Long.MIN_VALUE : rows.getLong(4)));
            }
        }
        return all;
    }

    /** Adds a dataset unless it exists. */
    synchronized void add(final Connection connection, final String dataset) throws SQLException
    {
        try (PreparedStatement query =
            connection.prepareStatement("SELECT dataset FROM " + datasets() + " WHERE dataset = ?"))
        {
            query.setString(1, dataset);
            try (ResultSet rows = query.executeQuery())
            {
                if (rows.next())
                {
                    return;
                }
            }
        }
        try (PreparedStatement insertion = connection.prepareStatement("INSERT INTO " + datasets() +
            " (dataset, next_batch, row_count) VALUES (?, 1, 0)"))
        {
            insertion.setString(1, dataset);
            insertion.executeUpdate();
        }
    }

    /** The last transaction that has written rows of a dataset; {@code null} for none. */
    String lastWrite(final Connection connection, final String dataset) throws SQLException
    {
        try (PreparedStatement query =
            connection.prepareStatement("SELECT last_write FROM " + datasets() + " WHERE dataset = ?"))
        {
            query.setString(1, dataset);
            try (ResultSet rows = query.executeQuery())
            {
                return rows.next() ? rows.getString(1) : null;
            }
        }
    }

    /**
     * Takes the next numbers of batches, and counts their rows. Other writers of the dataset wait for the end of the
     * transaction.
     *
     * @param write identifies the transaction
     * @return the first number
     */
    long reserve(final Connection connection, final String dataset, final Extent extent, final String write)
        throws SQLException
    {
        try (PreparedStatement update = connection.prepareStatement("UPDATE " + datasets() + " SET next_batch = " +
            "next_batch + ?, first_ns = CASE WHEN row_count = 0 THEN ? ELSE first_ns END, last_ns = ?, " +
            "row_count = row_count + ?, last_write = ? WHERE dataset = ?"))
        {
            update.setLong(1, extent.batches());
            update.setLong(2, extent.firstNs());
            update.setLong(3, extent.lastNs());
            update.setLong(4, extent.rows());
            update.setString(5, write);
            update.setString(6, dataset);
            if (update.executeUpdate() == 0)
            {
                throw new SQLTransientException("the dataset was deleted while rows were recorded, dataset=" + dataset);
            }
        }
        try (PreparedStatement query =
            connection.prepareStatement("SELECT next_batch FROM " + datasets() + " WHERE dataset = ?"))
        {
            query.setString(1, dataset);
            try (ResultSet rows = query.executeQuery())
            {
                rows.next();
                return rows.getLong(1) - extent.batches();
            }
        }
    }

    /** The tables of a dataset, in the order of their names. */
    List<EventTable> tables(final Connection connection, final Database database, final String dataset)
        throws SQLException
    {
        final List<EventTable> all = new ArrayList<>();
        if (!exists(connection, database))
        {
            return all;
        }
        try (PreparedStatement query = connection.prepareStatement(
            "SELECT table_name, group_name FROM " + tables() + " WHERE dataset = ? ORDER BY table_name"))
        {
            query.setString(1, dataset);
            try (ResultSet rows = query.executeQuery())
            {
                while (rows.next())
                {
                    all.add(table(connection, rows.getString(1), rows.getString(2)));
                }
            }
        }
        return all;
    }

    private EventTable table(final Connection connection, final String name, final String group) throws SQLException
    {
        final List<EventProperty> properties = new ArrayList<>();
        final List<String> names = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement("SELECT property_name, property_type, column_name " +
            "FROM " + columns() + " WHERE table_name = ? ORDER BY column_no"))
        {
            query.setString(1, name);
            try (ResultSet rows = query.executeQuery())
            {
                while (rows.next())
                {
                    properties.add(new EventProperty(rows.getString(1), CqlType.valueOf(rows.getString(2))));
                    names.add(rows.getString(3));
                }
            }
        }
        return new EventTable(name, new GroupDescription(group, properties), List.copyOf(names));
    }

    /** Creates the table of a group. A table that an interrupted creation left stays unused. */
    synchronized EventTable add(final Connection connection, final Database database, final String dataset,
        final GroupDescription group) throws SQLException
    {
        final EventTable table = new EventTable(freeName(connection, database, dataset, group), group,
            columnNames(database, group));
        for (final String text : table.creation(database))
        {
            run(connection, text);
        }
        // The entry of the table follows its columns: without it, nothing reads them.
        try (PreparedStatement insertion = connection.prepareStatement("INSERT INTO " + columns() +
            " (table_name, column_no, column_name, property_name, property_type) VALUES (?, ?, ?, ?, ?)"))
        {
            for (int i = 0; i < table.columns().size(); i++)
            {
                insertion.setString(1, table.name());
                insertion.setInt(2, i);
                insertion.setString(3, table.columns().get(i));
                insertion.setString(4, group.columns().get(i).name());
                insertion.setString(5, group.columns().get(i).type().name());
                insertion.addBatch();
            }
            insertion.executeBatch();
        }
        try (PreparedStatement insertion = connection.prepareStatement(
            "INSERT INTO " + tables() + " (table_name, dataset, group_name) VALUES (?, ?, ?)"))
        {
            insertion.setString(1, table.name());
            insertion.setString(2, dataset);
            insertion.setString(3, group.name());
            insertion.executeUpdate();
        }
        return table;
    }

    private String freeName(final Connection connection, final Database database, final String dataset,
        final GroupDescription group) throws SQLException
    {
        final GroupName name = GroupName.parse(group.name());
        final String base = prefix + simple(dataset + '_' + String.join("_", name.types()) +
            (name.query() == null ? "" : '_' + name.query()));
        for (int i = 1; i < MAX_TABLES; i++)
        {
            final String candidate = database.stored(numbered(base, i));
            if (!isOfCatalog(database, candidate) && !Database.hasTable(connection, candidate))
            {
                return candidate;
            }
        }
        throw new SQLException("no free name for a table, name=" + base + "; drop tables that are not needed", "42000");
    }

    private boolean isOfCatalog(final Database database, final String name)
    {
        return List.of(datasets(), tables(), columns()).stream().map(database::stored).anyMatch(name::equals);
    }

    private static List<String> columnNames(final Database database, final GroupDescription group)
    {
        final List<String> used = new ArrayList<>(EventTable.PLACE.stream().map(database::stored).toList());
        for (final EventProperty property : group.columns())
        {
            int i = 1;
            while (used.contains(database.stored(numbered(simple(property.name()), i))))
            {
                i++;
            }
            used.add(database.stored(numbered(simple(property.name()), i)));
        }
        return List.copyOf(used.subList(EventTable.PLACE.size(), used.size()));
    }

    private static String simple(final String name)
    {
        return name.replaceAll("[^A-Za-z0-9]", "_");
    }

    private static String numbered(final String name, final int number)
    {
        final String end = number == 1 ? "" : "_" + number;
        return name.substring(0, Math.min(name.length(), MAX_NAME - end.length())) + end;
    }

    /** Drops the tables of a dataset and its entries. */
    void drop(final Connection connection, final Database database, final String dataset) throws SQLException
    {
        for (final EventTable table : tables(connection, database, dataset))
        {
            if (Database.hasTable(connection, table.name()))
            {
                run(connection, "DROP TABLE " + table.quotedName(database));
            }
            delete(connection, tables(), "table_name", table.name());
            delete(connection, columns(), "table_name", table.name());
        }
        delete(connection, datasets(), "dataset", dataset);
    }

    private static void delete(final Connection connection, final String from, final String column, final String value)
        throws SQLException
    {
        try (PreparedStatement deletion =
            connection.prepareStatement("DELETE FROM " + from + " WHERE " + column + " = ?"))
        {
            deletion.setString(1, value);
            deletion.executeUpdate();
        }
    }
}

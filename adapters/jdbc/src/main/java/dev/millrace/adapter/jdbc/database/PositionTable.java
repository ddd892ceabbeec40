package dev.millrace.adapter.jdbc.database;

import dev.millrace.api.event.Producers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/**
 * A table with the number of the last row of each producer, which is written in the transaction of the rows: rows that
 * are sent again after a failure are recognized by it. Confined to one thread. Failure: {@code SQLException}.
 */
public final class PositionTable
{
    /** The statement that creates the table, in the words of most databases. */
    public static final String DEFINITION =
        "create table %s (PRODUCER varchar(500) primary key, LAST_NUMBER bigint not null)";

    private final Connection connection;
    private final String table;

    PositionTable(final Connection connection, final String table)
    {
        this.connection = connection;
        this.table = table;
    }

    /** Writes numbers, by id of the producer, without a commit. */
    void write(final Map<Integer, Long> numbers) throws SQLException
    {
        for (final Map.Entry<Integer, Long> each : numbers.entrySet())
        {
            final String producer = Producers.name(each.getKey());
            if (execute("update " + table + " set LAST_NUMBER = ? where PRODUCER = ?", producer,
                each.getValue()) == 0)
            {
                execute("insert into " + table + " (LAST_NUMBER, PRODUCER) values (?, ?)", producer,
                    each.getValue());
            }
        }
    }

    private int execute(final String sql, final String producer, final long number) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(sql))
        {
            statement.setLong(1, number);
            statement.setString(2, producer);
            return statement.executeUpdate();
        }
    }

    /** Reads the number of a producer; 0 for a new one. */
    long read(final String producer) throws SQLException
    {
        try (PreparedStatement statement =
            connection.prepareStatement("select LAST_NUMBER from " + table + " where PRODUCER = ?"))
        {
            statement.setString(1, producer);
            try (ResultSet found = statement.executeQuery())
            {
                return found.next() ? found.getLong(1) : 0;
            }
        }
    }
}

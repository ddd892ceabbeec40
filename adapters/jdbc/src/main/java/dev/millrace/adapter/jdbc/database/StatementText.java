package dev.millrace.adapter.jdbc.database;

import java.util.Arrays;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A statement and the column of each of its parameters.
 *
 * @param sql        statement
 * @param parameters column of each parameter, in order
 */
record StatementText(String sql, int[] parameters)
{
    static StatementText insert(final TableMetadata shape)
    {
        return new StatementText("insert into " + shape.table() + " (" + shape.columnList() + ") values (" +
            marks(shape.size()) + ')', shape.all());
    }

    static StatementText update(final TableMetadata shape)
    {
        return new StatementText("update " + shape.table() + " set " + equalities(shape, shape.others(), ", "),
            shape.others()).and(where(shape));
    }

    static StatementText delete(final TableMetadata shape)
    {
        return new StatementText("delete from " + shape.table(), new int[0]).and(where(shape));
    }

    private static StatementText where(final TableMetadata shape)
    {
        return new StatementText(" where " + equalities(shape, shape.keys(), " and "), shape.keys());
    }

    static String equalities(final TableMetadata shape, final int[] columns, final String between)
    {
        return Arrays.stream(columns).mapToObj(column -> shape.quoted(column) + " = ?")
            .collect(Collectors.joining(between));
    }

    static String marks(final int count)
    {
        return String.join(", ", Collections.nCopies(count, "?"));
    }

    /** Appends SQL. */
    StatementText and(final String more)
    {
        return new StatementText(sql + more, parameters);
    }

    /** Appends SQL and parameters. */
    StatementText and(final StatementText more)
    {
        return new StatementText(sql + more.sql,
            IntStream.concat(Arrays.stream(parameters), Arrays.stream(more.parameters)).toArray());
    }
}

package dev.millrace.command.recovery;

import java.util.List;

/**
 * A table of a sink. A column ID numbers its rows in the order in which they are stored; it has no other key, so that a
 * row that is stored twice is not refused.
 *
 * @param columns definitions of the other columns
 * @param key     SQL expression of the key that {@link RowComparison} uses
 * @param values  SQL expressions of the values
 */
record SinkTable(String name, String columns, String key, List<String> values)
{
    static final String POSITIONS = "positions";

    static final String CREATE_POSITIONS = "create table " + POSITIONS +
        "(PRODUCER varchar(500) primary key, LAST_NUMBER bigint not null)";

    String create()
    {
        return "create table " + name + "(ID bigint generated always as identity primary key, " + columns + ")";
    }

    String select()
    {
        return "select ID, " + key + ", " + String.join(", ", values) + " from " + name +
            " where ID > ? order by ID limit ?";
    }
}

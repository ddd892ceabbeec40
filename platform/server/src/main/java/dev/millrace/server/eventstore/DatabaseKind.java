package dev.millrace.server.eventstore;

import dev.millrace.api.event.CqlType;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/** Differences between databases: types of columns, and the clause that limits a result. */
enum DatabaseKind
{
    H2(List.of("H2"), "BIGINT", "INTEGER", "DOUBLE PRECISION", "BOOLEAN", "VARCHAR", "VARBINARY", "TIMESTAMP"),
    POSTGRESQL(List.of("PostgreSQL"), "BIGINT", "INTEGER", "DOUBLE PRECISION", "BOOLEAN", "TEXT", "BYTEA",
        "TIMESTAMP"),
    MARIADB(List.of("MariaDB", "MySQL"), "BIGINT", "INTEGER", "DOUBLE", "BOOLEAN", "LONGTEXT", "LONGBLOB",
        "DATETIME(6)"),
    ORACLE(List.of("Oracle"), "NUMBER(19)", "NUMBER(10)", "BINARY_DOUBLE", "NUMBER(1)", "CLOB", "BLOB",
        "TIMESTAMP"),
    SQLSERVER(List.of("Microsoft SQL Server"), "BIGINT", "INTEGER", "FLOAT(53)", "BIT", "NVARCHAR(MAX)",
        "VARBINARY(MAX)", "DATETIME2");

    private final List<String> products;
    private final String bigint;
    private final String integer;
    private final String floating;
    private final String bool;
    private final String text;
    private final String bytes;
    private final String time;

    DatabaseKind(final List<String> products, final String bigint, final String integer, final String floating,
        final String bool, final String text, final String bytes, final String time)
    {
        this.products = products;
        this.bigint = bigint;
        this.integer = integer;
        this.floating = floating;
        this.bool = bool;
        this.text = text;
        this.bytes = bytes;
        this.time = time;
    }

    /**
     * The kind of a database.
     *
     * @param product name that its driver returns
     * @throws SQLException if tables of this product cannot be created
     */
    static DatabaseKind of(final String product) throws SQLException
    {
        return Arrays.stream(values()).filter(kind -> kind.products.contains(product)).findFirst().orElseThrow(() ->
            new SQLException("events cannot be recorded in this database, product=" + product +
                "; use H2, PostgreSQL, MariaDB, MySQL, Oracle or Microsoft SQL Server", "0A000"));
    }

    /** The type of the column of a property, which represents every value exactly. */
    String typeOf(final CqlType type)
    {
        return switch (type)
        {
            case INT -> integer;
            case BIGINT, TIMESTAMP, INTERVAL -> bigint;
            case FLOAT, DOUBLE -> floating;
            case BOOLEAN -> bool;
            case BYTE -> bytes;
            // A number column has a fixed scale.
            case BIGDECIMAL, CHAR, XMLTYPE -> text;
            case OBJECT -> throw new IllegalArgumentException("objects have no columns");
        };
    }

    String bigint()
    {
        return bigint;
    }

    String integer()
    {
        return integer;
    }

    String text()
    {
        return text;
    }

    String time()
    {
        return time;
    }

    /** Restricts an ordered query to its first rows. */
    String limited(final String query, final int rows)
    {
        return query + switch (this)
        {
            case MARIADB -> " LIMIT " + rows;
            case SQLSERVER -> " OFFSET 0 ROWS FETCH NEXT " + rows + " ROWS ONLY";
            default -> " FETCH FIRST " + rows + " ROWS ONLY";
        };
    }
}

package dev.millrace.adapter.jdbc.database;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Differences between databases: the statement that inserts a row, or updates the row with the same key. */
public enum Dialect
{
    /** {@code insert ... on conflict}. */
    POSTGRESQL("PostgreSQL"),
    /** {@code insert ... on duplicate key update}. */
    MARIADB("MariaDB", "MySQL"),
    /** {@code merge into ... key}. */
    H2("H2"),
    /** {@code merge ... using dual}. */
    ORACLE("Oracle"),
    /** {@code merge ... with (holdlock)}. */
    SQLSERVER("Microsoft SQL Server"),
    /** Any other product: all modes except upsert. */
    OTHER;

    private final List<String> products;

    Dialect(final String... products)
    {
        this.products = List.of(products);
    }

    /** The dialect of a product, by the product name that its driver returns. */
    static Dialect ofProduct(final String product)
    {
        return Arrays.stream(values()).filter(dialect -> dialect.products.contains(product)).findFirst().orElse(OTHER);
    }

    /** The dialect with this name in assembly files; {@code null} for none. */
    public static Dialect byName(final String name)
    {
        final String key = name.strip().toLowerCase(Locale.ROOT);
        return key.equals("mysql") ? MARIADB : key.equals("mssql") ? SQLSERVER : Arrays.stream(values())
            .filter(dialect -> dialect != OTHER && dialect.text().equals(key)).findFirst().orElse(null);
    }

    /** The name in assembly files. */
    public String text()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The names accepted by {@link #byName}. */
    public static List<String> names()
    {
        return Arrays.stream(values()).filter(dialect -> dialect != OTHER).map(Dialect::text).toList();
    }

    /**
     * Creates the upsert statement.
     *
     * @return SQL and parameters, {@code null} when the dialect has no upsert
     */
    StatementText upsert(final TableMetadata shape)
    {
        return switch (this)
        {
            case POSTGRESQL -> StatementText.insert(shape).and(" on conflict (" + shape.keyList() + ") do " +
                (shape.others().length == 0 ? "nothing" : "update set " + assign(shape, "%1$s = excluded.%1$s")));
            case MARIADB -> StatementText.insert(shape).and(" on duplicate key update " + (shape.others().length == 0 ?
                String.format("%1$s = %1$s", shape.quoted(shape.keys()[0])) : assign(shape, "%1$s = values(%1$s)")));
            case H2 -> new StatementText("merge into " + shape.table() + " (" + shape.columnList() + ") key (" +
                shape.keyList() + ") values (" + StatementText.marks(shape.size()) + ')', shape.all());
            case ORACLE -> merge(shape, "merge into " + shape.table() + " using dual on (", "");
            case SQLSERVER -> merge(shape, "merge into " + shape.table() +
                // H2 in SQL Server mode does not support the hint.
                (shape.isH2() ? "" : " with (holdlock)") + " as t using (select 1 as one) as s on (", ";");
            case OTHER -> null;
        };
    }

    private static String assign(final TableMetadata shape, final String form)
    {
        return Arrays.stream(shape.others()).mapToObj(column -> String.format(form, shape.quoted(column)))
            .collect(Collectors.joining(", "));
    }

    private static StatementText merge(final TableMetadata shape, final String start, final String end)
    {
        final StatementText found = new StatementText(start + StatementText.equalities(shape, shape.keys(), " and ") +
            ')', shape.keys());
        final StatementText matched = shape.others().length == 0 ? found : found.and(new StatementText(
            " when matched then update set " + StatementText.equalities(shape, shape.others(), ", "), shape.others()));
        return matched.and(new StatementText(" when not matched then insert (" + shape.columnList() + ") values (" +
            StatementText.marks(shape.size()) + ')', shape.all())).and(end);
    }
}

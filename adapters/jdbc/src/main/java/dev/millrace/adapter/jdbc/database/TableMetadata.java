package dev.millrace.adapter.jdbc.database;

import dev.millrace.adapter.jdbc.buffer.ColumnName;
import dev.millrace.adapter.jdbc.buffer.JdbcErrorCode;
import dev.millrace.adapter.jdbc.buffer.JdbcAdapterException;
import dev.millrace.adapter.jdbc.buffer.RowLayout;
import dev.millrace.adapter.jdbc.buffer.SinkSettings;
import dev.millrace.api.event.EventProperty;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The table as described by the database, for the columns of a layout: names in the database's spelling, so that case
 * and reserved words do not matter, and types. Immutable.
 *
 * @param table    name as declared
 * @param product  name of the database
 * @param mark     quotation mark for names
 * @param columns  names
 * @param sqlTypes as in {@link java.sql.Types}
 * @param keys     columns that identify a row
 */
public record TableMetadata(String table, String product, String mark, String[] columns, int[] sqlTypes, int[] keys)
{
    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$#]*|\"[^\"]+\"|`[^`]+`|\\[[^\\]]+]");

    /** Whether a string can be the name of a table; it becomes part of statements. */
    public static boolean isName(final String name)
    {
        return Arrays.stream(name.split("\\.", -1)).allMatch(part -> NAME.matcher(part).matches());
    }

    /**
     * Reads the table from the database.
     *
     * @param connection open
     * @param settings   contain table and columns
     * @param layout     columns to write; {@code null} when not known yet: then only names are checked
     * @return shape, without columns when there is no layout
     * @throws SQLException   of the connection
     * @throws JdbcAdapterException when the table does not match
     */
    static TableMetadata read(final Connection connection, final SinkSettings settings, final RowLayout layout)
        throws SQLException, JdbcAdapterException
    {
        final DatabaseMetaData database = connection.getMetaData();
        try (Statement look = connection.createStatement();
            ResultSet nothing = look.executeQuery("select * from " + settings.table() + " where 1 = 0"))
        {
            final ResultSetMetaData found = nothing.getMetaData();
            final int count = layout == null ? 0 : layout.size();
            final String[] columns = new String[count];
            final int[] types = new int[count];
            for (int i = 0; i < count; i++)
            {
                final EventProperty property = layout.properties().get(i);
                final int index = index(found, settings, property.name());
                columns[i] = found.getColumnName(index);
                types[i] = found.getColumnType(index);
                if (!ColumnTypes.suits(property.type(), types[i]))
                {
                    throw unsuited(settings, property, found, index);
                }
            }
            for (final ColumnName column : layout == null ? settings.columns() : List.<ColumnName>of())
            {
                index(found, settings, column.property());
            }
            return new TableMetadata(settings.table(), database.getDatabaseProductName(),
                database.getIdentifierQuoteString().strip(), columns, types, keys(settings, layout));
        }
        catch (final SQLException e)
        {
            if (FailureClassifier.isMissing(e))
            {
                throw new JdbcAdapterException(JdbcErrorCode.TABLE,
                    "the table cannot be read, stage=" + settings.stage() + " table=" + settings.table() + " cause=" +
                    e.getMessage(), "create it, correct instance property table, or grant the privilege to read it", e);
            }
            throw e;
        }
    }

    private static JdbcAdapterException unsuited(final SinkSettings settings, final EventProperty property,
        final ResultSetMetaData found, final int index) throws SQLException
    {
        return new JdbcAdapterException(JdbcErrorCode.TYPE,
            "the column cannot store the property, stage=" + settings.stage() +
            " table=" + settings.table() + " column=" + found.getColumnName(index) + " column-type=" +
            found.getColumnTypeName(index) + " property=" + property.name() + " property-type=" +
            property.type().cqlName(), "change one of them, or leave the property out by instance property columns",
            null);
    }

    private static int index(final ResultSetMetaData found, final SinkSettings settings, final String property)
        throws SQLException, JdbcAdapterException
    {
        final String column = settings.column(property);
        final List<String> names = new ArrayList<>();
        for (int i = 1; i <= found.getColumnCount(); i++)
        {
            if (found.getColumnName(i).equalsIgnoreCase(column))
            {
                return i;
            }
            names.add(found.getColumnName(i));
        }
        throw new JdbcAdapterException(JdbcErrorCode.COLUMN, "the table has no column for the property, stage=" +
            settings.stage() + " table=" + settings.table() + " property=" + property + " column=" + column +
            " columns=" + names, "add the column, or specify which properties are written: columns=\"property, " +
            "property=column\"", null);
    }

    private static int[] keys(final SinkSettings settings, final RowLayout layout) throws JdbcAdapterException
    {
        if (layout == null)
        {
            return new int[0];
        }
        final List<String> names = layout.properties().stream().map(EventProperty::name).toList();
        final int[] keys = new int[settings.keys().size()];
        for (int i = 0; i < keys.length; i++)
        {
            final String key = settings.keys().get(i);
            keys[i] = IntStream.range(0, names.size()).filter(c -> names.get(c).equalsIgnoreCase(key)).findFirst()
                .orElseThrow(() -> new JdbcAdapterException(JdbcErrorCode.COLUMN,
                "a key is not among the properties that are " +
                    "written, stage=" + settings.stage() + " key=" + key + " properties=" + names,
                    "correct instance property keys or columns", null));
        }
        return keys;
    }

    int size()
    {
        return columns.length;
    }

    boolean isH2()
    {
        return product.equals("H2");
    }

    String quoted(final int column)
    {
        return mark + columns[column].replace(mark, mark.isEmpty() ? "" : mark + mark) + mark;
    }

    int[] all()
    {
        return IntStream.range(0, columns.length).toArray();
    }

    /** Columns that are not keys. */
    int[] others()
    {
        return IntStream.range(0, columns.length).filter(i -> Arrays.stream(keys).noneMatch(key -> key == i)).toArray();
    }

    String columnList()
    {
        return list(all());
    }

    String keyList()
    {
        return list(keys);
    }

    private String list(final int[] some)
    {
        return Arrays.stream(some).mapToObj(this::quoted).collect(Collectors.joining(", "));
    }
}

package dev.millrace.adapter.jdbc.polling;

import dev.millrace.adapter.jdbc.buffer.ColumnName;
import dev.millrace.adapter.jdbc.buffer.JdbcAdapterException;
import dev.millrace.adapter.jdbc.buffer.JdbcErrorCode;
import dev.millrace.adapter.jdbc.database.FailureClassifier;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns of a result that a source reads, found by name, and the properties that they fill. Confined to one
 * thread.
 */
final class ResultColumns
{
    private final SourceSettings settings;
    private final ResultSetMetaData found;
    private final String[] names;
    private final int position;
    private final PositionType type;
    /** 0 for none. */
    private final int tie;
    private final PositionType tieType;
    /** 0 for none. */
    private final int time;
    private final int timeType;
    /** By property: index in the result, 0 if no column fills it. */
    private final int[] sources;
    private final ColumnReader[] readers;

    /**
     * Finds and checks the columns.
     *
     * @param found    description of the result
     * @param settings name the columns
     * @param event    type of the events; {@code null} if it is not known yet: then properties are not checked
     * @throws JdbcAdapterException if a column is missing or has an unsuitable type
     */
    ResultColumns(final ResultSetMetaData found, final SourceSettings settings, final EventType event)
        throws SQLException, JdbcAdapterException
    {
        this.settings = settings;
        this.found = found;
        names = new String[found.getColumnCount()];
        for (int i = 0; i < names.length; i++)
        {
            names[i] = found.getColumnLabel(i + 1);
        }
        position = index("positionColumn", settings.positionColumn());
        type = PositionType.of(found, position);
        if (type == null)
        {
            throw unordered("positionColumn", position, "an integer, a decimal without fraction or a timestamp");
        }
        tie = settings.tieColumn() == null ? 0 : index("tieColumn", settings.tieColumn());
        tieType = tie == 0 ? null : PositionType.of(found, tie);
        if (tie > 0 && (tieType == null || tieType.isTime()))
        {
            throw unordered("tieColumn", tie, "an integer or a decimal without fraction");
        }
        time = settings.timeColumn() == null ? 0 : index("timeColumn", settings.timeColumn());
        timeType = time == 0 ? 0 : found.getColumnType(time);
        if (time > 0 && !ColumnReaders.isTime(timeType))
        {
            throw new JdbcAdapterException(JdbcErrorCode.TYPE, "the column cannot be the time of events, " +
                settings.source() + " timeColumn=" + names[time - 1] + " column-type=" + found.getColumnTypeName(time),
                "choose a timestamp, or a bigint with nanoseconds since 1970", null);
        }
        final List<EventProperty> properties = event == null ? List.of() : event.properties();
        sources = new int[properties.size()];
        readers = new ColumnReader[properties.size()];
        for (int i = 0; i < sources.length; i++)
        {
            if (settings.fills(properties.get(i).name()))
            {
                bind(i, properties.get(i));
            }
        }
        checkProperties(event);
    }

    private void bind(final int property, final EventProperty declared) throws SQLException, JdbcAdapterException
    {
        final int source = index("columns", settings.column(declared.name()));
        sources[property] = source;
        readers[property] = ColumnReaders.of(declared, found.getColumnType(source));
        if (readers[property] == null)
        {
            throw new JdbcAdapterException(JdbcErrorCode.TYPE, "the property cannot have the values of the column, " +
                settings.source() + " column=" + names[source - 1] + " column-type=" +
                found.getColumnTypeName(source) + " property=" + declared.name() + " property-type=" +
                declared.type().cqlName(), "change one of them, or leave the property out by instance property columns",
                null);
        }
    }

    private void checkProperties(final EventType event) throws JdbcAdapterException
    {
        for (final ColumnName column : settings.columns())
        {
            if (event != null && event.indexOf(column.property()) < 0)
            {
                throw new JdbcAdapterException(JdbcErrorCode.EVENTS, "the event type has no such property, stage=" +
                    settings.stage() + " type=" + event.name() + " property=" + column.property() + " properties=" +
                    event.properties().stream().map(EventProperty::name).toList(),
                    "correct instance property columns", null);
            }
        }
    }

    private int index(final String property, final String column) throws JdbcAdapterException
    {
        for (int i = 0; i < names.length; i++)
        {
            if (names[i].equalsIgnoreCase(column))
            {
                return i + 1;
            }
        }
        throw new JdbcAdapterException(JdbcErrorCode.COLUMN, "the rows have no such column, " + settings.source() +
            " column=" + column + " columns=" + Arrays.toString(names), "correct instance property " + property, null);
    }

    private JdbcAdapterException unordered(final String property, final int column, final String suitable)
        throws SQLException
    {
        return new JdbcAdapterException(JdbcErrorCode.ORDER, "the column has no position, " + settings.source() + ' ' +
            property + '=' + names[column - 1] + " column-type=" + found.getColumnTypeName(column),
            "choose " + suitable, null);
    }

    PositionType type()
    {
        return type;
    }

    /** {@code null} if there is no tie column. */
    PositionType tieType()
    {
        return tieType;
    }

    /** The name of the position column as the database spells it. */
    String positionName()
    {
        return names[position - 1];
    }

    /** {@code null} if there is no tie column. */
    String tieName()
    {
        return tie == 0 ? null : names[tie - 1];
    }

    /** Whether the position of a row may be null, as far as the database knows. */
    boolean mayLackPosition() throws SQLException
    {
        return found.isNullable(position) == ResultSetMetaData.columnNullable;
    }

    /** The names of all columns that are read, once each. */
    Set<String> needed()
    {
        final Set<String> needed = new LinkedHashSet<>();
        final List<Integer> all = new ArrayList<>(List.of(position, tie, time));
        Arrays.stream(sources).forEach(all::add);
        all.stream().filter(each -> each > 0).forEach(each -> needed.add(names[each - 1]));
        return needed;
    }

    long position(final ResultSet rows) throws SQLException, RowRejectedException
    {
        final long value = type.read(rows, position);
        if (rows.wasNull())
        {
            throw new RowRejectedException(RowRejectedException.NULL_POSITION, "");
        }
        return value;
    }

    /** The tie value of the current row; 0 if there is no tie column. */
    long tie(final ResultSet rows) throws SQLException, RowRejectedException
    {
        if (tie == 0)
        {
            return 0;
        }
        final long value = tieType.read(rows, tie);
        if (rows.wasNull())
        {
            throw new RowRejectedException(RowRejectedException.NULL_POSITION, "tieColumn=" + names[tie - 1]);
        }
        return value;
    }

    /**
     * Reads the current row into a row of a batch.
     *
     * @param timesNs receives the time of the event if there is a time column
     */
    void read(final ResultSet rows, final EventBatch batch, final int row, final long[] timesNs) throws SQLException,
        RowRejectedException
    {
        for (int property = 0; property < readers.length; property++)
        {
            if (readers[property] != null)
            {
                read(rows, batch, property, row);
            }
        }
        if (time > 0)
        {
            timesNs[row] = ColumnReaders.time(rows, time, timeType);
        }
    }

    private void read(final ResultSet rows, final EventBatch batch, final int property, final int row)
        throws SQLException, RowRejectedException
    {
        try
        {
            batch.clearNull(property, row);
            readers[property].read(rows, sources[property], batch, property, row);
            if (rows.wasNull())
            {
                batch.setNull(property, row);
            }
        }
        catch (final RowRejectedException e)
        {
            throw new RowRejectedException(e.reason(), "column=" + names[sources[property] - 1] + ' ' + e.getMessage());
        }
        catch (final SQLException e)
        {
            if (FailureClassifier.of(e) == FailureClassifier.ROW)
            {
                throw new RowRejectedException(RowRejectedException.BAD_VALUE, "column=" +
                    names[sources[property] - 1] + " cause=" + FailureClassifier.reason(e));
            }
            throw e;
        }
    }

    /** Sets the properties that no column fills to null, in all rows of an empty batch. */
    void clearOthers(final EventBatch batch)
    {
        for (int property = 0; property < readers.length; property++)
        {
            if (readers[property] == null && batch.schema().storage(property).usesNullBitmap())
            {
                batch.setNull(property, 0);
                Arrays.fill(batch.nullBits(property), -1L);
            }
        }
    }

    boolean hasTime()
    {
        return time > 0;
    }
}

package dev.millrace.server.eventstore;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.network.durable.GroupDescription;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The table of the rows of a group of a dataset: columns for the position of a row in the recording, then one for each
 * property. Immutable.
 *
 * @param name    as stored in the database
 * @param group   what it contains
 * @param columns names of the columns of its properties, as stored in the database
 */
record EventTable(String name, GroupDescription group, List<String> columns)
{
    static final String BATCH = "batch_no";
    static final String ROW = "row_no";
    static final String RECORDED = "recorded_ns";
    static final String RECORDED_AT = "recorded_at";
    static final String TIME = "event_ns";
    static final String KIND = "row_kind";
    /** The columns before those of the properties. */
    static final List<String> PLACE = List.of(BATCH, ROW, RECORDED, RECORDED_AT, TIME, KIND);

    private static final List<String> KINDS = List.of("INSERT", "DELETE", "UPDATE");
    private static final int TIME_PARAMETER = 5;
    private static final int KIND_PARAMETER = 6;
    private static final long SECOND_NS = 1_000_000_000;

    /** Schema of batches of its rows. */
    BatchSchema schema()
    {
        return new BatchSchema(new EventType(group.name(), EventType.Kind.TUPLE, group.columns(), null));
    }

    private String columnList(final Database database)
    {
        return PLACE.stream().map(database::stored).collect(Collectors.joining(", ")) + columns.stream()
            .map(column -> ", " + database.quoted(column)).collect(Collectors.joining());
    }

    String quotedName(final Database database)
    {
        return database.quoted(name);
    }

    /** The statements that create the table and its index of times. */
    List<String> creation(final Database database)
    {
        final DatabaseKind kind = database.kind();
        final StringBuilder text = new StringBuilder("CREATE TABLE ").append(quotedName(database)).append(" (")
            .append(BATCH).append(' ').append(kind.bigint()).append(" NOT NULL, ").append(ROW).append(' ')
            .append(kind.integer()).append(" NOT NULL, ").append(RECORDED).append(' ').append(kind.bigint())
            .append(" NOT NULL, ").append(RECORDED_AT).append(' ').append(kind.time()).append(" NOT NULL, ")
            .append(TIME).append(' ').append(kind.bigint()).append(" NOT NULL, ").append(KIND)
            .append(" VARCHAR(6)");
        for (int i = 0; i < columns.size(); i++)
        {
            text.append(", ").append(database.quoted(columns.get(i))).append(' ')
                .append(kind.typeOf(group.columns().get(i).type()));
        }
        return List.of(text + ", PRIMARY KEY (" + BATCH + ", " + ROW + "))", "CREATE INDEX " +
            database.quoted(name + database.stored("_recorded")) + " ON " + quotedName(database) + " (" + RECORDED +
            ", " + BATCH + ")");
    }

    String insertion(final Database database)
    {
        return "INSERT INTO " + quotedName(database) + " (" + columnList(database) + ") VALUES (" +
            String.join(", ", Collections.nCopies(PLACE.size() + columns.size(), "?")) + ')';
    }

    /** The next rows from a batch on; parameters: first and last batch. */
    String page(final Database database, final int rows)
    {
        return database.kind().limited("SELECT " + columnList(database) + " FROM " + quotedName(database) + " WHERE " +
            BATCH + " >= ? AND " + BATCH + " <= ? ORDER BY " + BATCH + ", " + ROW, rows);
    }

    /**
     * Finds a batch by its time, without reading others; parameter: the time.
     *
     * @param first whether it is the first one from the time on, or the last one before it
     */
    String batchAt(final Database database, final boolean first)
    {
        final String direction = first ? "" : " DESC";
        return database.kind().limited("SELECT " + BATCH + " FROM " + quotedName(database) + " WHERE " + RECORDED +
            (first ? " >= ?" : " < ?") + " ORDER BY " + RECORDED + direction + ", " + BATCH + direction, 1);
    }

    /** Adds the rows of a batch to an insertion. */
    void add(final PreparedStatement insertion, final EventBatch rows, final long batch, final long recordedNs)
        throws SQLException
    {
        final LocalDateTime recordedAt = LocalDateTime.ofEpochSecond(Math.floorDiv(recordedNs, SECOND_NS),
            (int)Math.floorMod(recordedNs, SECOND_NS), ZoneOffset.UTC);
        for (int row = 0; row < rows.size(); row++)
        {
            int parameter = 1;
            insertion.setLong(parameter++, batch);
            insertion.setInt(parameter++, row);
            insertion.setLong(parameter++, recordedNs);
            insertion.setObject(parameter++, recordedAt);
            insertion.setLong(parameter++, rows.timestampNs(row));
            insertion.setString(parameter++, rows.hasKinds() ? KINDS.get(rows.kind(row)) : null);
            for (int column = 0; column < columns.size(); column++)
            {
                set(insertion, parameter++, rows, column, row);
            }
            insertion.addBatch();
        }
    }

    private void set(final PreparedStatement to, final int parameter, final EventBatch rows, final int column,
        final int row) throws SQLException
    {
        final boolean isNull = rows.isNull(column, row);
        switch (group.columns().get(column).type())
        {
            case INT -> to.setObject(parameter, isNull ? null : rows.ints(column)[row], Types.INTEGER);
            case BIGINT, TIMESTAMP, INTERVAL ->
                to.setObject(parameter, isNull ? null : rows.longs(column)[row], Types.BIGINT);
            case FLOAT -> to.setObject(parameter, isNull ? null : (double)rows.floats(column)[row], Types.DOUBLE);
            case DOUBLE -> to.setObject(parameter, isNull ? null : rows.doubles(column)[row], Types.DOUBLE);
            case BOOLEAN ->
            {
                if (isNull)
                {
                    to.setNull(parameter, Types.BOOLEAN);
                }
                else
                {
                    to.setBoolean(parameter, rows.bits(column)[row] != 0);
                }
            }
            case CHAR -> to.setString(parameter, isNull ? null : rows.texts(column).string(row));
            case BYTE -> to.setBytes(parameter, (byte[])rows.references(column)[row]);
            default -> to.setString(parameter, isNull ? null : rows.references(column)[row].toString());
        }
    }

    /** Reads a row of a page into a batch, which contains the rows before it. */
    void read(final ResultSet from, final EventBatch rows, final int row) throws SQLException
    {
        rows.useTimestampPerRow()[row] = from.getLong(TIME_PARAMETER);
        final String kind = from.getString(KIND_PARAMETER);
        if (kind != null)
        {
            rows.useKinds()[row] = (byte)KINDS.indexOf(kind);
        }
        for (int column = 0; column < columns.size(); column++)
        {
            get(from, PLACE.size() + 1 + column, rows, column, row);
        }
    }

    private void get(final ResultSet from, final int index, final EventBatch rows, final int column, final int row)
        throws SQLException
    {
        switch (group.columns().get(column).type())
        {
            case INT -> rows.ints(column)[row] = from.getInt(index);
            case BIGINT, TIMESTAMP, INTERVAL -> rows.longs(column)[row] = from.getLong(index);
            case FLOAT -> rows.floats(column)[row] = (float)from.getDouble(index);
            case DOUBLE -> rows.doubles(column)[row] = from.getDouble(index);
            case BOOLEAN -> rows.bits(column)[row] = (byte)(from.getBoolean(index) ? 1 : 0);
            case CHAR ->
            {
                final String text = from.getString(index);
                rows.texts(column).set(row, text == null ? "" : text);
            }
            case BYTE -> rows.references(column)[row] = from.getBytes(index);
            case BIGDECIMAL ->
            {
                final String text = from.getString(index);
                rows.references(column)[row] = text == null ? null : new BigDecimal(text);
            }
            default -> rows.references(column)[row] = from.getString(index);
        }
        if (from.wasNull() && schemaHasBitmap(column))
        {
            rows.setNull(column, row);
        }
    }

    private boolean schemaHasBitmap(final int column)
    {
        return group.columns().get(column).type().storage().usesNullBitmap();
    }
}

package dev.millrace.server.eventstore;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.definition.TimeRange;
import dev.millrace.network.durable.RecordKind;
import dev.millrace.network.partition.RowEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import javax.sql.DataSource;

/**
 * Reads the rows of a table batch by batch, as records. It needs a connection only while it reads a page, because a
 * playback may wait for a long time between batches. Confined to one thread.
 */
final class TableReader
{
    /** More than two batches, so that a page has a complete one. */
    private static final int PAGE_ROWS = 8 * EventBatch.CAPACITY;

    private final DataSource source;
    private final Database database;
    private final EventTable table;
    private final int number;
    private final EventBatch batch;
    private final RowEncoder encoder;
    private final Deque<Batch> page = new ArrayDeque<>();
    private ByteBuffer buffer = ByteBuffer.allocate(1 << 14).order(ByteOrder.LITTLE_ENDIAN);
    private boolean described;
    private long next;
    private long last;

    /** The record of a batch. */
    private record Batch(long number, byte[] bytes)
    {
    }

    /**
     * @param number of the group in records
     * @param period rows that were recorded at other times are skipped
     */
    TableReader(final DataSource source, final Connection connection, final Database database, final EventTable table,
        final int number, final TimeRange period) throws SQLException
    {
        this.source = source;
        this.database = database;
        this.table = table;
        this.number = number;
        batch = new EventBatch(table.schema());
        encoder = RowEncoder.forJournal(batch.schema(), column -> true);
        next = bound(connection, table.batchAt(database, true), period.startNs(), Long.MAX_VALUE);
        last = bound(connection, table.batchAt(database, false), period.endNs(), Long.MIN_VALUE);
    }

    private static long bound(final Connection connection, final String query, final long timeNs, final long otherwise)
        throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(query))
        {
            statement.setLong(1, timeNs);
            try (ResultSet rows = statement.executeQuery())
            {
                return rows.next() ? rows.getLong(1) : otherwise;
            }
        }
    }

    /** Number of the next batch; {@link Long#MAX_VALUE} at the end. */
    long next() throws SQLException
    {
        if (page.isEmpty() && next <= last)
        {
            try (Connection connection = source.getConnection())
            {
                read(connection);
            }
        }
        return page.isEmpty() ? Long.MAX_VALUE : page.peek().number();
    }

    /** The record before the next batch that describes the group; {@code null} after the first call. */
    byte[] description()
    {
        if (described)
        {
            return null;
        }
        described = true;
        final byte[] text = table.group().text().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + Integer.BYTES + text.length).order(ByteOrder.LITTLE_ENDIAN)
            .put(RecordKind.GROUP).putInt(number).put(text).array();
    }

    /** The record of the next batch, which the reader leaves behind. */
    byte[] take()
    {
        return page.remove().bytes();
    }

    private void read(final Connection connection) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(table.page(database, PAGE_ROWS)))
        {
            statement.setFetchSize(PAGE_ROWS);
            statement.setLong(1, next);
            statement.setLong(2, last);
            try (ResultSet rows = statement.executeQuery())
            {
                read(rows);
            }
        }
    }

    private void read(final ResultSet rows) throws SQLException
    {
        int count = 0;
        int size = 0;
        long current = Long.MIN_VALUE;
        long recordedNs = 0;
        batch.clear();
        while (rows.next())
        {
            final long number = rows.getLong(1);
            if (size > 0 && number != current)
            {
                add(current, recordedNs, size);
                size = 0;
            }
            current = number;
            recordedNs = rows.getLong(3);
            table.read(rows, batch, size++);
            count++;
        }
        if (count < PAGE_ROWS)
        {
            if (size > 0)
            {
                add(current, recordedNs, size);
            }
            next = Long.MAX_VALUE;
            last = Long.MIN_VALUE;
        }
        else
        {
            // Its other rows may be beyond the page.
            next = current;
        }
    }

    private void add(final long batchNumber, final long recordedNs, final int size)
    {
        batch.size(size);
        Arrays.fill(batch.useOrigins(), 0, size, recordedNs);
        buffer.clear();
        buffer.put(RecordKind.RECORDED_ROWS).putInt(number).putLong(recordedNs);
        buffer = encoder.encode(batch, buffer);
        page.add(new Batch(batchNumber, Arrays.copyOf(buffer.array(), buffer.position())));
        batch.clear();
    }
}

package dev.millrace.tuning.store;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Random;

/**
 * Events from the monitoring of processes with 180 bytes of values: five numbers of 8 bytes and strings of 16, 24, 16
 * and 84 characters. The id makes each different; strings repeat, numbers do not. Immutable except for the round.
 */
final class StoreRows
{
    static final EventType EVENT = EventType.tuple("ProcessEvent", property("id", CqlType.BIGINT),
        property("at", CqlType.BIGINT), property("pid", CqlType.BIGINT), property("memory", CqlType.BIGINT),
        property("cpu", CqlType.DOUBLE), property("host", CqlType.CHAR), property("process", CqlType.CHAR),
        property("account", CqlType.CHAR), property("message", CqlType.CHAR));

    /** The columns that updates set, and the key. */
    static final String UPDATED = "id, at, memory, cpu, message";

    private static final int[] LENGTHS = {16, 24, 16, 84};
    private static final int MESSAGE = 3;
    private static final int TEXTS = 4_096;
    private static final long STEP_NS = 1_000_000;
    private static final long START_NS = 1_600_000_000_000_000_000L;
    private static final int NUMBERS = 5;
    private static final long PIDS = 32_768;
    private static final int ROUND_SHIFT = 40;

    private final int count;
    private final int[] order;
    private final int[][] chosen = new int[LENGTHS.length][];
    private final String[][] texts = new String[LENGTHS.length][TEXTS];
    private final long[] pids;
    private final long[] memories;
    private final double[] cpus;
    private long round;

    private static EventProperty property(final String name, final CqlType type)
    {
        return new EventProperty(name, type);
    }

    /**
     * @param count      number of events
     * @param seed       of all random values
     * @param isShuffled whether ids are in random order
     */
    StoreRows(final int count, final long seed, final boolean isShuffled)
    {
        this.count = count;
        final Random random = new Random(seed);
        order = random.ints(0, Integer.MAX_VALUE).limit(count).toArray();
        for (int i = 0; i < count; i++)
        {
            final int other = isShuffled && i > 0 ? order[i] % (i + 1) : i;
            order[i] = order[other];
            order[other] = i;
        }
        if (!isShuffled)
        {
            java.util.Arrays.setAll(order, i -> i);
        }
        for (int column = 0; column < LENGTHS.length; column++)
        {
            for (int i = 0; i < TEXTS; i++)
            {
                texts[column][i] = text(random, LENGTHS[column]);
            }
            chosen[column] = random.ints(count, 0, TEXTS).toArray();
        }
        pids = random.longs(count, 1, PIDS).toArray();
        memories = random.longs(count, 0, 1L << ROUND_SHIFT).toArray();
        cpus = random.doubles(count).toArray();
    }

    private static String text(final Random random, final int length)
    {
        return random.ints(length, 'a', 'z' + 1).collect(StringBuilder::new, StringBuilder::appendCodePoint,
            StringBuilder::append).toString();
    }

    int count()
    {
        return count;
    }

    /** Changes the values for the next pass. */
    void nextRound()
    {
        round++;
    }

    /** Writes events into a batch. */
    void fill(final EventBatch batch, final int from, final int rows)
    {
        for (int i = 0; i < rows; i++)
        {
            final int row = order[from + i];
            batch.longs(0)[i] = row;
            batch.longs(1)[i] = at(row);
            batch.longs(2)[i] = pids[row];
            batch.longs(3)[i] = memory(row);
            batch.doubles(4)[i] = cpus[row];
            for (int column = 0; column < LENGTHS.length; column++)
            {
                batch.texts(NUMBERS + column).set(i, texts[column][chosen[column][row]]);
            }
        }
        batch.size(rows);
    }

    /** Sets the parameters of an insert. */
    void bindInsert(final PreparedStatement statement, final int index) throws SQLException
    {
        final int row = order[index];
        statement.setLong(1, row);
        statement.setLong(2, at(row));
        statement.setLong(3, pids[row]);
        statement.setLong(4, memory(row));
        statement.setDouble(5, cpus[row]);
        for (int column = 0; column < LENGTHS.length; column++)
        {
            statement.setString(NUMBERS + column + 1, texts[column][chosen[column][row]]);
        }
    }

    /** Sets the parameters of an update: {@link #UPDATED} without the key, then the key. */
    void bindUpdate(final PreparedStatement statement, final int index) throws SQLException
    {
        final int row = order[index];
        statement.setLong(1, at(row));
        statement.setLong(2, memory(row));
        statement.setDouble(3, cpus[row]);
        statement.setString(4, texts[MESSAGE][chosen[MESSAGE][row]]);
        statement.setLong(5, row);
    }

    private long at(final int row)
    {
        return START_NS + (round * count + row) * STEP_NS;
    }

    private long memory(final int row)
    {
        return memories[row] + round;
    }

    /** Number of rows, sum of ids and sum of memory of the table after this round. */
    long[] expected()
    {
        long memory = 0;
        for (int row = 0; row < count; row++)
        {
            memory += memory(row);
        }
        return new long[] {count, (long)count * (count - 1) / 2, memory};
    }

    /** Query of the values to compare with {@link #expected}. */
    static String check(final String table)
    {
        return "select count(*), sum(id), sum(memory) from " + table;
    }

    /** A table for events, with the indexes of a table that is queried. */
    static String columns(final String number)
    {
        return "(id bigint primary key, at bigint, pid bigint, memory bigint, cpu " + number + ", host varchar(16), " +
            "process varchar(24), account varchar(16), message varchar(84))";
    }
}

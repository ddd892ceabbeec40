package dev.millrace.cql.processor.calibration;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Generated readings: {@value #NAMES} names; a fifth of the rows pass a filter on {@code kind}, and a quarter of those
 * differ much from the previous one, in an order that a branch predictor cannot predict. The rows are the same each
 * time.
 */
final class SampleRows
{
    /** A multiple of the batch sizes 24 and 16. */
    static final int ROWS = 48 * 1024;
    static final EventType READING = EventType.tuple("CalibrationReading", new EventProperty("name", CqlType.CHAR),
        new EventProperty("amount", CqlType.DOUBLE), new EventProperty("kind", CqlType.INT));
    static final int KINDS = 5;

    private static final int NAMES = 300;
    private static final long SEED = 20;

    final BatchSchema schema;
    private final String[] names = new String[ROWS];
    private final double[] amounts = new double[ROWS];
    private final int[] kinds = new int[ROWS];

    SampleRows()
    {
        schema = new BatchSchema(READING);
        final SplittableRandom random = new SplittableRandom(SEED);
        final String[] all = IntStream.range(0, NAMES).mapToObj(i -> "N" + i).toArray(String[]::new);
        for (int i = 0; i < ROWS; i++)
        {
            names[i] = all[random.nextInt(NAMES)];
            amounts[i] = 100 + (random.nextInt(4) == 0 ? random.nextDouble(3, 5) : random.nextDouble());
            kinds[i] = random.nextInt(KINDS);
        }
    }

    /** Writes rows to a batch, as an adapter does. */
    void fill(final EventBatch batch, final int from, final int count, final long timeNs)
    {
        batch.texts(0).set(names, from, count);
        System.arraycopy(amounts, from, batch.doubles(1), 0, count);
        System.arraycopy(kinds, from, batch.ints(2), 0, count);
        batch.baseTimestampNs(timeNs);
        batch.size(count);
    }
}

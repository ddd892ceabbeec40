package dev.millrace.network.recording;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.network.durable.GroupDescription;
import dev.millrace.network.durable.RecordKind;
import dev.millrace.network.lane.Inlet;
import dev.millrace.network.partition.RowEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;

/** Receives the rows of one lane that leaves a stage, and encodes them. Called by one thread at a time. */
final class RecordedGroup implements Inlet
{
    private static final int FIRST_BYTES = 1 << 14;
    private static final int TIME_OFFSET = 1 + Integer.BYTES;

    private final BiConsumer<RecordedGroup, EventBatch> recorder;
    private final byte[] description;
    private final int number;
    private final RowEncoder encoder;
    private ByteBuffer buffer = ByteBuffer.allocate(FIRST_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    /**
     * @param recorder receives each batch with this group, and decides whether to encode it
     * @param number   identifies the group in records
     */
    RecordedGroup(final BiConsumer<RecordedGroup, EventBatch> recorder, final int number, final GroupName name,
        final BatchSchema schema)
    {
        this.recorder = recorder;
        this.number = number;
        encoder = RowEncoder.forJournal(schema, column -> true);
        final byte[] text = GroupDescription.of(name.text(), schema, column -> true).text()
            .getBytes(StandardCharsets.UTF_8);
        description = ByteBuffer.allocate(1 + Integer.BYTES + text.length).order(ByteOrder.LITTLE_ENDIAN)
            .put(RecordKind.GROUP).putInt(number).put(text).array();
    }

    /** The record that describes the group. */
    byte[] description()
    {
        return description;
    }

    @Override
    public void accept(final EventBatch batch)
    {
        if (batch.size() > 0)
        {
            recorder.accept(this, batch);
        }
    }

    /** Encodes a batch; {@link #complete} follows. */
    void encode(final EventBatch batch)
    {
        buffer.clear();
        buffer.put(RecordKind.RECORDED_ROWS).putInt(number).putLong(0);
        buffer = encoder.encode(batch, buffer);
    }

    /** Sets the time of the encoded batch; returns the length of the record. */
    int complete(final long timeNs)
    {
        buffer.putLong(TIME_OFFSET, timeNs);
        return buffer.position();
    }

    /** The encoded record. */
    byte[] bytes()
    {
        return buffer.array();
    }
}

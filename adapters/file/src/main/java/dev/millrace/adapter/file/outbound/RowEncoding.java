package dev.millrace.adapter.file.outbound;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StageContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;

/** How rows become the bytes of the file to which a sink appends. Not thread-safe. */
interface RowEncoding
{
    /**
     * Compares the properties with an event type before the first batch.
     *
     * @param eventTypeName {@code null} if it is not known
     * @throws IllegalArgumentException if they do not match
     */
    void check(StageContext context, String eventTypeName);

    /** Finds the columns in a batch, whose rows may then be encoded. */
    void map(EventBatch batch) throws EventRejectedException;

    /** The first line of a file, without its end; {@code null} for none. */
    String header();

    /**
     * Selects the rows whose values the file can contain.
     *
     * @param rows    of the batch that was mapped last; receives those that are selected
     * @param refused receives a description of each of the others
     * @return how many are selected
     */
    int select(EventBatch batch, int[] rows, int count, List<Object> refused);

    /**
     * Encodes rows of the batch that was mapped last.
     *
     * @return the bytes, valid until the next call
     * @throws EventRejectedException if they are too large
     */
    ByteBuffer encode(EventBatch batch, int[] rows, int count) throws EventRejectedException;

    /** The end of the last complete row of a file, of which a crash of the machine may leave a part. */
    long end(FileChannel file) throws IOException;
}

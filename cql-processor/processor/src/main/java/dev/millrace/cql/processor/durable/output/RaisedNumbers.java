package dev.millrace.cql.processor.durable.output;

import dev.millrace.journal.Journal;
import dev.millrace.network.durable.RecordKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The numbers of outputs whose rows the stages below have stored although the journal lost the records that caused
 * them. The next rows get the numbers after these, and the journal must contain that: otherwise the next replay would
 * give them lower numbers, and they would be taken for rows that are stored. Confined to the thread that acts as the
 * unit's worker.
 */
public final class RaisedNumbers
{
    private final List<NumberedOutput> outputs;
    private final Journal journal;
    private boolean isWritten;

    /** @param outputs those of the unit; they change while no row is in the unit */
    public RaisedNumbers(final List<NumberedOutput> outputs, final Journal journal)
    {
        this.outputs = outputs;
        this.journal = journal;
    }

    /** Appends the raised numbers before the first batch; again if that failed. */
    public void write()
    {
        if (!isWritten)
        {
            for (int i = 0; i < outputs.size(); i++)
            {
                if (outputs.get(i).isRaised())
                {
                    append(outputs.get(i));
                }
            }
            isWritten = true;
        }
    }

    private void append(final NumberedOutput output)
    {
        final byte[] name = output.producer().getBytes(StandardCharsets.UTF_8);
        final ByteBuffer record = ByteBuffer.allocate(1 + Integer.BYTES + Long.BYTES + name.length)
            .order(ByteOrder.LITTLE_ENDIAN).put(RecordKind.OUTPUT).putInt(0).putLong(output.raisedTo()).put(name);
        journal.append(record.array(), 0, record.position());
    }

    /** Appends them once more, because the outputs were exchanged. */
    public void writeAgain()
    {
        isWritten = false;
    }

    /** A replay has reached such a record. */
    public void raise(final String producer, final long number)
    {
        for (final NumberedOutput output : outputs)
        {
            if (output.producer().equals(producer))
            {
                output.raise(number);
            }
        }
    }
}

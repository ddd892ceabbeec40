package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.common.decode.RejectReason;
import dev.millrace.adapter.common.decode.RowDecoder;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.file.inbound.OpenFile.Progress;
import dev.millrace.adapter.file.inbound.input.RecordBuffer;
import dev.millrace.api.event.EventBatch;
import java.io.IOException;

/**
 * Reads the records of a file and adds their rows to the batch. Confined to the source's thread. Failure:
 * {@link IOException} if the file cannot be read; rows that cannot be decoded are rejected and counted.
 */
final class RecordReader
{
    private final RowDecoder decoder;
    private final RowWriter writer;
    private final RowIntake intake;
    private final int maxLineBytes;

    RecordReader(final int maxLineBytes, final RowDecoder decoder, final RowWriter writer, final RowIntake intake)
    {
        this.maxLineBytes = maxLineBytes;
        this.decoder = decoder;
        this.writer = writer;
        this.intake = intake;
    }

    /** Reads about as many records as a batch has rows, or fewer if there is nothing to do at present. */
    Progress read(final OpenFile file, final RecordBuffer records) throws IOException
    {
        intake.begin();
        for (int i = 0; i < EventBatch.CAPACITY; i++)
        {
            final int end = records.continueDiscarding() && records.from() < records.to() ?
                decoder.decode(records.bytes(), records.from(), records.to(), file.isEnd(), intake.row()) :
                RowDecoder.INCOMPLETE;
            if (end == RowDecoder.INCOMPLETE)
            {
                final Progress progress = fill(file, records);
                if (progress != Progress.MORE)
                {
                    return progress;
                }
            }
            else if (!accept(file, records, end))
            {
                return Progress.NOT_DUE;
            }
        }
        return Progress.MORE;
    }

    private Progress fill(final OpenFile file, final RecordBuffer records) throws IOException
    {
        if (records.to() - records.from() > maxLineBytes)
        {
            rejectLong(file, records);
            return Progress.MORE;
        }
        return records.fill() ? Progress.MORE : Progress.AT_END;
    }

    /** Returns false if the row is not due yet; it is decoded again then. */
    private boolean accept(final OpenFile file, final RecordBuffer records, final int end)
    {
        if (end - records.from() > maxLineBytes)
        {
            rejectLong(file, records);
            return true;
        }
        if (decoder.outcome() == RowDecoder.Outcome.REJECTED)
        {
            reject(file, decoder.reason(), decoder.detail());
            if (decoder.isUnbounded())
            {
                records.discardLine();
                return true;
            }
        }
        if (decoder.outcome() == RowDecoder.Outcome.ROW && !intake.isDue())
        {
            writer.abandon(intake.row());
            return false;
        }
        records.consume(end, decoder.lines());
        if (decoder.outcome() == RowDecoder.Outcome.ROW)
        {
            intake.add(file.part().number(records.offset()));
        }
        return true;
    }

    /** Rejects the rest of a compressed file. */
    void rejectDamaged(final OpenFile file, final IOException cause)
    {
        reject(file, RejectReason.DAMAGED_FILE, "the rest of the file was not read: " + cause.getMessage());
    }

    private void rejectLong(final OpenFile file, final RecordBuffer records)
    {
        reject(file, RejectReason.LINE_TOO_LONG, "maxLineBytes=" + maxLineBytes + " line=\"" +
            RowWriter.excerpt(records.bytes(), records.from(), records.to()) + '"');
        records.discardLine();
    }

    private void reject(final OpenFile file, final RejectReason reason, final String detail)
    {
        writer.abandon(intake.row());
        intake.reject(file, "line", reason, detail);
    }
}

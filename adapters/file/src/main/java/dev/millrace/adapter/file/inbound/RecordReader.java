package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.common.decode.RejectReason;
import dev.millrace.adapter.common.decode.RowDecoder;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.common.source.RowBatch;
import dev.millrace.adapter.file.inbound.input.RecordBuffer;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the records of a file and adds their rows to the batch. Confined to the source's thread. Failure:
 * {@link IOException} if the file cannot be read; rows that cannot be decoded are rejected and counted.
 */
final class RecordReader
{
    /** Why {@link #read} has returned. */
    enum Progress
    {
        /** There may be more rows at once. */
        MORE,
        /** The next row is not due before {@link #dueNs}. */
        NOT_DUE,
        /** All bytes that the file has at present were read. */
        AT_END
    }

    private final RowDecoder decoder;
    private final RowWriter writer;
    private final RowBatch rows;
    private final ReplayPace pace;
    private final EventBatchSender sender;
    private final SourceCounters counters;
    private final Clock clock;
    private final int maxLineBytes;
    private final String stageName;
    private long nowNs;
    private long dueNs;

    /** @param pace {@code null} if rows are due at once */
    RecordReader(final SourceSettings settings, final RowDecoder decoder, final RowWriter writer, final RowBatch rows,
        final ReplayPace pace, final EventBatchSender sender, final SourceCounters counters, final Clock clock)
    {
        this.decoder = decoder;
        this.writer = writer;
        this.rows = rows;
        this.pace = pace;
        this.sender = sender;
        this.counters = counters;
        this.clock = clock;
        maxLineBytes = settings.maxLineBytes();
        stageName = settings.stageName();
    }

    /** The time at which the next row is due, after {@link Progress#NOT_DUE}. */
    long dueNs()
    {
        return dueNs;
    }

    /** Reads about as many records as a batch has rows, or fewer if there is nothing to do at present. */
    Progress read(final OpenFile file) throws IOException
    {
        final RecordBuffer records = file.records;
        nowNs = clock.epochNs();
        for (int i = 0; i < EventBatch.CAPACITY; i++)
        {
            final int end = records.continueDiscarding() && records.from() < records.to() ?
                decoder.decode(records.bytes(), records.from(), records.to(), file.isEnd(), rows.rows()) :
                RowDecoder.INCOMPLETE;
            if (end == RowDecoder.INCOMPLETE)
            {
                final Progress progress = fill(file);
                if (progress != Progress.MORE)
                {
                    return progress;
                }
            }
            else if (!accept(file, end))
            {
                return Progress.NOT_DUE;
            }
        }
        return Progress.MORE;
    }

    private Progress fill(final OpenFile file) throws IOException
    {
        final RecordBuffer records = file.records;
        if (records.to() - records.from() > maxLineBytes)
        {
            rejectLong(file);
            return Progress.MORE;
        }
        return records.fill() ? Progress.MORE : Progress.AT_END;
    }

    /** Returns false if the row is not due yet; it is decoded again then. */
    private boolean accept(final OpenFile file, final int end)
    {
        final RecordBuffer records = file.records;
        if (end - records.from() > maxLineBytes)
        {
            rejectLong(file);
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
        long originNs = nowNs;
        if (decoder.outcome() == RowDecoder.Outcome.ROW && pace != null)
        {
            dueNs = pace.dueNs(rows.rows());
            nowNs = dueNs > nowNs ? clock.epochNs() : nowNs;
            if (dueNs > nowNs)
            {
                writer.abandon(rows.rows());
                return false;
            }
            originNs = Math.max(dueNs, 0);
        }
        records.consume(end, decoder.lines());
        if (decoder.outcome() == RowDecoder.Outcome.ROW)
        {
            rows.add(file.number(), originNs);
        }
        return true;
    }

    /** Rejects the rest of a compressed file. */
    void rejectDamaged(final OpenFile file, final IOException cause)
    {
        reject(file, RejectReason.DAMAGED_FILE, "the rest of the file was not read: " + cause.getMessage());
    }

    private void rejectLong(final OpenFile file)
    {
        final RecordBuffer records = file.records;
        reject(file, RejectReason.LINE_TOO_LONG, "maxLineBytes=" + maxLineBytes + " line=\"" +
            RowWriter.excerpt(records.bytes(), records.from(), records.to()) + '"');
        records.discardLine();
    }

    private static Map<String, Object> origin(final OpenFile file)
    {
        final Map<String, Object> origin = new LinkedHashMap<>();
        origin.put("file", file.part.path().toString());
        origin.put("line", file.records.line());
        return origin;
    }

    private void reject(final OpenFile file, final RejectReason reason, final String detail)
    {
        writer.abandon(rows.rows());
        counters.rejected();
        counters.rejectedRows.add(origin(file), reason.reason(), detail);
        sender.reject(1, reason.reason(), reason.code() + " a row of a file was rejected, stage=" + stageName +
            " file=" + file.part.path() + " line=" + file.records.line() + ' ' + detail);
    }
}

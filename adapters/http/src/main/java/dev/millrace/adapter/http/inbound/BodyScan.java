package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.common.decode.RowDecoder;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.http.property.RefusedRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decodes the records of a body, twice if they do not fit into one batch: first to check all of them, then to send
 * them. Confined to the thread of the source.
 */
final class BodyScan
{
    private static final int MAX_PROBLEMS = 10;
    private static final Pattern COLUMN = Pattern.compile("column=(\\S+)");

    private final RequestBatch batch;
    private final RowWriter writer;
    private final List<Map<String, Object>> problems = new ArrayList<>();
    private final RejectionListener listener;
    private Records records;
    private byte[] bytes;
    private int sizeBytes;
    private int record;
    private int rows;
    private int lastRow;
    private int rejected;
    private boolean isInBatch;

    /** Receives each rejected row of a body. */
    @FunctionalInterface
    interface RejectionListener
    {
        void rejected(Map<String, Object> position, RowProblem problem);
    }

    BodyScan(final RequestBatch batch, final RowWriter writer, final RejectionListener listener)
    {
        this.batch = batch;
        this.writer = writer;
        this.listener = listener;
    }

    /** Decodes all records. The batch contains the rows if they fit into it. */
    void check(final Records of, final byte[] body, final int size)
    {
        records = of;
        bytes = body;
        sizeBytes = size;
        problems.clear();
        begin();
        rejected = 0;
        isInBatch = true;
        RowDecoder.Outcome outcome = decode();
        while (outcome != null)
        {
            if (outcome == RowDecoder.Outcome.REJECTED)
            {
                reject();
            }
            outcome = decode();
        }
    }

    private void begin()
    {
        batch.clear();
        record = 0;
        rows = 0;
        lastRow = 0;
        records.begin(bytes, sizeBytes);
    }

    /** Decodes the next record; {@code null} at the end of the body. */
    private RowDecoder.Outcome decode()
    {
        if (batch.isFull())
        {
            isInBatch = false;
            batch.clear();
        }
        final RowDecoder.Outcome outcome = records.next(batch.rows());
        if (outcome == RowDecoder.Outcome.ROW)
        {
            record++;
            rows++;
            lastRow = record;
            batch.add(record);
        }
        else if (outcome == RowDecoder.Outcome.REJECTED)
        {
            record++;
            writer.abandon(batch.rows());
        }
        return outcome;
    }

    private void reject()
    {
        rejected++;
        final RowProblem problem = records.problem();
        final Map<String, Object> position = new LinkedHashMap<>();
        position.put("row", record);
        position.put("line", records.line());
        final Matcher column = COLUMN.matcher(problem.detail());
        if (column.find())
        {
            position.put("column", column.group(1));
        }
        listener.rejected(position, problem);
        if (problems.size() < MAX_PROBLEMS)
        {
            final Map<String, Object> shown = RefusedRequest.problem(problem.code(),
                problem.reason() + ": " + problem.detail(), "correct the row, and send it again");
            shown.putAll(position);
            problems.add(shown);
        }
    }

    /** Sends the rows that {@link #check} has found. */
    void send(final Numbering numbering, final long originNs)
    {
        if (isInBatch)
        {
            batch.send(numbering, originNs);
            return;
        }
        begin();
        RowDecoder.Outcome outcome = RowDecoder.Outcome.BLANK;
        while (outcome != null)
        {
            if (batch.isFull())
            {
                batch.send(numbering, originNs);
            }
            outcome = decode();
        }
        batch.send(numbering, originNs);
    }

    /** Number of rows. */
    int rows()
    {
        return rows;
    }

    /** Number of records, rows and others. */
    int records()
    {
        return record;
    }

    /** The record of the last row. */
    int lastRow()
    {
        return lastRow;
    }

    /** Number of records that are no rows. */
    int rejected()
    {
        return rejected;
    }

    /** The first of them, for the response. */
    List<Map<String, Object>> problems()
    {
        return List.copyOf(problems);
    }
}

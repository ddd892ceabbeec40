package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.common.decode.RejectReason;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.file.inbound.input.InputFile;
import dev.millrace.adapter.file.inbound.position.StreamFile;
import dev.millrace.adapter.file.parquet.ParquetRows;
import dev.millrace.adapter.file.parquet.RefusedFileException;
import dev.millrace.api.event.EventBatch;
import java.io.IOException;

/** A Parquet file. Its positions are numbers of rows. Confined to the source's thread. */
final class ParquetFile implements OpenFile
{
    private static final String UNIT = "row";

    private final InputFile input;
    private final StreamFile part;
    private final ParquetRows rows;
    private final RowWriter writer;
    private final RowIntake intake;
    /** Rows that were read, from the beginning of the file. */
    private long offset;
    private int loaded;
    private int index;
    private boolean isBegun;
    private boolean isEnd;

    /** @param resumeOffset number of rows that were sent already */
    ParquetFile(final InputFile input, final StreamFile part, final long resumeOffset, final ParquetRows rows,
        final RowWriter writer, final RowIntake intake)
    {
        this.input = input;
        this.part = part;
        this.rows = rows;
        this.writer = writer;
        this.intake = intake;
        offset = resumeOffset;
    }

    @Override
    public InputFile input()
    {
        return input;
    }

    @Override
    public StreamFile part()
    {
        return part;
    }

    @Override
    public Beginning begin() throws IOException
    {
        if (!isBegun)
        {
            rows.open(input.sizeBytes());
            if (offset > rows.count())
            {
                return Beginning.TRUNCATED;
            }
            rows.seek(offset);
            isBegun = true;
        }
        return Beginning.BEGUN;
    }

    @Override
    public Progress read() throws IOException
    {
        intake.begin();
        for (int i = 0; i < EventBatch.CAPACITY; i++)
        {
            if (index == loaded)
            {
                index = 0;
                loaded = 0;
                loaded = rows.load();
                if (loaded == 0)
                {
                    return Progress.AT_END;
                }
            }
            if (!take())
            {
                return Progress.NOT_DUE;
            }
        }
        return Progress.MORE;
    }

    /** Returns false if the row is not due yet. */
    private boolean take()
    {
        final int row = intake.row();
        writer.begin(row);
        final RejectReason refusal = rows.put(index, row);
        if (refusal != null)
        {
            writer.abandon(row);
            intake.reject(this, UNIT, refusal, rows.detail(index));
        }
        else if (!intake.isDue())
        {
            writer.abandon(row);
            return false;
        }
        index++;
        offset++;
        if (refusal == null)
        {
            intake.add(part.number(offset));
        }
        return true;
    }

    @Override
    public void rejectRest(final IOException cause)
    {
        intake.reject(this, UNIT,
            cause instanceof RefusedFileException refused ? refused.reason() : RejectReason.DAMAGED_FILE,
            "the rest of the file was not read: " + cause.getMessage());
    }

    @Override
    public void setEnd()
    {
        isEnd = true;
    }

    @Override
    public boolean isEnd()
    {
        return isEnd;
    }

    @Override
    public boolean hasBegun()
    {
        return isBegun;
    }

    @Override
    public long offset()
    {
        return offset;
    }

    @Override
    public long line()
    {
        return offset + 1;
    }

    @Override
    public long resumeOffset()
    {
        return offset;
    }

    @Override
    public void close() throws IOException
    {
        input.close();
    }
}

package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.file.inbound.input.InputFile;
import dev.millrace.adapter.file.inbound.position.StreamFile;
import dev.millrace.adapter.file.parquet.ParquetRows;
import dev.millrace.api.event.EventBatch;
import java.io.IOException;
import java.nio.file.Path;

/** Opens Parquet files. Confined to the source's thread. */
final class ParquetReader implements FileReader
{
    /** The part of the heap for the pages of a file. */
    private static final int HEAP_PARTS = 4;

    private final SourceSettings settings;
    private final EventBatch batch;
    private final RowWriter writer;
    private final int[] columns;
    private final RowIntake intake;

    ParquetReader(final SourceSettings settings, final EventBatch batch, final RowWriter writer, final int[] columns,
        final RowIntake intake)
    {
        this.settings = settings;
        this.batch = batch;
        this.writer = writer;
        this.columns = columns;
        this.intake = intake;
    }

    @Override
    public InputFile open(final Path path) throws IOException
    {
        return InputFile.open(path);
    }

    @Override
    public OpenFile begin(final InputFile input, final StreamFile part, final long resumeOffset)
    {
        return new ParquetFile(input, part, resumeOffset,
            new ParquetRows(input.channel(), batch, writer, columns, settings.isMissingNull(),
                Runtime.getRuntime().maxMemory() / HEAP_PARTS), writer, intake);
    }
}

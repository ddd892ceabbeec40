package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.common.decode.RowDecoder;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.file.inbound.input.InputFile;
import dev.millrace.adapter.file.inbound.position.StreamFile;
import java.io.IOException;
import java.nio.file.Path;

/** Opens files of records in lines. Confined to the source's thread. */
final class LineReader implements FileReader
{
    private static final int BUFFER_BYTES = 1 << 18;

    private final SourceSettings settings;
    private final boolean isComplete;
    private final RowDecoder decoder;
    private final RecordReader records;

    /** @param isComplete whether files do not grow */
    LineReader(final SourceSettings settings, final boolean isComplete, final RowDecoder decoder,
        final RowWriter writer, final RowIntake intake)
    {
        this.settings = settings;
        this.isComplete = isComplete;
        this.decoder = decoder;
        records = new RecordReader(settings.maxLineBytes(), decoder, writer, intake);
    }

    @Override
    public InputFile open(final Path path) throws IOException
    {
        return InputFile.open(path, settings.charset(), isComplete,
            Math.max(BUFFER_BYTES, settings.maxLineBytes() + (1 << 16)));
    }

    @Override
    public OpenFile begin(final InputFile input, final StreamFile part, final long resumeOffset)
    {
        return new LineFile(input, part, resumeOffset, records, decoder);
    }
}

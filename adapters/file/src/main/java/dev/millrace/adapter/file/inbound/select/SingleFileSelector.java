package dev.millrace.adapter.file.inbound.select;

import dev.millrace.adapter.file.inbound.input.InputFile;
import dev.millrace.adapter.file.inbound.position.StreamFile;
import dev.millrace.adapter.file.inbound.position.StreamPositions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads one file to its end, once or several times. */
public final class SingleFileSelector implements FileSelector
{
    private final Path path;
    private final int repeat;
    private final boolean isAppended;
    private final StreamPositions positions;
    private boolean isFinished;

    /**
     * @param repeat     number of times; 0 = without end
     * @param isAppended whether a file that has grown has more rows at its end; otherwise it is another one
     */
    public SingleFileSelector(final Path path, final int repeat, final boolean isAppended,
        final StreamPositions positions)
    {
        this.isAppended = isAppended;
        this.path = path;
        this.repeat = repeat;
        this.positions = positions;
    }

    @Override
    public Candidate next() throws IOException
    {
        isFinished = false;
        final StreamFile last = positions.last();
        if (last == null)
        {
            return new Candidate(path, 0, 1);
        }
        final long sizeBytes = Files.size(path);
        if (!last.identity().matches(path) || sizeBytes < last.sizeBytes() ||
            !isAppended && sizeBytes > last.sizeBytes())
        {
            return new Candidate(path, 0, 1);
        }
        final boolean isCompressed = path.getFileName().toString().endsWith(".gz");
        if (sizeBytes > last.sizeBytes() && last.pass() == repeat && !isCompressed)
        {
            return new Candidate(path, last.end(), last.pass());
        }
        isFinished = repeat > 0 && last.pass() >= repeat;
        return isFinished ? null : new Candidate(path, 0, last.pass() + 1);
    }

    @Override
    public boolean isComplete(final InputFile file)
    {
        return true;
    }

    @Override
    public boolean isFinished()
    {
        return isFinished;
    }
}

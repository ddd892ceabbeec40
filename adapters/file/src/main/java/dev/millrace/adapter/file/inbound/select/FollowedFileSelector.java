package dev.millrace.adapter.file.inbound.select;

import dev.millrace.adapter.file.inbound.input.InputFile;
import dev.millrace.adapter.file.inbound.position.StreamPositions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Follows a file that grows, and the file that replaces it when it is rotated. */
public final class FollowedFileSelector implements FileSelector
{
    private final Path path;
    private final boolean isFromEnd;
    private final StreamPositions positions;
    /** The file that was found to be replaced, and is read once more before it ends. */
    private InputFile replaced;

    /** @param isFromEnd whether to begin with what is appended to the first file */
    public FollowedFileSelector(final Path path, final boolean isFromEnd, final StreamPositions positions)
    {
        this.path = path;
        this.isFromEnd = isFromEnd;
        this.positions = positions;
    }

    @Override
    public Candidate next() throws IOException
    {
        final long sizeBytes = Files.size(path);
        return new Candidate(path, isFromEnd && positions.last() == null ? sizeBytes : 0, 1);
    }

    /** Its writer may append to a renamed file until it opens the new one: what it appends is read, too. */
    @Override
    public boolean isComplete(final InputFile file) throws IOException
    {
        if (file.isRewritten())
        {
            return true;
        }
        if (!file.isReplacedAt(path))
        {
            return false;
        }
        final boolean isKnown = replaced == file;
        replaced = file;
        return isKnown;
    }

    @Override
    public boolean isFinished()
    {
        return false;
    }
}

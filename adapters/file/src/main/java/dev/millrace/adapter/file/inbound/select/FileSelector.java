package dev.millrace.adapter.file.inbound.select;

import dev.millrace.adapter.file.inbound.input.InputFile;
import java.io.IOException;
import java.nio.file.Path;

/** Chooses the files that a source reads. Confined to one thread. */
public interface FileSelector
{
    /**
     * A file to read.
     *
     * @param offset position at which to begin
     * @param pass   how often it was read then
     */
    record Candidate(Path path, long offset, int pass)
    {
    }

    /**
     * The next file to read.
     *
     * @return {@code null} if none is available
     * @throws IOException if a file or directory that should exist cannot be read
     */
    Candidate next() throws IOException;

    /** The file that {@link #next} has returned is open. */
    default void opened()
    {
        // Most implementations look only at the last file of the stream.
    }

    /** Whether a file whose bytes were all read does not grow any more. */
    boolean isComplete(InputFile file) throws IOException;

    /** Whether there will be no further file, after {@link #next} has returned none. */
    boolean isFinished();

    /** Whether a file whose rows were all received must remain known, because it would be chosen again. */
    default boolean mustKnow(final Path path)
    {
        return false;
    }
}

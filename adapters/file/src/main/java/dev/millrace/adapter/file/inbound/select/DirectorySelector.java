package dev.millrace.adapter.file.inbound.select;

import dev.millrace.adapter.file.inbound.input.InputFile;
import dev.millrace.adapter.file.inbound.position.StreamFile;
import dev.millrace.adapter.file.inbound.position.StreamPositions;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * Reads each new file of a directory, in the order of names among those that are new at the same time. A file that has
 * grown since it was read is continued; one that was replaced is new.
 */
public final class DirectorySelector implements FileSelector
{
    private final Path directory;
    private final String pattern;
    private final boolean isAppended;
    private final StreamPositions positions;
    private final Deque<Candidate> found = new ArrayDeque<>();
    private final TreeSet<Path> listed = new TreeSet<>();

    /**
     * @param pattern    of names, as for {@link Files#newDirectoryStream(Path, String)}
     * @param isAppended whether files that have grown have more rows at their end; otherwise they are read again
     */
    public DirectorySelector(final Path directory, final String pattern, final boolean isAppended,
        final StreamPositions positions)
    {
        this.isAppended = isAppended;
        this.directory = directory;
        this.pattern = pattern;
        this.positions = positions;
    }

    @Override
    public Candidate next() throws IOException
    {
        while (!found.isEmpty() && !Files.exists(found.getFirst().path()))
        {
            found.removeFirst();
        }
        if (found.isEmpty())
        {
            list();
        }
        return found.peekFirst();
    }

    private void list() throws IOException
    {
        final Map<Path, StreamFile> known = new HashMap<>();
        positions.files().forEach(file -> known.put(file.path(), file));
        listed.clear();
        try (DirectoryStream<Path> matching = Files.newDirectoryStream(directory, pattern))
        {
            matching.forEach(listed::add);
        }
        for (final Path path : listed)
        {
            try
            {
                addNew(path, known.get(path));
            }
            catch (final NoSuchFileException e)
            {
                // It was removed after the directory was listed.
            }
        }
    }

    private void addNew(final Path path, final StreamFile known) throws IOException
    {
        final BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        if (!attributes.isRegularFile() || known != null && known.sizeBytes() == attributes.size() &&
            known.modifiedMs() == attributes.lastModifiedTime().toMillis())
        {
            return;
        }
        if (known == null || attributes.size() < known.sizeBytes() || !known.identity().matches(path))
        {
            found.add(new Candidate(path, 0, 1));
        }
        else if (attributes.size() > known.sizeBytes())
        {
            final boolean isContinued = isAppended && !path.getFileName().toString().endsWith(".gz");
            found.add(new Candidate(path, isContinued ? known.end() : 0, 1));
        }
    }

    @Override
    public void opened()
    {
        found.removeFirst();
    }

    @Override
    public boolean isComplete(final InputFile file)
    {
        return true;
    }

    @Override
    public boolean isFinished()
    {
        return false;
    }

    /** A file that is kept would be new if it were not known any more. */
    @Override
    public boolean mustKnow(final Path path)
    {
        return listed.contains(path);
    }
}

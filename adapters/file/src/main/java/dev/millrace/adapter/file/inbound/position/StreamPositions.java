package dev.millrace.adapter.file.inbound.position;

import dev.millrace.adapter.file.inbound.input.FileIdentity;
import dev.millrace.adapter.file.inbound.input.InputFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/**
 * What a source has read and what it reads next, on disk before the rows are sent. Confined to one thread.
 *
 * <p>After a start, files whose rows may not have been received are read again, in the same order and with the same
 * numbers, before any other file.
 */
public final class StreamPositions implements Closeable
{
    /**
     * Numbers that are left out after a file whose end is unknown, because receivers may know some of them. There are
     * more than 65,000 times as many.
     */
    private static final long GAP = 1L << 32;

    private final PositionLog log;
    /** Files to read again, the first one from {@link #resumeNumber}. */
    private final Deque<StreamFile> repeated = new ArrayDeque<>();
    private long resumeNumber;
    private long nextStart;

    public StreamPositions(final Path path)
    {
        log = new PositionLog(path);
    }

    /** @throws IOException if the stored positions cannot be read, or the file cannot be written */
    public void open() throws IOException
    {
        log.open();
    }

    /** All files that are not forgotten, in the order of the stream. */
    public Collection<StreamFile> files()
    {
        return log.files();
    }

    /** The last file of the stream; {@code null} if it is empty. */
    public StreamFile last()
    {
        StreamFile last = null;
        for (final StreamFile each : log.files())
        {
            last = each;
        }
        return last;
    }

    /** Forgets everything: the stream begins again. */
    public void discard() throws IOException
    {
        log.forget(log.files());
        repeated.clear();
        nextStart = 0;
        resumeNumber = 0;
    }

    /**
     * Continues after the row with a number.
     *
     * @return {@code null}, or why rows may be missing
     * @throws IllegalStateException if the stored positions do not contain the number
     */
    public String resumeAfter(final long number) throws IOException
    {
        final List<StreamFile> files = new ArrayList<>(log.files());
        repeated.clear();
        resumeNumber = number;
        if (number == 0 && (files.isEmpty() || files.get(0).start() > 0))
        {
            // Nothing was received ever, or the receiver has lost its state, as after the application was uninstalled.
            discard();
            return null;
        }
        final StreamFile newest = files.isEmpty() ? null : files.get(files.size() - 1);
        if (newest == null || newest.hasEnded() && number > newest.endNumber())
        {
            throw new IllegalStateException("the stages after the source have received row " + number +
                ", which the positions do not contain");
        }
        nextStart = Math.max(nextStart, newest.hasEnded() ? newest.endNumber() : newest.start());
        files.stream().filter(file -> !file.hasEnded() || file.endNumber() > number).forEach(repeated::add);
        final StreamFile oldest = files.get(0);
        return number >= oldest.start() ? null : "first stored position=" + oldest.start() + " received=" + number;
    }

    /** Continues after the last row that was sent, as far as it is known. */
    public void resumeAfterSent()
    {
        repeated.clear();
        final StreamFile last = last();
        if (last != null && !last.hasEnded())
        {
            repeated.add(last);
            resumeNumber = last.number(Math.max(last.base(), last.knownOffset(Long.MAX_VALUE)));
        }
        nextStart = last == null ? 0 : last.hasEnded() ? last.endNumber() : last.start();
    }

    /** The file to read again next; {@code null} if another one is to be chosen. */
    public StreamFile repeated()
    {
        return repeated.peekFirst();
    }

    /** The position at which a file that is read again continues. */
    public long resumeOffset(final StreamFile file)
    {
        return Math.max(file.base(), file.offset(resumeNumber));
    }

    /** Finds the path of a file to read again, which may have been renamed; {@code null} if it was deleted. */
    public Path locate(final StreamFile file) throws IOException
    {
        if (file.identity().matches(file.path()))
        {
            return file.path();
        }
        final Path directory = file.path().getParent();
        if (!Files.isDirectory(directory))
        {
            return null;
        }
        final List<Path> siblings = new ArrayList<>();
        try (var paths = Files.newDirectoryStream(directory))
        {
            paths.forEach(siblings::add);
        }
        for (final Path each : siblings)
        {
            if (file.identity().matches(each))
            {
                return each;
            }
        }
        return null;
    }

    /** The file to read again is open now. */
    public void reopened()
    {
        repeated.removeFirst();
    }

    /** The file to read again does not exist any more. */
    public void lost() throws IOException
    {
        endUnknown(repeated.removeFirst());
    }

    /** Records the end of a file that was truncated, so that rows that were sent earlier cannot be read again. */
    public void endTruncated(final StreamFile file) throws IOException
    {
        endUnknown(file);
    }

    /** Leaves out the numbers of rows that cannot be read again. The file has no size, so it is not continued. */
    private void endUnknown(final StreamFile file) throws IOException
    {
        if (!file.hasEnded())
        {
            log.end(file, file.offset(Math.max(resumeNumber, file.start()) + GAP), Long.MAX_VALUE, 0, true);
        }
        nextStart = Math.max(nextStart, file.endNumber());
    }

    /** Adds a file; the disk contains it when this returns. */
    public StreamFile begin(final InputFile file, final long base, final int pass) throws IOException
    {
        return log.begin(nextStart, base, pass, file.path(), file.identity());
    }

    /** Reads a file, whose reading has failed, again from a position. */
    public void repeat(final StreamFile file, final long offset)
    {
        resumeNumber = file.number(offset);
        repeated.addFirst(file);
    }

    /** Records that more first bytes of a file are known. */
    public void grow(final StreamFile file, final FileIdentity identity) throws IOException
    {
        log.grow(file, identity);
    }

    /** Records how far a file was sent. */
    public void sent(final StreamFile file, final long offset, final long line) throws IOException
    {
        if (file.knownOffset(Long.MAX_VALUE) != offset)
        {
            log.line(file, offset, line);
        }
    }

    /**
     * Records that a file was read to its end. A file that was read again keeps what was recorded the first time, with
     * which later changes are compared.
     *
     * @param isDamaged whether its rest could not be read
     */
    public void end(final StreamFile file, final long offset, final InputFile input, final boolean isDamaged)
        throws IOException
    {
        if (!file.hasEnded())
        {
            log.end(file, offset, isDamaged ? input.sizeBytes() : input.readBytes(), input.modifiedMs(),
                isDamaged);
        }
        nextStart = Math.max(nextStart, file.endNumber());
    }

    /** Records what receivers have acknowledged: earlier lines are not needed any more. */
    public void acknowledge(final StreamFile file, final long number)
    {
        file.forgetLines(file.offset(number));
    }

    public void forget(final Collection<StreamFile> files) throws IOException
    {
        log.forget(files);
    }

    @Override
    public void close() throws IOException
    {
        log.close();
    }
}

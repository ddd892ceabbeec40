package dev.millrace.journal;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;

/** Reads the files of a journal, and checks each record, its position, and that no file is missing. */
final class ChronicleReader implements JournalReader
{
    private static final int FEWEST_BYTES = 1 << 13;

    private final Path directory;
    private final ExcerptTailer tailer;
    private final SingleChronicleQueue owned;
    private final LongSupplier end;
    private final String owner;
    private final RecordFrame frame = new RecordFrame();
    private byte[] bytes = new byte[FEWEST_BYTES];
    private int length;
    private byte kind;
    private long position;
    /** The last record of any kind; {@link Journal#NONE} before the first one that is read. */
    private long last;
    private long offset;
    private long endOffset;
    /** Records up to this position are skipped. */
    private long after;
    /** Whether the first record of all is expected. */
    private boolean isFromStart;

    /**
     * @param end   position up to which records exist
     * @param owner expected owner; {@code null} for any
     * @param owned closed with the reader; {@code null} for none
     */
    ChronicleReader(final Path directory, final ExcerptTailer tailer, final LongSupplier end, final String owner,
        final SingleChronicleQueue owned)
    {
        this.end = end;
        this.owned = owned;
        this.directory = directory;
        this.tailer = tailer;
        this.owner = owner;
        tailer.singleThreadedCheckDisabled(true);
    }

    /** Moves to the beginning of a file. */
    void moveToFile(final JournalFile file)
    {
        last = Journal.NONE;
        position = FileCycle.position(file.cycle(), 0);
        try
        {
            tailer.moveToIndex(position);
        }
        // Chronicle Queue throws checked exceptions that it does not declare.
        catch (final Exception e)
        {
            throw JournalFile.damaged(file.path(), e);
        }
    }

    /** The last record of any kind that was read. */
    long lastPosition()
    {
        return last;
    }

    /** The file of the record that was read last, or that could not be read. */
    Path file()
    {
        return JournalFile.path(directory, FileCycle.cycle(position));
    }

    /** Offset in that file at which the record begins, or after which it is missing. */
    long offset()
    {
        return position == last ? endOffset : offset;
    }

    /** Offset in the file at which the last record ends. */
    long endOffset()
    {
        return endOffset;
    }

    @Override
    public void moveAfter(final long to)
    {
        moveToFileOf(to);
        after = to;
    }

    @Override
    public void moveToStart()
    {
        moveToFileOf(Journal.NONE);
        isFromStart = true;
    }

    @Override
    public void moveToFileOf(final long to)
    {
        final List<JournalFile> files = JournalFile.of(directory);
        after = Journal.NONE;
        isFromStart = false;
        if (files.isEmpty())
        {
            return;
        }
        final int cycle = FileCycle.cycle(to);
        final JournalFile file = to == Journal.NONE ? files.get(0) :
            files.stream().filter(each -> each.cycle() == cycle).findFirst().orElseThrow(() ->
                new JournalException(JournalErrorCode.MISSING_FILE, "the file of a position does not exist, " +
                    "directory=" +
                    directory + " position=" + to + " file=" + JournalFile.path(directory, cycle).getFileName()));
        moveToFile(file);
    }

    /** Reads the next record of a file; false at its end. */
    boolean nextIn(final int cycle)
    {
        return tailer.cycle() == cycle && nextFrame() && FileCycle.cycle(position) == cycle;
    }

    @Override
    public boolean next()
    {
        do
        {
            if (!nextFrame())
            {
                // Records that were appended in the meantime are not missing.
                if (end.getAsLong() <= last)
                {
                    return false;
                }
                if (!nextFrame())
                {
                    throw new JournalException(JournalErrorCode.DAMAGED, "records of the journal cannot be found, " +
                        "directory=" + directory + " after=" + last + " until=" + end.getAsLong());
                }
            }
        }
        while (kind != RecordFrame.RECORD || position <= after);
        return true;
    }

    private boolean nextFrame()
    {
        try (DocumentContext document = tailer.readingDocument())
        {
            if (!document.isPresent())
            {
                return false;
            }
            position = document.index();
            final Bytes<?> in = document.wire().bytes();
            offset = in.readPosition();
            final long available = in.readRemaining();
            if (available < RecordFrame.HEAD_BYTES || available > Journal.MAX_RECORD_BYTES + RecordFrame.HEAD_BYTES)
            {
                throw damaged("it has no valid length, bytes=" + available);
            }
            final int checksum = in.readInt();
            length = in.readInt();
            kind = in.readByte();
            if (length != available - RecordFrame.HEAD_BYTES)
            {
                throw damaged("it has another length, bytes=" + available + " expected=" + length);
            }
            if (length > bytes.length)
            {
                bytes = Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
            }
            in.read(bytes, 0, length);
            if (checksum != frame.checksum(position, kind, bytes, 0, length))
            {
                throw damaged("its checksum differs, bytes=" + length);
            }
            endOffset = in.readPosition();
        }
        catch (final JournalException e)
        {
            throw e;
        }
        // Chronicle Queue throws checked exceptions that it does not declare.
        catch (final Exception e)
        {
            throw new JournalException(JournalErrorCode.DAMAGED, "a record of the journal cannot be read, directory=" +
                directory + " after=" + last + ": " + e, e);
        }
        if (kind == RecordFrame.FILE_HEADER)
        {
            checkFile();
        }
        else if (position != last + 1)
        {
            throw damaged("it does not follow the record before it");
        }
        last = position;
        return true;
    }

    private void checkFile()
    {
        final String file = JournalFile.path(directory, FileCycle.cycle(position)).getFileName().toString();
        final FileHeader header = FileHeader.decoded(bytes, length, file);
        if (owner != null && !owner.equals(header.owner()))
        {
            throw new JournalException(JournalErrorCode.OTHER_OWNER, "the journal belongs to another owner, " +
                "directory=" + directory + " owner=" + header.owner() + " expected=" + owner);
        }
        if (isFromStart && last == Journal.NONE && header.before() != Journal.NONE)
        {
            throw new JournalException(JournalErrorCode.MISSING_FILE, "the first records of the journal were " +
                "deleted, and no intact snapshot replaces them, directory=" + directory + " oldestFile=" + file +
                "; the state is lost: uninstall the application, which deletes the rest, or restore the directory " +
                "from a copy");
        }
        if (last != Journal.NONE && header.before() != last)
        {
            throw new JournalException(JournalErrorCode.MISSING_FILE, "records before a file are missing, directory=" +
                directory + " file=" + file + " last=" + last + " expected=" + header.before());
        }
    }

    private JournalException damaged(final String why)
    {
        return new JournalException(JournalErrorCode.DAMAGED, "a record of the journal is damaged, " + why +
            " directory=" + directory + " position=" + position + " after=" + last + JournalErrorCode.REPAIR_HINT);
    }

    /** Appends the record that was read to a file of the same number, where it gets the same position. */
    void copyTo(final ExcerptAppender to)
    {
        frame.append(to, position, kind, bytes, 0, length);
    }

    @Override
    public long position()
    {
        return position;
    }

    @Override
    public byte[] bytes()
    {
        return bytes;
    }

    @Override
    public int length()
    {
        return length;
    }

    @Override
    public void close()
    {
        tailer.close();
        if (owned != null)
        {
            owned.close();
        }
    }
}

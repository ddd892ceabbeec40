package dev.millrace.adapter.file.inbound.position;

import dev.millrace.adapter.file.inbound.input.FileIdentity;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A file as part of the stream that a source reads. The number of a row is the number of bytes of the stream up to its
 * end, so that the position of a row follows from its number: files of the stream follow each other without gaps.
 * Confined to one thread.
 */
public final class StreamFile
{
    private static final int MAX_LINES = 1_000;

    final long id;
    private final long start;
    private final long base;
    private final int pass;
    private final Path path;
    private FileIdentity identity;
    private long end = -1;
    private long sizeBytes;
    private long modifiedMs;
    private boolean isDamaged;
    /** Lines at positions. */
    private final NavigableMap<Long, Long> lines = new TreeMap<>();

    /**
     * @param id    of the file in its log
     * @param start number of bytes of the stream before it
     * @param base  position in the file at which the stream continues; 0 for the whole file
     * @param pass  how often the stream has contained the file, including this time
     */
    StreamFile(final long id, final long start, final long base, final int pass, final Path path,
        final FileIdentity identity)
    {
        this.id = id;
        this.start = start;
        this.base = base;
        this.pass = pass;
        this.path = path;
        this.identity = identity;
    }

    /** Number of bytes of the stream before the file. */
    public long start()
    {
        return start;
    }

    /** Position in the file at which its part of the stream begins. */
    public long base()
    {
        return base;
    }

    public int pass()
    {
        return pass;
    }

    /** The path under which it was opened. */
    public Path path()
    {
        return path;
    }

    public FileIdentity identity()
    {
        return identity;
    }

    void identity(final FileIdentity grown)
    {
        identity = grown;
    }

    /** The number of the row that ends at a position. */
    public long number(final long offset)
    {
        return start + offset - base;
    }

    /** The position of the end of a row. */
    public long offset(final long number)
    {
        return base + number - start;
    }

    /** Whether it was read to its end. */
    public boolean hasEnded()
    {
        return end >= 0;
    }

    /** The position up to which it was read; -1 if it was not read to its end. */
    public long end()
    {
        return end;
    }

    /** The number of its last byte. */
    public long endNumber()
    {
        return number(end);
    }

    void end(final long offset, final long size, final long modified, final boolean damaged)
    {
        end = offset;
        sizeBytes = size;
        modifiedMs = modified;
        isDamaged = damaged;
    }

    /** Whether its rest could not be read. */
    public boolean isDamaged()
    {
        return isDamaged;
    }

    /** Size on disk when it was read to its end. */
    public long sizeBytes()
    {
        return sizeBytes;
    }

    /** Time of its last change when it was read to its end. */
    public long modifiedMs()
    {
        return modifiedMs;
    }

    void line(final long offset, final long line)
    {
        lines.put(offset, line);
        if (lines.size() > MAX_LINES)
        {
            lines.pollFirstEntry();
        }
    }

    /** The last position up to another one whose line is known; the beginning of the file if none is. */
    public long knownOffset(final long offset)
    {
        final Long known = lines.floorKey(offset);
        return known == null ? 0 : known;
    }

    /** The line at a position that {@link #knownOffset} has returned. */
    public long knownLine(final long offset)
    {
        return lines.getOrDefault(offset, 1L);
    }

    /** Forgets lines at positions that are not needed any more. */
    void forgetLines(final long acknowledgedOffset)
    {
        lines.headMap(knownOffset(acknowledgedOffset)).clear();
    }

    NavigableMap<Long, Long> lines()
    {
        return lines;
    }
}

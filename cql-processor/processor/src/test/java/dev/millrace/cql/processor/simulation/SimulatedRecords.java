package dev.millrace.cql.processor.simulation;

import dev.millrace.journal.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The stored records of one journal, in files. A loss of power keeps those that were synchronized, and any number of
 * those that follow. Confined to one thread.
 */
final class SimulatedRecords
{
    private static final int FILE_BITS = 32;

    private final List<Stored> all = new ArrayList<>();
    /** The files whose deletion may not be on the disk yet, oldest first. */
    private final List<List<Stored>> deleted = new ArrayList<>();
    private long synced;
    /** The number of the newest file ever: numbers are not used again. */
    private int file;

    /**
     * A record.
     *
     * @param bytes  content; {@code null} for the header of a file
     * @param before of a header: position of the record before it
     */
    record Stored(long position, byte[] bytes, long before)
    {
        int file()
        {
            return (int)(position >>> FILE_BITS);
        }

        boolean isHeader()
        {
            return bytes == null;
        }
    }

    long lastPosition()
    {
        return all.isEmpty() ? Journal.NONE : all.get(all.size() - 1).position();
    }

    long synced()
    {
        return synced;
    }

    void sync(final long position)
    {
        synced = Math.max(synced, position);
    }

    /**
     * Begins a file.
     *
     * @param isSynced whether the file before it is written to the disk
     */
    void beginFile(final boolean isSynced)
    {
        sync(isSynced ? lastPosition() : Journal.NONE);
        file++;
        all.add(new Stored((long)file << FILE_BITS, null, lastPosition()));
    }

    long append(final byte[] bytes)
    {
        all.add(new Stored(lastPosition() + 1, bytes, Journal.NONE));
        return lastPosition();
    }

    /** The first record after a position; {@code null} at the end. */
    Stored after(final long position)
    {
        int from = 0;
        int to = all.size();
        while (from < to)
        {
            final int middle = (from + to) >>> 1;
            if (all.get(middle).position() <= position)
            {
                from = middle + 1;
            }
            else
            {
                to = middle;
            }
        }
        return from == all.size() ? null : all.get(from);
    }

    /** The header of the file of a position; {@code null} if it does not exist. */
    Stored headerOf(final long position)
    {
        final long header = position >>> FILE_BITS << FILE_BITS;
        final Stored found = after(header - 1);
        return found != null && found.position() == header ? found : null;
    }

    Stored first()
    {
        return all.isEmpty() ? null : all.get(0);
    }

    /** Deletes the oldest file, unless it contains a position or is the newest one. Returns whether it did. */
    boolean deleteFile(final long before)
    {
        if (all.isEmpty() || all.get(0).file() >= before >>> FILE_BITS || all.get(0).file() >= file)
        {
            return false;
        }
        final int oldest = all.get(0).file();
        final List<Stored> gone = new ArrayList<>();
        while (!all.isEmpty() && all.get(0).file() == oldest)
        {
            gone.add(all.remove(0));
        }
        deleted.add(gone);
        return true;
    }

    /** Deletions so far are on the disk. */
    void syncNames()
    {
        deleted.clear();
    }

    long sizeBytes()
    {
        return all.stream().mapToLong(each -> each.isHeader() ? 1 : each.bytes().length).sum();
    }

    /** The content of the newest file. */
    long fileBytes()
    {
        return all.stream().filter(each -> each.file() == file).mapToLong(each -> each.isHeader() ? 1 :
            each.bytes().length).sum();
    }

    void losePower(final Random random)
    {
        int certain = all.size();
        while (certain > 0 && all.get(certain - 1).position() > synced)
        {
            certain--;
        }
        final int kept = certain + random.nextInt(all.size() - certain + 1);
        all.subList(kept, all.size()).clear();
        for (int restored = random.nextInt(deleted.size() + 1); restored > 0; restored--)
        {
            all.addAll(0, deleted.remove(deleted.size() - 1));
        }
        deleted.clear();
        sync(lastPosition());
    }
}

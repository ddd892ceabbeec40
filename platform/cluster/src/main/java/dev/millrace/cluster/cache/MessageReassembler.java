package dev.millrace.cluster.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reassembles a large message from its parts, in any order. Not thread-safe. */
final class MessageReassembler
{
    /** Maximum size of one part. */
    static final int MAX_BYTES = 256 << 10;

    private LogPosition version;
    private byte[][] parts;
    private int missing;

    /**
     * Part of a snapshot.
     *
     * @param version of the snapshot, with the epoch of the requester
     * @param index   from 0
     * @param count   number of parts
     * @param bytes   content of this part
     */
    record Part(LogPosition version, int index, int count, byte[] bytes)
    {
        static Part read(final WireReader in)
        {
            return new Part(LogPosition.read(in), (int)in.count(), (int)in.count(), in.block());
        }
    }

    static List<Part> of(final LogPosition version, final byte[] all)
    {
        final int count = Math.max(1, (all.length + MAX_BYTES - 1) / MAX_BYTES);
        final List<Part> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++)
        {
            parts.add(new Part(version, i, count,
                Arrays.copyOfRange(all, i * MAX_BYTES, Math.min(all.length, (i + 1) * MAX_BYTES))));
        }
        return parts;
    }

    /**
     * Adds a part. A higher version discards parts of a lower one.
     *
     * @return all bytes with the last part, else null
     */
    byte[] add(final Part part)
    {
        if (version == null || part.version.compareTo(version) > 0)
        {
            version = part.version;
            parts = new byte[part.count][];
            missing = part.count;
        }
        if (!part.version.equals(version) || part.index >= parts.length || parts[part.index] != null)
        {
            return null;
        }
        parts[part.index] = part.bytes;
        missing--;
        if (missing > 0)
        {
            return null;
        }
        final WireWriter out = new WireWriter();
        for (final byte[] each : parts)
        {
            out.raw(each, 0, each.length);
        }
        parts = new byte[0][];
        return out.bytes();
    }

    /** Discards all parts. */
    void clear()
    {
        version = null;
    }
}

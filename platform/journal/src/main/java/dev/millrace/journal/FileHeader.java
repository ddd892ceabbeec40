package dev.millrace.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The content of the first record of a file.
 *
 * @param before     position of the last record of the file before; {@link Journal#NONE} for the first file
 * @param wallTimeMs time of creation, for display
 * @param owner      owner of the journal
 */
record FileHeader(long before, long wallTimeMs, String owner)
{
    /** Version of the format of files and frames. */
    static final int VERSION = 1;

    private static final int FIXED_BYTES = Integer.BYTES + 2 * Long.BYTES;

    byte[] encoded()
    {
        final byte[] name = owner.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(FIXED_BYTES + name.length).order(ByteOrder.LITTLE_ENDIAN).putInt(VERSION)
            .putLong(before).putLong(wallTimeMs).put(name).array();
    }

    /** @throws JournalException for a newer format */
    static FileHeader decoded(final byte[] bytes, final int length, final String file)
    {
        final ByteBuffer in = ByteBuffer.wrap(bytes, 0, length).order(ByteOrder.LITTLE_ENDIAN);
        final int version = length < Integer.BYTES ? 0 : in.getInt();
        if (version > VERSION)
        {
            throw new JournalException(JournalErrorCode.NEWER_FORMAT, "the journal was written by a newer version, " +
                "file=" + file + " format=" + version + " known=" + VERSION);
        }
        if (version < 1 || length < FIXED_BYTES)
        {
            throw new JournalException(JournalErrorCode.DAMAGED, "the file has no valid header, file=" + file);
        }
        return new FileHeader(in.getLong(), in.getLong(),
            new String(bytes, FIXED_BYTES, length - FIXED_BYTES, StandardCharsets.UTF_8));
    }
}

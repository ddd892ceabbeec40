package dev.millrace.cluster.partition.link;

/**
 * Format of a frame on a link: four bytes length, one byte kind, then fields that depend on the kind; little endian.
 */
public final class Frames
{
    /** Sequence, epoch, source, rows. */
    public static final byte ROWS = 1;
    /** Sequence, epoch that begins: no row of an earlier epoch follows. */
    public static final byte MARK = 2;
    /** Source, time: rows of this source that follow are not older. */
    public static final byte TIME = 3;
    /** Sequence, source: no row of this source follows, so the receiver must not wait for its time. */
    public static final byte END = 4;

    /** Maximum length of a frame; 256 rows of the largest values need less. */
    public static final int MAX_BYTES = 64 << 20;
    /** Length of the fields before the rows. */
    static final int HEAD_BYTES = 4 + 1 + 8 + 8 + 4;

    private Frames()
    {
    }
}

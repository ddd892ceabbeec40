package dev.millrace.cluster.partition;

/** What travels on a link: a length of four bytes, a kind of one, then what the kind says; little end first. */
final class Frames
{
    /** Sequence, epoch, way, rows. */
    static final byte ROWS = 1;
    /** Sequence, epoch that begins: no row of an earlier one follows. */
    static final byte MARK = 2;
    /** Way, time: no row of this way that follows is older. */
    static final byte TIME = 3;
    /** Sequence, way: no row of this way follows, and nobody waits for its time. */
    static final byte END = 4;

    /** Of a frame; 256 rows of the largest values need less. */
    static final int MAX_BYTES = 64 << 20;
    /** Of the parts of a frame before the rows. */
    static final int HEAD_BYTES = 4 + 1 + 8 + 8 + 4;

    private Frames()
    {
    }
}

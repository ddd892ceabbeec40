package dev.millrace.adapter.loadgen.generator;

/**
 * The generator of random numbers SplitMix64 (Steele, Lea, Flood 2014). Not thread-safe. Its numbers do not depend on
 * the version of Java, as those of {@link java.util.SplittableRandom} within bounds do.
 */
final class SplitMix64
{
    private static final long GAMMA = 0x9E3779B97F4A7C15L;
    private static final double UNIT = 0x1.0p-53;
    private static final int UNUSED_BITS = 11;

    private long state;

    SplitMix64(final long seed)
    {
        state = seed;
    }

    /** The numbers of a column, which do not depend on other columns. */
    static SplitMix64 ofColumn(final long seed, final String column)
    {
        return new SplitMix64(seed ^ column.hashCode() * GAMMA);
    }

    long next()
    {
        state += GAMMA;
        long mixed = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    /**
     * A number from 0.
     *
     * @param bound exclusive, unsigned; 0 for 2^64
     */
    long below(final long bound)
    {
        return bound == 0 ? next() : Long.remainderUnsigned(next(), bound);
    }

    /** A number from 0, inclusive, to 1, exclusive. */
    double unit()
    {
        return (next() >>> UNUSED_BITS) * UNIT;
    }
}

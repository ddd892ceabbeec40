package dev.millrace.cluster.cache;

/**
 * How far a copy has come: the leader's term and its number of batches. A copy of a higher version has seen all that
 * one of a lower has.
 *
 * @param epoch    of the leader; 0 for a copy that may be outdated
 * @param sequence of the last batch
 */
record Version(long epoch, long sequence) implements Comparable<Version>
{
    static final Version UNKNOWN = new Version(0, 0);

    @Override
    public int compareTo(final Version other)
    {
        final int byEpoch = Long.compare(epoch, other.epoch);
        return byEpoch != 0 ? byEpoch : Long.compare(sequence, other.sequence);
    }

    void write(final Out out)
    {
        out.count(epoch).count(sequence);
    }

    static Version read(final In in)
    {
        return new Version(in.count(), in.count());
    }
}

package dev.millrace.cluster.cache;

/**
 * Position of a replica in the command log: epoch of the leader and number of its batch. A replica with a higher
 * version has applied everything that one with a lower version has.
 *
 * @param epoch    of the leader; 0 for a replica that may be outdated
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

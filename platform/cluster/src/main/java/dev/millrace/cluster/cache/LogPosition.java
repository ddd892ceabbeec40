package dev.millrace.cluster.cache;

/**
 * Position of a replica in the command log: epoch of the leader and number of its batch. A replica with a higher
 * version has applied everything that one with a lower version has.
 *
 * @param epoch    of the leader; 0 for a replica that may be outdated
 * @param sequence of the last batch
 */
record LogPosition(long epoch, long sequence) implements Comparable<LogPosition>
{
    static final LogPosition UNKNOWN = new LogPosition(0, 0);

    @Override
    public int compareTo(final LogPosition other)
    {
        final int byEpoch = Long.compare(epoch, other.epoch);
        return byEpoch != 0 ? byEpoch : Long.compare(sequence, other.sequence);
    }

    void write(final WireWriter out)
    {
        out.count(epoch).count(sequence);
    }

    static LogPosition read(final WireReader in)
    {
        return new LogPosition(in.count(), in.count());
    }
}

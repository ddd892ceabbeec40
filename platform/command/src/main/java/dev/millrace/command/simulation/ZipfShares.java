package dev.millrace.command.simulation;

/**
 * Distribution of events across partitions when the k-th most frequent key is 1/k^skew as frequent as the first one.
 */
final class ZipfShares
{
    private ZipfShares()
    {
    }

    /** Returns the share of events per partition; the shares add up to 1. */
    static double[] ofPartitions(final int keys, final double skew, final int partitions, final long seed)
    {
        final double[] shares = new double[partitions];
        double sum = 0;
        for (int rank = 1; rank <= keys; rank++)
        {
            final double weight = Math.pow(rank, -skew);
            sum += weight;
            final long hash = Rendezvous.mix(Rendezvous.mix(seed) + rank);
            shares[(int)Long.remainderUnsigned(hash, partitions)] += weight;
        }
        for (int i = 0; i < partitions; i++)
        {
            shares[i] /= sum;
        }
        return shares;
    }

    /** Returns the share of the most frequent key. */
    static double ofTopKey(final int keys, final double skew)
    {
        double sum = 0;
        for (int rank = 1; rank <= keys; rank++)
        {
            sum += Math.pow(rank, -skew);
        }
        return 1 / sum;
    }
}

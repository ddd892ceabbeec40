package dev.millrace.command.simulation;

/** How the events fall on partitions when the k-th most frequent key is 1/k^skew as frequent as the first one. */
final class ZipfShares
{
    private ZipfShares()
    {
    }

    /** Share of the events a partition; they add up to 1. */
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

    /** Share of the most frequent key. */
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

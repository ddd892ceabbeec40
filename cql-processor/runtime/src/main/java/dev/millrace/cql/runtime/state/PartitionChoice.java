package dev.millrace.cql.runtime.state;

/**
 * What of the state of a pipeline is to be written: all, or some partitions by a column of its source. Generated code
 * asks for the values of its keys. Immutable; used by the thread of the pipeline.
 */
public final class PartitionChoice
{
    /** All that there is. */
    public static final PartitionChoice ALL = new PartitionChoice(-1, null);

    private final int column;
    private final PartitionTest partitions;

    private PartitionChoice(final int column, final PartitionTest partitions)
    {
        this.column = column;
        this.partitions = partitions;
    }

    /**
     * Some partitions.
     *
     * @param column     of the source, by which rows are shared out
     * @param partitions by values of the column
     * @return the choice
     */
    public static PartitionChoice of(final int column, final PartitionTest partitions)
    {
        return new PartitionChoice(column, partitions);
    }

    /**
     * Whether something may be left out.
     *
     * @return false for {@link #ALL}
     */
    public boolean isSome()
    {
        return partitions != null;
    }

    /**
     * Whether rows are shared out by a column.
     *
     * @param source column of the source
     * @return false for any other, and for {@link #ALL}
     */
    public boolean isBy(final int source)
    {
        return source == column;
    }

    /**
     * The test of the values of the column.
     *
     * @return {@code null} for {@link #ALL}
     */
    public PartitionTest partitions()
    {
        return partitions;
    }

    /**
     * Refuses to tell state apart that partitions share.
     *
     * @param isShared whether they do
     * @param what     the state is
     * @throws StateException when they do and something may be left out
     */
    public void check(final boolean isShared, final String what)
    {
        if (isShared && isSome())
        {
            throw new StateException("state cannot be told apart by partition: it is not grouped or partitioned by " +
                "the column by which rows are shared out, " + what + " column=" + column);
        }
    }
}

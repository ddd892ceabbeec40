package dev.millrace.cql.runtime.state;

/**
 * Selects which state of a pipeline is written: all, or some partitions by a column of its source. Generated code tests
 * the values of its keys. Immutable; used by the thread of the pipeline.
 */
public final class PartitionSelection
{
    /** All state. */
    public static final PartitionSelection ALL = new PartitionSelection(-1, null);

    private final int column;
    private final PartitionPredicate partitions;

    private PartitionSelection(final int column, final PartitionPredicate partitions)
    {
        this.column = column;
        this.partitions = partitions;
    }

    /**
     * Some partitions.
     *
     * @param column     source column by which rows are partitioned
     * @param partitions by values of the column
     */
    public static PartitionSelection of(final int column, final PartitionPredicate partitions)
    {
        return new PartitionSelection(column, partitions);
    }

    /** Whether some state may be omitted; false for {@link #ALL}. */
    public boolean isSome()
    {
        return partitions != null;
    }

    /**
     * Whether rows are partitioned by a source column.
     *
     * @return false for any other column, and for {@link #ALL}
     */
    public boolean isBy(final int source)
    {
        return source == column;
    }

    /** The test of the values of the column; {@code null} for {@link #ALL}. */
    public PartitionPredicate partitions()
    {
        return partitions;
    }

    /**
     * Refuses to separate state that partitions share.
     *
     * @param isShared whether they share it
     * @param what     name of the state
     * @throws StateException when state is shared and some of it may be omitted
     */
    public void check(final boolean isShared, final String what)
    {
        if (isShared && isSome())
        {
            throw new StateException("state cannot be separated by partition: it is not grouped or partitioned by " +
                "the column by which rows are partitioned, " + what + " column=" + column);
        }
    }
}

package dev.millrace.cql.runtime.state;

/**
 * Selects partitions by the values of the column by which rows are partitioned. Used by the thread of the engine or
 * pipeline.
 */
public interface PartitionPredicate
{
    /** Whether rows with null are included. */
    boolean ofNull();

    /** Whether the rows of a string, not {@code null}, are included. */
    boolean ofString(String value);

    /** Whether the rows of an integer, a time or a boolean (1 for true) are included. */
    boolean ofLong(long value);

    /** Whether the rows of a float are included. */
    boolean ofFloat(float value);

    /** Whether the rows of a double are included. */
    boolean ofDouble(double value);

    /** All partitions except these. */
    default PartitionPredicate others()
    {
        final PartitionPredicate these = this;
        return new PartitionPredicate()
        {
            @Override
            public boolean ofNull()
            {
                return !these.ofNull();
            }

            @Override
            public boolean ofString(final String value)
            {
                return !these.ofString(value);
            }

            @Override
            public boolean ofLong(final long value)
            {
                return !these.ofLong(value);
            }

            @Override
            public boolean ofFloat(final float value)
            {
                return !these.ofFloat(value);
            }

            @Override
            public boolean ofDouble(final double value)
            {
                return !these.ofDouble(value);
            }
        };
    }
}

package dev.millrace.cql.runtime.state;

/**
 * Which partitions are meant, by the values of the column by which rows are shared out. Used by the thread of the
 * engine or pipeline.
 */
public interface PartitionTest
{
    /**
     * Whether rows without value are among them.
     *
     * @return true when they are
     */
    boolean ofNull();

    /**
     * Whether the rows of a string are among them.
     *
     * @param value not {@code null}
     * @return true when they are
     */
    boolean ofString(String value);

    /**
     * Whether the rows of a whole number, a time or a boolean (1 for true) are among them.
     *
     * @param value any
     * @return true when they are
     */
    boolean ofLong(long value);

    /**
     * Whether the rows of a float are among them.
     *
     * @param value any
     * @return true when they are
     */
    boolean ofFloat(float value);

    /**
     * Whether the rows of a double are among them.
     *
     * @param value any
     * @return true when they are
     */
    boolean ofDouble(double value);

    /**
     * All partitions but these.
     *
     * @return a test that is true where this is not
     */
    default PartitionTest others()
    {
        final PartitionTest these = this;
        return new PartitionTest()
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

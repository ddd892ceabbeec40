package dev.millrace.api.event;

/** The storage of a batch column in memory: the type of its array. */
public enum ColumnStorage
{
    /** {@code int[]}. */
    INT32,
    /** {@code long[]}. */
    INT64,
    /** {@code float[]}. */
    FLOAT32,
    /** {@code double[]}. */
    FLOAT64,
    /** {@code byte[]} with 0 for false and 1 for true. */
    BIT,
    /** {@link CharColumn}, which represent null, so such a column needs no null bitmap. */
    TEXT,
    /** {@code Object[]}; {@code null} is null, so such a column needs no null bitmap. */
    REFERENCE;

    /**
     * Creates an empty array of this storage.
     *
     * @param length number of rows
     * @return a new primitive or reference array
     */
    public Object newArray(final int length)
    {
        return switch (this)
        {
            case INT32, TEXT -> new int[length];
            case INT64 -> new long[length];
            case FLOAT32 -> new float[length];
            case FLOAT64 -> new double[length];
            case BIT -> new byte[length];
            case REFERENCE -> new Object[length];
        };
    }

    /**
     * Whether nulls of such a column are kept in a separate bitmap.
     *
     * @return false where the value itself can represent null
     */
    public boolean usesNullBitmap()
    {
        return this != TEXT && this != REFERENCE;
    }
}

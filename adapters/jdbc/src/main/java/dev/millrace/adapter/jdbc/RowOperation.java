package dev.millrace.adapter.jdbc;

/** What is done with a row. Kept in a byte a row: the ordinal. */
enum RowOperation
{
    /** A new row of the table. */
    INSERT,
    /** Other values for the row of the table that has the key. */
    UPDATE,
    /** Insert, or update when the table has the key. */
    UPSERT,
    /** The row of the table that has the key goes. */
    DELETE,
    /** Nothing that the mode knows: the row is refused. */
    REFUSED;

    private static final RowOperation[] ALL = values();

    /** The operation of a byte. */
    static RowOperation of(final byte ordinal)
    {
        return ALL[ordinal];
    }

    /** Whether rows of the table are found by key. */
    boolean needsKey()
    {
        return this != INSERT;
    }
}

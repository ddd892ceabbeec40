package dev.millrace.adapter.jdbc.buffer;

/** The operation for a row. Its ordinal is stored in one byte per row. */
public enum RowOperation
{
    /** Inserts a row. */
    INSERT,
    /** Updates the row with the same key. */
    UPDATE,
    /** Updates the row with the same key, or inserts it. */
    UPSERT,
    /** Deletes the row with the same key. */
    DELETE,
    /** The mode has no operation for this kind of row: the row is rejected. */
    REFUSED;

    private static final RowOperation[] ALL = values();

    /** Decodes an ordinal. */
    static RowOperation of(final byte ordinal)
    {
        return ALL[ordinal];
    }

    /** Whether rows of the table are identified by key. */
    boolean needsKey()
    {
        return this != INSERT;
    }
}

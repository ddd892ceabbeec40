package dev.millrace.adapter.jdbc;

/** What happens to rows when the memory of a sink is full. */
enum WhenFull
{
    /** They go to files; the thread of the channel does not wait for the database. */
    SPILL,
    /** The thread of the channel waits: the database slows the sources down. */
    BLOCK,
    /** They are rejected, counted and logged. */
    REJECT
}

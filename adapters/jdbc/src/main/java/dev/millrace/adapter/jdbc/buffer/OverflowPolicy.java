package dev.millrace.adapter.jdbc.buffer;

/** The behavior when the memory of a sink is full. */
public enum OverflowPolicy
{
    /** Rows are written to files; the channel thread does not wait for the database. */
    SPILL,
    /** The channel thread waits: the database slows down the sources. */
    BLOCK,
    /** Rows are rejected, counted and logged. */
    REJECT
}

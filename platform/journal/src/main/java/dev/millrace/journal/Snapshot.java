package dev.millrace.journal;

/**
 * State after all records up to a position of a journal.
 *
 * @param position position of the last record that the state contains; {@link Journal#NONE} for none
 * @param content  the state, owned by the receiver
 */
public record Snapshot(long position, byte[] content)
{
}

package dev.millrace.cluster.cache;

/**
 * Result of a command, the same on all members.
 *
 * @param isDone  false when the command was refused
 * @param before  previous value, for a command with one change
 * @param refusal the reason; empty when the command was not refused
 */
record CommandResult(boolean isDone, byte[] before, String refusal)
{
    static final CommandResult DONE = new CommandResult(true, null, "");

    static CommandResult refused(final String why)
    {
        return new CommandResult(false, null, why);
    }
}

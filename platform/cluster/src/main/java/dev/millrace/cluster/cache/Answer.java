package dev.millrace.cluster.cache;

/**
 * What became of a command, the same on all members.
 *
 * @param isDone  false when it was refused
 * @param before  value before, of a command with one change
 * @param refusal why, in words; empty when it was not refused
 */
record Answer(boolean isDone, byte[] before, String refusal)
{
    static final Answer DONE = new Answer(true, null, "");

    static Answer refused(final String why)
    {
        return new Answer(false, null, why);
    }
}

package dev.millrace.command.recovery;

/** The rows of {@link RecoveryWorkload#state}: from the second pass on, the slot and how often it has arrived. */
final class CountRows implements ExpectedRows
{
    static final String KEY = "state";

    private final int groups;
    private long done;

    CountRows(final int groups)
    {
        this.groups = groups;
    }

    @Override
    public void advance(final int connection, final long rows, final Receiver to)
    {
        for (; done < rows; done++)
        {
            if (done >= groups)
            {
                to.row(KEY, done % groups, done / groups + 1);
            }
        }
    }
}

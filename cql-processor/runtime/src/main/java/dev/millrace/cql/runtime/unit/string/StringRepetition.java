package dev.millrace.cql.runtime.unit.string;

/**
 * Measures whether strings repeat, so that caching results saves more than it costs. When at most half of the strings
 * repeat over a long stretch, results are computed without a look-up for a longer one.
 *
 * <p>Confined to the engine thread.
 */
public abstract class StringRepetition
{
    /** Look-ups per stretch. */
    static final int STRETCH = 1 << 12;
    /** Consecutive stretches with few repeats until look-ups are suspended: as many strings as may wait to repeat. */
    static final int MOST_POOR = 8;
    /** Strings until look-ups resume. */
    static final int PAUSE = 1 << 20;

    private boolean pays = true;
    private int left = STRETCH;
    private int misses;
    private int poor;

    /**
     * Called for each string.
     *
     * @return false when the result should be computed without a look-up
     */
    public final boolean pays()
    {
        return --left >= 0 ? pays : judge();
    }

    private boolean judge()
    {
        poor = pays && misses > STRETCH / 2 ? poor + 1 : 0;
        pays = poor < MOST_POOR;
        misses = 0;
        left = pays ? STRETCH - 1 : PAUSE - 1;
        return pays;
    }

    /** Records a cache miss. */
    final void missed()
    {
        misses++;
    }
}

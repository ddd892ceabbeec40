package dev.millrace.cql.runtime.unit.text;

/**
 * Counts whether strings come again, so that looking them up saves more than it costs. Where at most half do, over a
 * long stretch, what is asked for is computed without a look-up for a longer one.
 *
 * <p>Threads: the engine's.
 */
public abstract class TextRepeats
{
    /** Questions of a stretch. */
    static final int STRETCH = 1 << 12;
    /** Poor stretches in a row until strings are not looked up any more: as many strings as may wait to come again. */
    static final int MOST_POOR = 8;
    /** Questions until they are looked up anew. */
    static final int PAUSE = 1 << 20;

    private boolean pays = true;
    private int left = STRETCH;
    private int misses;
    private int poor;

    /**
     * To be asked for each string.
     *
     * @return false when the result is to be computed without a look-up
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

    /** A string was looked up whose result was not known. */
    final void missed()
    {
        misses++;
    }
}

package dev.millrace.api.text;

/**
 * Heads of many strings, for strings that are mostly new objects: in passes, each of which reads one thing of all
 * strings, so that their cache misses overlap.
 *
 * <p>Threads: confined to one thread. Nothing is allocated before the first strings come.
 */
final class StringHeads
{
    private int[] lengths = new int[0];
    private long[] heads = new long[0];
    private boolean hasOthers;

    /** The heads of strings: 0 for null and for one that is not its head, or not of ASCII characters. */
    long[] of(final String[] texts, final int count)
    {
        if (heads.length < count)
        {
            lengths = new int[count];
            heads = new long[count];
        }
        // The length of a string is that of its characters, so this reads the start of both objects.
        for (int i = 0; i < count; i++)
        {
            lengths[i] = texts[i] == null ? 0 : texts[i].length();
        }
        boolean others = false;
        for (int i = 0; i < count; i++)
        {
            heads[i] = lengths[i] == 0 ? 0 : TextBytes.asciiHead(texts[i], lengths[i]);
            others |= heads[i] == 0 & lengths[i] != 0;
        }
        hasOthers = others;
        return heads;
    }

    /** Whether some of the strings had no head. */
    boolean hasOthers()
    {
        return hasOthers;
    }
}

package dev.millrace.api.string;

/**
 * Computes the heads of many strings that are mostly new objects, in passes that each read one field of all strings, so
 * that their cache misses overlap.
 *
 * <p>Not thread-safe. Nothing is allocated before the first call.
 */
final class StringPrefixes
{
    private int[] lengths = new int[0];
    private long[] heads = new long[0];
    private boolean hasOthers;

    /** The heads of strings: 0 for null and for a string that is not represented by its head, or is not ASCII. */
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
            heads[i] = lengths[i] == 0 ? 0 : Utf8.asciiHead(texts[i], lengths[i]);
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

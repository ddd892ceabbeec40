package dev.millrace.tuning.nexmark;

import java.util.SplittableRandom;

/** Creates the strings that the events of {@link NexmarkData} refer to. */
final class StringPool
{
    private static final int LETTERS = 26;

    private StringPool()
    {
    }

    /** Each word of the first with each of the second. */
    static String[] pairs(final String first, final String second)
    {
        final String[] ones = first.split(",");
        final String[] others = second.split(",");
        final String[] all = new String[ones.length * others.length];
        for (int i = 0; i < all.length; i++)
        {
            all[i] = ones[i / others.length] + ' ' + others[i % others.length];
        }
        return all;
    }

    /** Distinct strings of a length and a few characters more. */
    static String[] random(final SplittableRandom random, final int count, final int length)
    {
        final String[] all = new String[count];
        for (int i = 0; i < count; i++)
        {
            final StringBuilder text = new StringBuilder("x");
            while (text.length() < length)
            {
                text.append(random.nextInt(13) == 0 ? ' ' : (char)('a' + random.nextInt(LETTERS)));
            }
            all[i] = text.append(i).toString();
        }
        return all;
    }

    /** A word of five letters. */
    static String word(final SplittableRandom random)
    {
        final char[] word = new char[5];
        for (int i = 0; i < word.length; i++)
        {
            word[i] = (char)('a' + random.nextInt(LETTERS));
        }
        return new String(word);
    }
}

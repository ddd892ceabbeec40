package dev.millrace.tuning.nexmark;

import java.util.Arrays;

/** Numbers from 0 on for strings: open addressing, at most half full; nothing is removed. One thread. */
final class TextMap
{
    private int[] places = new int[1 << 12];
    private String[] texts = new String[1 << 11];
    private int size;

    /** The number of a string; the next one when it is new. */
    int number(final String text)
    {
        final int mask = places.length - 1;
        int at = hash(text) & mask;
        while (places[at] != 0)
        {
            if (texts[places[at] - 1].equals(text))
            {
                return places[at] - 1;
            }
            at = at + 1 & mask;
        }
        if (size == texts.length)
        {
            grow();
            return number(text);
        }
        texts[size] = text;
        places[at] = ++size;
        return size - 1;
    }

    String text(final int number)
    {
        return texts[number];
    }

    private static int hash(final String text)
    {
        final int mixed = text.hashCode() * 0x9E3779B9;
        return mixed ^ mixed >>> 16;
    }

    private void grow()
    {
        texts = Arrays.copyOf(texts, size * 2);
        places = new int[places.length * 2];
        for (int i = 0; i < size; i++)
        {
            int at = hash(texts[i]) & places.length - 1;
            while (places[at] != 0)
            {
                at = at + 1 & places.length - 1;
            }
            places[at] = i + 1;
        }
    }
}

package dev.millrace.tuning.nexmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Texts by number, with their hash codes for the check of results. Grows by {@link #indexOf}; one thread. */
final class TextPool
{
    private static final int LETTERS = 26;

    private final List<String> texts;
    private final Map<String, Integer> numbers = new HashMap<>();
    private int[] hashes;

    TextPool(final String... texts)
    {
        this.texts = new ArrayList<>(List.of(texts));
        hashes = this.texts.stream().mapToInt(String::hashCode).toArray();
    }

    /** The words of a text with commas. */
    static TextPool of(final String words)
    {
        return new TextPool(words.split(","));
    }

    /** Each word of the first with each of the second. */
    static TextPool pairs(final String first, final String second)
    {
        final List<String> all = new ArrayList<>();
        for (final String one : first.split(","))
        {
            for (final String other : second.split(","))
            {
                all.add(one + ' ' + other);
            }
        }
        return new TextPool(all.toArray(String[]::new));
    }

    /** Different texts of a length and a few characters more. */
    static TextPool random(final SplittableRandom random, final int count, final int length)
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
        return new TextPool(all);
    }

    /** Five letters. */
    static String word(final SplittableRandom random)
    {
        final char[] word = new char[5];
        for (int i = 0; i < word.length; i++)
        {
            word[i] = (char)('a' + random.nextInt(LETTERS));
        }
        return new String(word);
    }

    int size()
    {
        return texts.size();
    }

    String[] all()
    {
        return texts.toArray(String[]::new);
    }

    String text(final int number)
    {
        return texts.get(number);
    }

    int hash(final int number)
    {
        return hashes[number];
    }

    /** Number of a text that may be new. */
    int indexOf(final String text)
    {
        final Integer known = numbers.get(text);
        if (known != null)
        {
            return known;
        }
        final int number = texts.size();
        texts.add(text);
        numbers.put(text, number);
        hashes = hashes.length == number ? Arrays.copyOf(hashes, Math.max(16, number * 2)) : hashes;
        hashes[number] = text.hashCode();
        return number;
    }
}

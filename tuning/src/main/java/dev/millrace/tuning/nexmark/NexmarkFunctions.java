package dev.millrace.tuning.nexmark;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Java functions that queries 14 and 21 call. */
public final class NexmarkFunctions
{
    private static final Pattern CHANNEL = Pattern.compile("(&|^)channel_id=([^&]*)");

    private NexmarkFunctions()
    {
    }

    /**
     * How often a character is in a text.
     *
     * @param text      to look at
     * @param character one
     * @return number, 0 for no text
     */
    public static long countChar(final String text, final String character)
    {
        long count = 0;
        for (int i = 0; text != null && i < text.length(); i++)
        {
            if (text.charAt(i) == character.charAt(0))
            {
                count++;
            }
        }
        return count;
    }

    /**
     * The channel's number in an address.
     *
     * @param url the address
     * @return number as text, {@code null} when there is none
     */
    public static String channelId(final String url)
    {
        final Matcher matcher = CHANNEL.matcher(url);
        return matcher.find() ? matcher.group(2) : null;
    }
}

package dev.millrace.api.http;

import java.util.regex.Pattern;

/**
 * Names and patterns of channels as Bayeux defines them: {@code /stock/ORCL} is a name, {@code /stock/*} covers the
 * names with one more segment, and {@code /stock/**} those with any number of further segments. Stateless.
 */
public final class ChannelNames
{
    private static final int MAX_CHARS = 255;
    private static final String SEGMENT = "[\\p{Alnum}\\-_!~()$@.+:,;=&%]+";
    private static final Pattern NAME = Pattern.compile("(/" + SEGMENT + ")+");
    private static final Pattern ANY = Pattern.compile("(/" + SEGMENT + ")*/\\*\\*?");
    private static final String DEEP = "/**";
    private static final String WILD = "/*";

    private ChannelNames()
    {
    }

    /** Whether a text is the name of a channel for messages; those below {@code /meta} and {@code /service} are not. */
    public static boolean isName(final String text)
    {
        return text != null && text.length() <= MAX_CHARS && NAME.matcher(text).matches() && !isReserved(text);
    }

    /** Whether a text is a pattern with a wildcard as its last segment. */
    public static boolean isWild(final String text)
    {
        return text != null && text.length() <= MAX_CHARS && ANY.matcher(text).matches() && !isReserved(text);
    }

    private static boolean isReserved(final String text)
    {
        return text.startsWith("/meta/") || text.startsWith("/service/");
    }

    /**
     * Whether a name or pattern covers the name of a channel.
     *
     * @param pattern with or without a wildcard
     * @param name    without a wildcard
     */
    public static boolean covers(final String pattern, final String name)
    {
        if (pattern.endsWith(DEEP))
        {
            return name.startsWith(prefix(pattern)) && name.length() > prefix(pattern).length();
        }
        return pattern.endsWith(WILD) ? name.startsWith(prefix(pattern)) &&
            name.length() > prefix(pattern).length() && name.indexOf('/', prefix(pattern).length()) < 0 :
            pattern.equals(name);
    }

    /** Whether a channel exists that both patterns cover. */
    public static boolean overlap(final String one, final String other)
    {
        if (!isWild(one) || !isWild(other))
        {
            return isWild(one) ? covers(one, other) : covers(other, one);
        }
        if (prefix(one).equals(prefix(other)))
        {
            return true;
        }
        final boolean isOneLonger = prefix(one).length() > prefix(other).length();
        final String longer = isOneLonger ? one : other;
        final String shorter = isOneLonger ? other : one;
        return shorter.endsWith(DEEP) && prefix(longer).startsWith(prefix(shorter));
    }

    /** The part before the wildcard, with its slash. */
    private static String prefix(final String pattern)
    {
        return pattern.substring(0, pattern.lastIndexOf('/') + 1);
    }
}

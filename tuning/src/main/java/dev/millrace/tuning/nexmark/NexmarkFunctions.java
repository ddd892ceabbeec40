package dev.millrace.tuning.nexmark;

/** The Java function that query 14 calls. */
public final class NexmarkFunctions
{
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
}

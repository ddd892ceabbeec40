package dev.millrace.api.internal;

/** The distance of two strings, by which messages find the name that was probably meant. Stateless. */
public final class EditDistance
{
    private EditDistance()
    {
    }

    /**
     * The number of insertions, deletions, replacements and swaps of neighbors that turn one string into the other;
     * no character changes twice (optimal string alignment).
     *
     * @param limit largest result; strings whose lengths differ by as much are not compared
     * @return the distance, at most {@code limit}
     */
    public static int of(final String a, final String b, final int limit)
    {
        if (Math.abs(a.length() - b.length()) >= limit)
        {
            return limit;
        }
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++)
        {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++)
        {
            final int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++)
            {
                final int change = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(last[j], row[j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1))
                {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            beforeLast = last;
            last = row;
        }
        return Math.min(last[b.length()], limit);
    }
}

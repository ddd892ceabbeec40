package dev.millrace.test;

import java.util.ArrayList;
import java.util.List;

/** Pairs expected and received rows. Stateless. */
final class RowAlignment
{
    private RowAlignment()
    {
    }

    /**
     * A line of a comparison.
     *
     * @param expected {@code null} for a row that was not expected
     * @param received {@code null} for a row that is missing
     */
    record Pair(RowExpectation expected, ReceivedRow received)
    {
        boolean isMatch()
        {
            return expected != null && received != null;
        }
    }

    /** Pairs rows in order, as many as possible: a longest common subsequence. */
    static List<Pair> inOrder(final List<RowExpectation> expected, final List<ReceivedRow> received)
    {
        final int[][] longest = new int[expected.size() + 1][received.size() + 1];
        for (int i = expected.size() - 1; i >= 0; i--)
        {
            for (int j = received.size() - 1; j >= 0; j--)
            {
                longest[i][j] = expected.get(i).matches(received.get(j)) ? longest[i + 1][j + 1] + 1 :
                    Math.max(longest[i + 1][j], longest[i][j + 1]);
            }
        }
        final List<Pair> pairs = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < expected.size() || j < received.size())
        {
            if (i < expected.size() && j < received.size() && expected.get(i).matches(received.get(j)))
            {
                pairs.add(new Pair(expected.get(i++), received.get(j++)));
            }
            else if (j == received.size() || i < expected.size() && longest[i + 1][j] >= longest[i][j + 1])
            {
                pairs.add(new Pair(expected.get(i++), null));
            }
            else
            {
                pairs.add(new Pair(null, received.get(j++)));
            }
        }
        return pairs;
    }

    /** Pairs rows regardless of their order; each expected row with the first received row that it matches. */
    static List<Pair> inAnyOrder(final List<RowExpectation> expected, final List<ReceivedRow> received)
    {
        final List<RowExpectation> missing = new ArrayList<>(expected);
        final List<Pair> pairs = new ArrayList<>();
        for (final ReceivedRow row : received)
        {
            final RowExpectation found =
                missing.stream().filter(each -> each.matches(row)).findFirst().orElse(null);
            if (found != null)
            {
                missing.remove(found);
            }
            pairs.add(new Pair(found, row));
        }
        missing.forEach(each -> pairs.add(new Pair(each, null)));
        return pairs;
    }
}

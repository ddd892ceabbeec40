package dev.millrace.cql.processor.calibration;

import dev.millrace.cql.compiler.RowModeThreshold;
import java.util.List;

/**
 * The cost of a row in batches of one size.
 *
 * @param rows         number of rows in a batch
 * @param rowByRowNs   CPU time per row if each row passes all operators at once
 * @param byOperatorNs CPU time per row if each operator processes the whole batch
 */
record BodyCosts(int rows, double rowByRowNs, double byOperatorNs)
{
    /**
     * The limit with the lowest cost over all sizes, with equal weights. One badly measured size affects it less than
     * it would affect a search for the intersection of the curves.
     *
     * @param costs costs by size in ascending order
     * @return 1 to {@link RowModeThreshold#MAX_ROWS}: batches with fewer rows should be processed row by row
     */
    static int cheapestLimit(final List<BodyCosts> costs)
    {
        int best = costs.get(0).rows();
        double change = 0;
        double bestChange = 0;
        for (int i = 0; i < costs.size(); i++)
        {
            final BodyCosts size = costs.get(i);
            change += size.rowByRowNs() - size.byOperatorNs();
            if (change < bestChange)
            {
                bestChange = change;
                best = i + 1 < costs.size() ? costs.get(i + 1).rows() : RowModeThreshold.MAX_ROWS;
            }
        }
        return Math.min(best, RowModeThreshold.MAX_ROWS);
    }
}

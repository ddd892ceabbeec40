package dev.millrace.cql.processor.calibration;

import dev.millrace.cql.compiler.SmallBatches;
import java.util.List;

/**
 * What a row costs in batches of one size.
 *
 * @param rows         of a batch
 * @param rowByRowNs   CPU time a row when each row goes through all operators at once
 * @param byOperatorNs CPU time a row when each operator goes over the batch
 */
record BodyCosts(int rows, double rowByRowNs, double byOperatorNs)
{
    /**
     * The limit that costs least over all sizes, each of which counts the same. A single size that was measured badly
     * moves it less than a search for the point where the curves cross would.
     *
     * @param costs sizes in ascending order
     * @return 1 to {@link SmallBatches#MAX_ROWS}: batches of fewer rows should go row by row
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
                best = i + 1 < costs.size() ? costs.get(i + 1).rows() : SmallBatches.MAX_ROWS;
            }
        }
        return Math.min(best, SmallBatches.MAX_ROWS);
    }
}

package dev.millrace.cql.processor.calibration;

import dev.millrace.cql.compiler.RowModeThreshold;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a filter and a pattern of two rows over generated rows, in both forms of generated classes, with batches of
 * several sizes, and sets {@link RowModeThreshold} to the value with the lowest cost. The measure is CPU time; the
 * calibration takes about 0.3 s of it, several times that when its classes are new. Not thread-safe.
 *
 * <p>Failure: on platforms without a clock for thread CPU time, the limit is unchanged.
 */
public final class BatchCalibration
{
    private static final Logger LOG = LoggerFactory.getLogger(BatchCalibration.class);

    private static final int[] SIZES = {2, 4, 6, 8, 12, 16, 24};
    /** As long as the just-in-time compiler needs; its threads run at the same time. */
    private static final int WARM_UP_ROUNDS = 12;
    private static final int ROUNDS = 7;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    /** Measures and sets the limit for classes that are generated from now on. */
    public void run()
    {
        if (!threads.isCurrentThreadCpuTimeSupported())
        {
            return;
        }
        final List<BodyCosts> costs = measure();
        final int limit = BodyCosts.cheapestLimit(costs);
        RowModeThreshold.rows(limit);
        LOG.debug("batch calibration, rowByRowBelow={} ns per row by size (row by row, by operator): {}", limit,
            costs.stream().map(BatchCalibration::text).collect(Collectors.joining(", ")));
    }

    private static String text(final BodyCosts costs)
    {
        return String.format(
            Locale.ROOT, "%d: %.1f %.1f", costs.rows(), costs.rowByRowNs(), costs.byOperatorNs());
    }

    /** Both forms alternate, so that a change of the machine's speed affects both. */
    private List<BodyCosts> measure()
    {
        final SampleRows sample = new SampleRows();
        final SamplePipeline rowByRow = SamplePipeline.rowByRow(sample);
        final SamplePipeline byOperator = SamplePipeline.byOperator(sample);
        for (int round = 0; round < WARM_UP_ROUNDS; round++)
        {
            for (final int rows : SIZES)
            {
                rowByRow.run(rows);
                byOperator.run(rows);
            }
        }
        final List<BodyCosts> costs = new ArrayList<>();
        for (final int rows : SIZES)
        {
            final double[] first = new double[ROUNDS];
            final double[] second = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++)
            {
                first[round] = nsPerRow(rowByRow, rows);
                second[round] = nsPerRow(byOperator, rows);
            }
            costs.add(new BodyCosts(rows, median(first), median(second)));
        }
        if (rowByRow.rowsOut() != byOperator.rowsOut())
        {
            throw new IllegalStateException("the two forms of a class differ, rows " + rowByRow.rowsOut() + " and " +
                byOperator.rowsOut() + "; report it with the Java version");
        }
        return costs;
    }

    private double nsPerRow(final SamplePipeline pipeline, final int rows)
    {
        final long startNs = threads.getCurrentThreadCpuTime();
        pipeline.run(rows);
        return (double)(threads.getCurrentThreadCpuTime() - startNs) / SampleRows.ROWS;
    }

    private static double median(final double[] figures)
    {
        Arrays.sort(figures);
        return figures[figures.length / 2];
    }
}

package @package@;

import dev.millrace.api.stage.StreamSink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes each fall to the log. One thread at a time calls it. */
public final class FallLogger implements StreamSink
{
    private static final Logger LOG = LoggerFactory.getLogger(FallLogger.class);

    private double largestPercent;

    @Override
    public void onInsertEvent(final Object event)
    {
        final Fall fall = (Fall)event;
        largestPercent = Math.max(largestPercent, fall.percent());
        LOG.info("{} fell by {} %, from {} to {}", fall.getSymbol(), String.format("%.2f", fall.percent()),
            fall.getHigh(), fall.getLow());
    }

    /** Returns the largest fall so far. */
    double largestPercent()
    {
        return largestPercent;
    }
}

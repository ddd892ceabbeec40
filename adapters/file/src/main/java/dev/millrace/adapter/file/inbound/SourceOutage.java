package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.file.property.FileErrorCode;
import dev.millrace.api.condition.StageConditions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks why a source cannot read: logs each change of the cause and every {@value #LOG_EVERY} failures, publishes the
 * cause as condition of the stage, and lets the delay between attempts grow. Confined to the source's thread.
 */
final class SourceOutage
{
    private static final Logger LOG = LoggerFactory.getLogger(SourceOutage.class);
    private static final int LOG_EVERY = 60;
    private static final int FIRST_DELAY_MILLIS = 100;

    private final StageConditions conditions;
    private final SourceCounters counters;
    private final int maxDelayMillis;
    private FileErrorCode code;
    private String cause = "";
    private int failures;

    SourceOutage(final StageConditions conditions, final SourceCounters counters, final int maxDelayMillis)
    {
        this.conditions = conditions;
        this.counters = counters;
        this.maxDelayMillis = maxDelayMillis;
    }

    /**
     * Records a failure.
     *
     * @return the time to wait before the next attempt
     */
    int failed(final FileErrorCode failure, final String message)
    {
        if (!message.equals(cause) || failures % LOG_EVERY == 0)
        {
            LOG.warn("{}, failures={}", message, failures + 1);
        }
        if (code != null && code != failure)
        {
            conditions.clear(code.text());
        }
        code = failure;
        cause = message;
        failures++;
        counters.trouble(message);
        conditions.raise(failure.text(), message);
        return (int)Math.min(maxDelayMillis, (long)FIRST_DELAY_MILLIS << Math.min(failures - 1, 20));
    }

    /** Records that reading is possible. */
    void ended()
    {
        if (code != null)
        {
            LOG.info("the source reads again, failures={} cause={}", failures, cause);
            conditions.clear(code.text());
            counters.trouble("");
            code = null;
            cause = "";
            failures = 0;
        }
    }
}

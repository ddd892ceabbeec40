package dev.millrace.adapter.common.source;

import dev.millrace.adapter.common.property.ErrorCode;
import dev.millrace.api.condition.StageConditions;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks why a stage cannot reach the other side: logs each change of the cause and every {@value #LOG_EVERY} failures,
 * publishes the cause as condition of the stage and as its statistic {@code trouble}, and lets the delay between
 * attempts grow. Confined to the thread of the stage.
 */
public final class Outage
{
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);
    private static final int LOG_EVERY = 60;
    private static final int FIRST_DELAY_MILLIS = 100;

    private final StageConditions conditions;
    private final Consumer<String> trouble;
    private final int maxDelayMillis;
    private ErrorCode code;
    private String cause = "";
    private int failures;

    /**
     * @param trouble        receives each cause, and the empty string when the outage has ended
     * @param maxDelayMillis greatest time between two attempts
     */
    public Outage(final StageConditions conditions, final Consumer<String> trouble, final int maxDelayMillis)
    {
        this.conditions = conditions;
        this.trouble = trouble;
        this.maxDelayMillis = maxDelayMillis;
    }

    /**
     * Records a failure.
     *
     * @return the time to wait before the next attempt
     */
    public int failed(final ErrorCode failure, final String message)
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
        trouble.accept(message);
        conditions.raise(failure.text(), message);
        return (int)Math.min(maxDelayMillis, (long)FIRST_DELAY_MILLIS << Math.min(failures - 1, 20));
    }

    /** Records that the other side responds. */
    public void ended()
    {
        if (code != null)
        {
            LOG.info("the outage has ended, failures={} cause={}", failures, cause);
            conditions.clear(code.text());
            trouble.accept("");
            code = null;
            cause = "";
            failures = 0;
        }
    }
}

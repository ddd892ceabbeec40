package dev.millrace.adapter.jdbc;

import dev.millrace.adapter.jdbc.buffer.JdbcErrorCode;
import dev.millrace.api.condition.StageConditions;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks why the database does not accept or return rows. Logs the start of an outage, each change of its cause, and
 * every {@value #LOG_EVERY} failures; publishes the cause as condition of the stage and as its statistic
 * {@code trouble} until the database works again. Not thread-safe.
 */
final class Outage
{
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);
    private static final int LOG_EVERY = 60;
    private static final int CODE_CHARS = JdbcErrorCode.AWAY.text().length();
    /** Times, ports and pool counts differ between failures of the same cause. */
    private static final Pattern NUMBERS = Pattern.compile("\\d+");

    private final Consumer<String> trouble;
    private final StageConditions conditions;
    private String code = "";
    private String cause = "";
    private int failures;

    /**
     * @param trouble receives each cause, and the empty string when the outage has ended
     */
    Outage(final Consumer<String> trouble, final StageConditions conditions)
    {
        this.trouble = trouble;
        this.conditions = conditions;
    }

    /**
     * Records a failure.
     *
     * @param message starts with an error code
     * @param progress what the log contains in addition, for example the number of waiting rows
     */
    void failed(final String message, final String progress)
    {
        final String codeNow = message.substring(0, CODE_CHARS);
        final String causeNow = NUMBERS.matcher(message).replaceAll("#");
        final boolean isOther = !causeNow.equals(cause);
        if (isOther || failures % LOG_EVERY == 0)
        {
            LOG.warn("{}, {}{}", message, progress,
                isOther && failures > 0 ? " (the cause has changed, failures=" + failures + ')' : "");
        }
        if (!code.isEmpty() && !code.equals(codeNow))
        {
            conditions.clear(code);
        }
        code = codeNow;
        cause = causeNow;
        failures++;
        trouble.accept(message);
        conditions.raise(codeNow, message);
    }

    /**
     * Records success.
     *
     * @return false when there was no outage
     */
    boolean ended()
    {
        if (failures == 0)
        {
            return false;
        }
        conditions.clear(code);
        trouble.accept("");
        code = "";
        cause = "";
        failures = 0;
        return true;
    }
}

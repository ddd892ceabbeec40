package dev.millrace.network.condition;

import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The conditions that one stage has raised and not cleared, by code. Thread-safe. At most {@value #MAX_CODES} codes; a
 * further one is logged and counted in the condition {@value #FURTHER}.
 */
public final class RaisedConditions implements StageConditions
{
    /** Maximum number of codes that one stage can have raised at a time. */
    public static final int MAX_CODES = 16;

    /** A stage reports more conditions than are kept: let it clear those that no longer hold. */
    public static final String FURTHER = "EPN-0633";

    private static final int MAX_TEXT_CHARS = 500;
    private static final Logger LOG = LoggerFactory.getLogger(RaisedConditions.class);

    private final String stage;
    private final Clock clock;
    private final Map<String, Condition> byCode = new LinkedHashMap<>();

    /**
     * Creates an empty set of conditions.
     *
     * @param stage id
     * @param clock measures when a condition was first raised
     */
    public RaisedConditions(final String stage, final Clock clock)
    {
        this.stage = stage;
        this.clock = clock;
    }

    @Override
    public synchronized void raise(final String code, final String text)
    {
        final boolean fits = byCode.containsKey(code) || kept() < MAX_CODES;
        final String key = fits ? code : FURTHER;
        if (!fits && !byCode.containsKey(FURTHER))
        {
            LOG.warn("{} more conditions than are kept, stage={} code={} limit={} text={}; clear those that no longer "
                + "hold",
                FURTHER, stage, code, MAX_CODES, text);
        }
        final Condition before = byCode.get(key);
        byCode.put(key, new Condition(stage, key, shortened(text), before == null ? clock.epochNs() : before.sinceNs(),
            before == null ? 1 : before.count() + 1));
    }

    @Override
    public synchronized void clear(final String code)
    {
        byCode.remove(code);
        if (kept() < MAX_CODES)
        {
            byCode.remove(FURTHER);
        }
    }

    private int kept()
    {
        return byCode.size() - (byCode.containsKey(FURTHER) ? 1 : 0);
    }

    /**
     * Returns the current conditions.
     *
     * @return in the order in which they were first raised
     */
    public synchronized List<Condition> list()
    {
        return List.copyOf(byCode.values());
    }

    /**
     * Shortens a string to a bounded length.
     *
     * @param text any, or {@code null}
     * @return its beginning
     */
    public static String shortened(final String text)
    {
        final String all = String.valueOf(text);
        return all.length() <= MAX_TEXT_CHARS ? all : all.substring(0, MAX_TEXT_CHARS) + "...";
    }
}

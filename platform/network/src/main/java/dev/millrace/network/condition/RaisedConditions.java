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
    /** Most codes that one stage can have raised at a time. */
    public static final int MAX_CODES = 16;

    /** A stage reports more conditions than are kept: let it clear those that have gone. */
    public static final String FURTHER = "EPN-0633";

    private static final int MAX_TEXT_CHARS = 500;
    private static final Logger LOG = LoggerFactory.getLogger(RaisedConditions.class);

    private final String stage;
    private final Clock clock;
    private final Map<String, Condition> byCode = new LinkedHashMap<>();

    /**
     * Makes it, with no condition.
     *
     * @param stage id
     * @param clock gives the time of the first call
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
            LOG.warn("{} more conditions than are kept, stage={} code={} limit={} text={}; clear what has gone",
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
     * The conditions now.
     *
     * @return in order of their first raising
     */
    public synchronized List<Condition> list()
    {
        return List.copyOf(byCode.values());
    }

    /**
     * A text of bounded length.
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

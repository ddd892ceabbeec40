package dev.millrace.network.condition;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A cause for which a network does not do all of its work. Immutable.
 *
 * @param stage   id of the stage
 * @param code    stable message code
 * @param text    description, as of the last occurrence
 * @param sinceNs when it began, by the network's clock
 * @param count   number of occurrences since then; rows where rows are rejected
 */
public record Condition(String stage, String code, String text, long sinceNs, long count)
{
    private static final long NS_PER_SECOND = 1_000_000_000L;

    /**
     * Returns the condition as plain values.
     *
     * @return stage, code, text, since (ISO 8601), count
     */
    public Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("stage", stage);
        map.put("code", code);
        map.put("text", text);
        map.put("since", Instant.ofEpochSecond(
            Math.floorDiv(sinceNs, NS_PER_SECOND), Math.floorMod(sinceNs, NS_PER_SECOND)).toString());
        map.put("count", count);
        return map;
    }
}

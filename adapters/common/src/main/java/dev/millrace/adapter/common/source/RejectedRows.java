package dev.millrace.adapter.common.source;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The last rows that a source has rejected, for its statistics. Thread-safe. */
public final class RejectedRows
{
    private static final int MAX_ROWS = 10;

    private final Deque<Map<String, Object>> rows = new ArrayDeque<>();

    /**
     * Adds a row, and forgets the oldest one if there are more than {@value #MAX_ROWS}.
     *
     * @param origin of the row, for example file and line
     */
    public synchronized void add(final Map<String, Object> origin, final String reason, final String detail)
    {
        final Map<String, Object> row = new LinkedHashMap<>(origin);
        row.put("reason", reason);
        row.put("detail", detail);
        if (rows.size() == MAX_ROWS)
        {
            rows.removeFirst();
        }
        rows.addLast(row);
    }

    /** The oldest one first. */
    public synchronized List<Map<String, Object>> rows()
    {
        return new ArrayList<>(rows);
    }
}

package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.file.inbound.decode.RejectReason;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The last rows that a source has rejected, for its statistics. Thread-safe. */
final class RejectedRows
{
    private static final int MAX_ROWS = 10;

    private final Deque<Map<String, Object>> rows = new ArrayDeque<>();

    synchronized void add(final Path file, final long line, final RejectReason reason, final String detail)
    {
        final Map<String, Object> row = new LinkedHashMap<>();
        row.put("file", file.toString());
        row.put("line", line);
        row.put("reason", reason.reason());
        row.put("detail", detail);
        if (rows.size() == MAX_ROWS)
        {
            rows.removeFirst();
        }
        rows.addLast(row);
    }

    /** The oldest one first. */
    synchronized List<Map<String, Object>> rows()
    {
        return new ArrayList<>(rows);
    }
}

package dev.millrace.adapter.jdbc.polling;

import java.util.LinkedHashMap;
import java.util.Map;

/** Statistics of a source. Written by its thread, read by any thread. */
public final class SourceCounters
{
    /** Rows passed to the stages below. */
    private volatile long rows;
    /** Rows among them that were sent before. */
    private volatile long repeated;
    /** Rows that are not events. */
    private volatile long rejected;
    /** Rows of a range that is repeated that were not sent the first time. */
    private volatile long skipped;
    /** Queries that were answered. */
    private volatile long polls;
    /** Failed attempts. */
    private volatile long retried;
    /** Position of the last row. */
    private volatile String position = "";
    private volatile boolean isFinished;
    /** Why the source cannot read; empty when it can. */
    private volatile String trouble = "";

    void sent(final int count, final String lastPosition)
    {
        rows += count;
        position = lastPosition;
    }

    void repeated()
    {
        repeated++;
    }

    void rejected()
    {
        rejected++;
    }

    void skipped()
    {
        skipped++;
    }

    /** Counts a query. */
    public void polled()
    {
        polls++;
    }

    /** Counts a failed attempt. */
    public void retried()
    {
        retried++;
    }

    /** Shows that no more rows will be read. */
    public void finished()
    {
        isFinished = true;
    }

    /** Shows why the source cannot read. */
    public void trouble(final String text)
    {
        trouble = text;
    }

    /** The position of the last row, as text. */
    public String position()
    {
        return position;
    }

    /** All statistics by name. */
    public Map<String, Object> snapshot()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rows", rows);
        figures.put("repeated", repeated);
        figures.put("rejected", rejected);
        figures.put("skipped", skipped);
        figures.put("polls", polls);
        figures.put("retried", retried);
        figures.put("position", position);
        figures.put("finished", isFinished);
        figures.put("trouble", trouble);
        return figures;
    }
}

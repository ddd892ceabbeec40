package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.common.source.RejectedRows;
import java.util.LinkedHashMap;
import java.util.Map;

/** The figures of a source. The source's thread writes, any thread reads. */
final class SourceCounters
{
    final RejectedRows rejectedRows = new RejectedRows();
    private volatile long rows;
    private volatile long rejected;
    private volatile long files;
    private volatile long lostFiles;
    private volatile long acknowledged;
    private volatile long sent;
    private volatile String file = "";
    private volatile long offset;
    private volatile long line;
    private volatile boolean isFinished;
    private volatile String trouble = "";

    /** Records rows that were sent, and the position after them. */
    void sent(final int count, final long number)
    {
        rows += count;
        sent = number;
    }

    void at(final String path, final long atOffset, final long atLine)
    {
        file = path;
        offset = atOffset;
        line = atLine;
    }

    void rejected()
    {
        rejected++;
    }

    void fileRead()
    {
        files++;
    }

    void fileLost()
    {
        lostFiles++;
    }

    void acknowledged(final long number)
    {
        acknowledged = number;
    }

    void finished(final boolean finished)
    {
        isFinished = finished;
    }

    void trouble(final String text)
    {
        trouble = text;
    }

    Map<String, Object> snapshot()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rows", rows);
        figures.put("rejected", rejected);
        figures.put("files", files);
        figures.put("lostFiles", lostFiles);
        figures.put("file", file);
        figures.put("offset", offset);
        figures.put("line", line);
        figures.put("sentPosition", sent);
        figures.put("acknowledgedPosition", acknowledged);
        figures.put("finished", isFinished);
        figures.put("trouble", trouble);
        figures.put("lastRejected", rejectedRows.rows());
        return figures;
    }
}

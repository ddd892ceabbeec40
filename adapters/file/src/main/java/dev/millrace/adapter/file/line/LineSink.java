package dev.millrace.adapter.file.line;

import dev.millrace.adapter.common.encode.CsvFormat;
import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.adapter.common.encode.FormatProperties;
import dev.millrace.adapter.common.encode.JsonFormat;
import dev.millrace.adapter.common.encode.RowFormat;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.file.property.FileErrorCode;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sink that writes a limited number of events per second as lines. The module's README.md describes its properties.
 *
 * <p>Threads: the channel's thread formats and writes, and may wait for the output. Failure: deployment fails if a
 * property is wrong; rows that cannot be written are rejected, those above the limit are counted as omitted.
 */
public abstract class LineSink implements Adapter, EventBatchSink, StageContextAware, InitializingBean, DisposableBean,
    StatisticsSource
{
    private static final Logger LOG = LoggerFactory.getLogger(LineSink.class);
    private static final int MAX_LINES = 1_000_000;
    private static final int MIN_LENGTH = 100;
    private static final int MAX_LENGTH = 1_000_000;
    private static final String CUT = "...";

    private final FormatProperties properties = new FormatProperties();
    private final LongSupplier nanoTime;
    private String format = "json";
    private String eventTypeName;
    private int maxLinesPerSecond;
    private int maxLineLength = 10_000;
    private StageContext context;
    private PropertyCheck check;
    private EventFormatter formatter;
    /** Guarded by this, like all that follows. */
    private LineLimit limit;
    private boolean isHeaderWritten;
    private long written;
    private long truncated;
    private long rejected;

    LineSink(final int maxLinesPerSecond, final LongSupplier nanoTime)
    {
        this.maxLinesPerSecond = maxLinesPerSecond;
        this.nanoTime = nanoTime;
    }

    /** {@code json} or {@code csv}; default json. */
    public void setFormat(final String name)
    {
        format = name;
    }

    /** The properties to write, separated by commas; default: all. */
    public void setColumns(final String names)
    {
        properties.columns = names;
    }

    /** The event type. Optional: if set, deployment checks {@code columns}. */
    public void setEventTypeName(final String name)
    {
        eventTypeName = name;
    }

    /** Whether CSV begins with the names of the columns; default true. */
    public void setHeader(final boolean header)
    {
        properties.header = header;
    }

    /** The separator of CSV: a character or {@code tab}; default a comma. */
    public void setSeparator(final String separator)
    {
        properties.separator = separator;
    }

    /** The name of a further column for the time of rows; default none. */
    public void setTimeColumn(final String name)
    {
        properties.timeColumn = name;
    }

    /** The name of a further column for INSERT, DELETE or UPDATE; required for relations. */
    public void setKindColumn(final String name)
    {
        properties.kindColumn = name;
    }

    /** The maximum number of lines in a second; 0 = no limit. */
    public void setMaxLinesPerSecond(final int lines)
    {
        maxLinesPerSecond = lines;
    }

    /** The maximum number of characters of a line; default 10000. */
    public void setMaxLineLength(final int characters)
    {
        maxLineLength = characters;
    }

    @Override
    public final void setStageContext(final StageContext given)
    {
        context = given;
    }

    @Override
    public final void afterPropertiesSet()
    {
        check = new PropertyCheck(FileErrorCode.PROPERTY,
            (context == null ? "application" : context.applicationName()) + '/' +
            (context == null ? "sink" : context.stageId()));
        check.range("maxLinesPerSecond", maxLinesPerSecond, 0, MAX_LINES);
        check.range("maxLineLength", maxLineLength, MIN_LENGTH, MAX_LENGTH);
        formatter = new EventFormatter(rowFormat(), properties.check(check), check,
            FileErrorCode.EVENTS);
        formatter.check(context, eventTypeName);
        limit = new LineLimit(maxLinesPerSecond, nanoTime);
        open(check);
    }

    private RowFormat rowFormat()
    {
        return switch (format)
        {
            case "json" -> new JsonFormat();
            case "csv" -> new CsvFormat();
            default -> throw check.wrong("format", format, "use json or csv");
        };
    }

    /**
     * Checks the further properties and prepares the output.
     *
     * @param check for messages about properties
     * @throws IllegalArgumentException if a property is wrong
     */
    abstract void open(PropertyCheck check);

    /** Whether lines would be visible at present; if not, none are formatted. */
    abstract boolean isEnabled();

    /** Writes lines without their ends. */
    abstract void write(List<String> lines) throws IOException;

    @Override
    public final synchronized void onBatch(final EventBatch batch) throws EventRejectedException
    {
        if (batch.size() > 0 && isEnabled())
        {
            add(batch);
        }
        report(false);
    }

    private void add(final EventBatch batch) throws EventRejectedException
    {
        try
        {
            formatter.map(batch);
        }
        catch (final EventRejectedException e)
        {
            rejected += batch.size();
            throw e;
        }
        final int count = limit.take(batch.size());
        if (count == 0)
        {
            return;
        }
        final List<String> lines = lines(batch, count);
        final StageConditions conditions = context == null ? StageConditions.NONE : context.conditions();
        try
        {
            write(lines);
            isHeaderWritten = true;
            written += count;
            conditions.clear(FileErrorCode.WRITE.text());
        }
        catch (final IOException e)
        {
            final String message = FileErrorCode.WRITE.message("rows cannot be written, stage=" + check.stageName() +
                " reason=" + e.getMessage(), "correct the cause: these rows are rejected");
            conditions.raise(FileErrorCode.WRITE.text(), message);
            rejected += count;
            throw new EventRejectedException(message, e);
        }
    }

    private List<String> lines(final EventBatch batch, final int count)
    {
        final List<String> lines = new ArrayList<>(count + 1);
        if (!isHeaderWritten && formatter.header() != null)
        {
            lines.add(formatter.header());
        }
        final StringBuilder text = new StringBuilder();
        for (int row = 0; row < count; row++)
        {
            text.setLength(0);
            formatter.append(batch, row, text);
            text.setLength(text.length() - 1);
            if (text.length() > maxLineLength)
            {
                text.setLength(maxLineLength - CUT.length());
                text.append(CUT);
                truncated++;
            }
            lines.add(visible(text));
        }
        return lines;
    }

    /** Escapes control characters, which would divide a line or change what a terminal shows. */
    private static String visible(final StringBuilder text)
    {
        if (text.chars().noneMatch(LineSink::isControl))
        {
            return text.toString();
        }
        final StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++)
        {
            final char each = text.charAt(i);
            if (isControl(each))
            {
                escaped.append(String.format("\\u%04x", (int)each));
            }
            else
            {
                escaped.append(each);
            }
        }
        return escaped.toString();
    }

    private static boolean isControl(final int character)
    {
        return character != '\t' && Character.isISOControl(character);
    }

    private void report(final boolean isLast)
    {
        final long count = limit.report(isLast);
        if (count > 0)
        {
            LOG.warn(FileErrorCode.OMITTED.message("lines were left out, stage=" + check.stageName() + " lines=" +
                count + " maxLinesPerSecond=" + maxLinesPerSecond,
                "raise maxLinesPerSecond, or write all events into a file with csv-outbound or file-outbound"));
        }
    }

    @Override
    public final synchronized void destroy()
    {
        if (limit != null)
        {
            report(true);
        }
    }

    @Override
    public final synchronized Map<String, Object> statistics()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("written", written);
        figures.put("omitted", limit == null ? 0L : limit.omitted());
        figures.put("truncated", truncated);
        figures.put("rejected", rejected);
        return figures;
    }
}

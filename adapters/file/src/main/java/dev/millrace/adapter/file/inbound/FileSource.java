package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.common.decode.ColumnNames;
import dev.millrace.adapter.common.decode.CsvDecoder;
import dev.millrace.adapter.common.decode.JsonDecoder;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.common.source.RowBatch;
import dev.millrace.adapter.file.inbound.position.StreamPositions;
import dev.millrace.adapter.file.inbound.select.DirectorySelector;
import dev.millrace.adapter.file.inbound.select.FileSelector;
import dev.millrace.adapter.file.inbound.select.FollowedFileSelector;
import dev.millrace.adapter.file.inbound.select.SingleFileSelector;
import dev.millrace.adapter.file.property.FileErrorCode;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.lifecycle.ResumableBean;
import dev.millrace.api.lifecycle.RunnableBean;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.net.BindException;
import java.util.Map;

/**
 * Source of the rows of files. INBOUND.md describes its properties.
 *
 * <p>Threads: reading is confined to the thread that calls {@link #run}; life-cycle calls come from the managing thread
 * and set a flag. Failure: deployment fails if a property is wrong or does not match the event type; a missing file is
 * waited for; rows that cannot be decoded are rejected.
 */
public final class FileSource implements Adapter, EventBatchSource, StageContextAware, InitializingBean,
    ActivatableBean, RunnableBean, ResumableBean, DisposableBean, StatisticsSource
{
    /** The format of the files. */
    public enum Format
    {
        /** Comma-separated values. */
        CSV,
        /** A JSON object on each line. */
        JSON,
        /** Columns of Apache Parquet. */
        PARQUET
    }

    private final Format format;
    private final SourceProperties properties = new SourceProperties();
    private final SourceCounters counters = new SourceCounters();
    private String eventTypeName;
    private StageContext context;
    private EventBatchSender sender;
    private SourceSettings settings;
    private StreamPositions positions;
    private SourceLoop loop;

    public FileSource(final Format format)
    {
        this.format = format;
    }

    /** The file to read; required unless a directory is read. */
    public void setFile(final String file)
    {
        properties.file = file;
    }

    /** The directory whose files are read. */
    public void setDirectory(final String directory)
    {
        properties.directory = directory;
    }

    /** {@code once}, {@code tail} or {@code directory}; default once, or directory if one is set. */
    public void setMode(final String mode)
    {
        properties.mode = mode;
    }

    /** The names of the files of a directory that are read; default all. */
    public void setPattern(final String pattern)
    {
        properties.pattern = pattern;
    }

    /** The event type. Optional: the channel after the adapter specifies it too, and both must be equal. */
    public void setEventTypeName(final String name)
    {
        eventTypeName = name;
    }

    /** The properties that are read; for CSV in the order of the fields. */
    public void setColumns(final String names)
    {
        properties.columns = names;
    }

    /** Whether files of CSV begin with the names of the columns; default true. */
    public void setHeader(final boolean header)
    {
        properties.header = header;
    }

    /** The separator of CSV: a character or {@code tab}; default a comma. */
    public void setSeparator(final String separator)
    {
        properties.separator = separator;
    }

    /** A further representation of null in CSV; default none. */
    public void setNullText(final String text)
    {
        properties.nullText = text;
    }

    /** {@code reject} or {@code null}: what a missing field means; default reject. */
    public void setMissing(final String meaning)
    {
        properties.missing = meaning;
    }

    /** The charset; default UTF-8. */
    public void setCharset(final String charset)
    {
        properties.charset = charset;
    }

    /** The maximum number of bytes of a row; default 65536. */
    public void setMaxLineBytes(final int bytes)
    {
        properties.maxLineBytes = bytes;
    }

    /** The property by which rows are timed. */
    public void setTimeColumn(final String name)
    {
        properties.timeColumn = name;
    }

    /** The unit of that property if it is a number: {@code ns}, {@code us}, {@code ms} or {@code s}; default ns. */
    public void setTimeUnit(final String unit)
    {
        properties.timeUnit = unit;
    }

    /** How many times as fast as recorded rows are sent, or {@code max}; default max. */
    public void setSpeed(final String speed)
    {
        properties.speed = speed;
    }

    /** How often the file is read; default 1, 0 = without end. */
    public void setRepeat(final int times)
    {
        properties.repeat = times;
    }

    /** {@code beginning} or {@code end}: where to begin in a file that is followed; default beginning. */
    public void setStartAt(final String place)
    {
        properties.startAt = place;
    }

    /** {@code keep}, {@code delete} or {@code move} files of a directory that were read; default keep. */
    public void setAfterRead(final String action)
    {
        properties.afterRead = action;
    }

    /** The directory to which files that were read are moved. */
    public void setMoveTo(final String directory)
    {
        properties.moveTo = directory;
    }

    /** The time between two looks for more rows; default 200. */
    public void setPollMillis(final int millis)
    {
        properties.pollMillis = millis;
    }

    /** The maximum time between two attempts to open a file; default 10000. */
    public void setMaxRetryMillis(final int millis)
    {
        properties.maxRetryMillis = millis;
    }

    /** The file with the positions; default below the state of the application. */
    public void setPositionFile(final String file)
    {
        properties.positionFile = file;
    }

    @Override
    public void setStageContext(final StageContext given)
    {
        context = given;
    }

    @Override
    public void setBatchSender(final EventBatchSender given)
    {
        sender = given;
    }

    @Override
    public void afterPropertiesSet()
    {
        settings = properties.check(format != Format.PARQUET,
            context == null ? "application" : context.applicationName(),
            context == null ? "source" : context.stageId());
        if (eventTypeName != null && context != null)
        {
            final EventType type = context.eventTypes().eventType(eventTypeName);
            if (type == null)
            {
                throw wrongType(context.eventTypes().eventTypes().stream().map(EventType::name).toList().toString());
            }
            columns(type);
        }
    }

    private IllegalArgumentException wrongType(final String known)
    {
        return new IllegalArgumentException(FileErrorCode.TYPE.message("the event type of the source is unknown or " +
            "not that of the channel, stage=" + settings.stageName() + " eventTypeName=" + eventTypeName + " known=" +
            known, "correct eventTypeName, or leave it out"));
    }

    private int[] columns(final EventType type)
    {
        try
        {
            return ColumnNames.of(type, settings.columns());
        }
        catch (final IllegalArgumentException e)
        {
            throw settings.check().wrong("columns", e.getMessage(),
                "list properties of the event type that can be read");
        }
    }

    private int timeColumn(final EventType type)
    {
        final int column = type.indexOf(settings.timeColumn());
        final CqlType of = column < 0 ? null : type.properties().get(column).type();
        if (of != CqlType.INT && of != CqlType.BIGINT && of != CqlType.TIMESTAMP)
        {
            throw settings.check().wrong("timeColumn", settings.timeColumn(),
                "name a property of type timestamp, bigint or int");
        }
        return column;
    }

    /** Compares the columns with the event type of the channel, and opens the positions. */
    @Override
    public void afterConfigurationActive() throws IOException
    {
        if (sender == null)
        {
            return;
        }
        final EventType type = sender.schema().type();
        if (eventTypeName != null && !eventTypeName.equals(type.name()))
        {
            throw wrongType(type.name());
        }
        final int[] columns = columns(type);
        final int timeColumn = settings.timeColumn() == null ? -1 : timeColumn(type);
        final StreamPositions opened = new StreamPositions(settings.positions());
        try
        {
            opened.open();
        }
        catch (final IOException | RuntimeException e)
        {
            opened.close();
            final String message = FileErrorCode.SOURCE_POSITIONS.message("the stored positions cannot be used, " +
                "stage=" + settings.stageName() + " file=" + settings.positions() + " reason=" + e,
                "restore the file or correct the permissions; use a file for each source");
            throw e instanceof BindException ? (IOException)new BindException(message).initCause(e) :
                new IOException(message, e);
        }
        positions = opened;
        loop = loop(type, columns, timeColumn);
    }

    private SourceLoop loop(final EventType type, final int[] columns, final int timeColumn)
    {
        final Clock clock = context == null ? Clock.SYSTEM : context.clock();
        final StageConditions conditions = context == null ? StageConditions.NONE : context.conditions();
        final RowBatch rows = new RowBatch(sender, counters::sent);
        final RowWriter writer = new RowWriter(rows.batch(), columns);
        final ReplayPace pace = settings.speed() == 0 ? null :
            new ReplayPace(rows.batch(), timeColumn, settings.timeUnitNs(), settings.speed(), clock);
        final FileSelector selector = selector();
        final RowIntake intake = new RowIntake(settings, rows, pace, sender, counters, clock);
        return new SourceLoop(settings, positions, selector, reader(type, rows.batch(), writer, columns, intake),
            intake, rows, pace, sender, counters, new Outage(conditions, counters::trouble, settings.maxRetryMillis()),
            new ReadFiles(settings, positions, selector, conditions), clock, settings.stageName() + "/files");
    }

    private FileReader reader(final EventType type, final EventBatch batch, final RowWriter writer, final int[] columns,
        final RowIntake intake)
    {
        final boolean isComplete = settings.mode() != SourceMode.TAIL;
        return switch (format)
        {
            case PARQUET -> new ParquetReader(settings, batch, writer, columns, intake);
            case JSON -> new LineReader(settings, isComplete,
                new JsonDecoder(writer, type, settings.isMissingNull()), writer, intake);
            case CSV -> new LineReader(settings, isComplete, new CsvDecoder(writer, type, columns,
                settings.hasHeader(), settings.hasHeader() && settings.columns() == null, settings.separator(),
                settings.nullText(), settings.isMissingNull()), writer, intake);
        };
    }

    private FileSelector selector()
    {
        final boolean isAppended = format != Format.PARQUET;
        return switch (settings.mode())
        {
            case ONCE -> new SingleFileSelector(settings.path(), settings.repeat(), isAppended, positions);
            case TAIL -> new FollowedFileSelector(settings.path(), settings.isFromEnd(), positions);
            default -> new DirectorySelector(settings.path(), settings.pattern(), isAppended, positions);
        };
    }

    @Override
    public void run()
    {
        if (loop == null)
        {
            throw new IllegalStateException(FileErrorCode.NO_LISTENER.message("the source has no listener, stage=" +
                settings.stageName(), "add one, usually a channel"));
        }
        loop.run();
    }

    @Override
    public void suspend()
    {
        if (loop != null)
        {
            loop.stop();
        }
    }

    @Override
    public void beforeResume()
    {
        if (loop != null)
        {
            loop.allowRun();
        }
    }

    @Override
    public void destroy() throws IOException
    {
        suspend();
        if (positions != null)
        {
            positions.close();
        }
    }

    @Override
    public Map<String, Object> statistics()
    {
        return counters.snapshot();
    }
}

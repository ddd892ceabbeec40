package dev.millrace.adapter.file.outbound;

import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.adapter.common.encode.RowFormat;
import dev.millrace.adapter.file.property.FileErrorCode;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sink that appends events to a file as lines. The module's README.md describes its properties.
 *
 * <p>Threads: the channel's thread formats and writes ({@link RowAppender}); another thread waits for the disk, stores
 * the numbers of rows, and compresses rotated files ({@link DiskCommitter}). Failure: deployment fails if a property
 * is wrong or the file cannot be opened; rows that cannot be written wait if their numbers are stored, otherwise they
 * are rejected.
 */
public final class FileSink implements Adapter, SequencedSink, StageContextAware, InitializingBean, ActivatableBean,
    DisposableBean, StatisticsSource
{
    private static final Logger LOG = LoggerFactory.getLogger(FileSink.class);

    private final RowFormat format;
    private final SinkProperties properties = new SinkProperties();
    private String eventTypeName;
    private StageContext context;
    private SinkSettings settings;
    private EventFormatter formatter;
    private volatile RowAppender appender;
    private DiskCommitter committer;

    /** @param format of this sink only */
    public FileSink(final RowFormat format)
    {
        this.format = format;
    }

    /** The file. Required. */
    public void setFile(final String file)
    {
        properties.file = file;
    }

    /** The properties to write, separated by commas; default: all. */
    public void setColumns(final String names)
    {
        properties.format.columns = names;
    }

    /** The event type. Optional: if set, deployment checks {@code columns}. */
    public void setEventTypeName(final String name)
    {
        eventTypeName = name;
    }

    /** Whether files of CSV begin with the names of the columns; default true. */
    public void setHeader(final boolean header)
    {
        properties.format.header = header;
    }

    /** The separator of CSV: a character or {@code tab}; default a comma. */
    public void setSeparator(final String separator)
    {
        properties.format.separator = separator;
    }

    /** The name of a further column for the time of rows; default none. */
    public void setTimeColumn(final String name)
    {
        properties.format.timeColumn = name;
    }

    /** The name of a further column for INSERT, DELETE or UPDATE; required for relations. */
    public void setKindColumn(final String name)
    {
        properties.format.kindColumn = name;
    }

    /** Whether rows of durable processors are written exactly once; default false. */
    public void setExactlyOnce(final boolean exactlyOnce)
    {
        properties.exactlyOnce = exactlyOnce;
    }

    /** The time between two writes to the disk; default 200. */
    public void setCommitMillis(final int millis)
    {
        properties.commitMillis = millis;
    }

    /** The size from which the file is rotated, such as 100m; default none. */
    public void setRotateSize(final String size)
    {
        properties.rotateSize = size;
    }

    /** The age from which the file is rotated; default 0 = none. */
    public void setRotateMinutes(final int minutes)
    {
        properties.rotateMinutes = minutes;
    }

    /** Whether rotated files are compressed; default false. */
    public void setCompress(final boolean compress)
    {
        properties.compress = compress;
    }

    /** The number of rotated files that are kept; default 0 = all. */
    public void setKeepFiles(final int count)
    {
        properties.keepFiles = count;
    }

    @Override
    public void setStageContext(final StageContext given)
    {
        context = given;
    }

    @Override
    public void afterPropertiesSet()
    {
        settings = properties.check(context == null ? "application" : context.applicationName(),
            context == null ? "sink" : context.stageId());
        formatter = new EventFormatter(format, settings.format(), settings.check(), FileErrorCode.EVENTS);
    }

    /** Opens the file and starts the thread. */
    @Override
    public void afterConfigurationActive() throws IOException
    {
        formatter.check(context, eventTypeName);
        final StageConditions conditions = context == null ? StageConditions.NONE : context.conditions();
        final RowAppender opened = new RowAppender(settings, formatter, conditions, this::nowMs);
        final long bytes = opened.open();
        appender = opened;
        committer = new DiskCommitter(settings, opened, conditions);
        committer.start();
        LOG.info("file opened, stage={} file={} bytes={} exactlyOnce={}", settings.stageName(), settings.file(),
            bytes, settings.exactlyOnce());
    }

    private long nowMs()
    {
        return TimeUnit.NANOSECONDS.toMillis((context == null ? Clock.SYSTEM : context.clock()).epochNs());
    }

    @Override
    public void onBatch(final EventBatch batch) throws EventRejectedException
    {
        if (batch.size() > 0 && appender.append(batch))
        {
            committer.rotate();
        }
    }

    @Override
    public long receivedFrom(final String producer)
    {
        return settings.exactlyOnce() ? appender.stored().getOrDefault(producer, 0L) : NOT_STORED;
    }

    @Override
    public void destroy() throws IOException, InterruptedException
    {
        if (committer == null)
        {
            return;
        }
        committer.end();
        appender.close();
        LOG.info("sink ended, stage={} {}", settings.stageName(), statistics());
    }

    @Override
    public Map<String, Object> statistics()
    {
        final RowAppender open = appender;
        return open == null ? Map.of() : open.statistics();
    }
}

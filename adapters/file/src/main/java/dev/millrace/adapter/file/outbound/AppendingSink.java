package dev.millrace.adapter.file.outbound;

import dev.millrace.adapter.common.property.PropertyCheck;
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
 * Sink that appends events to a file, which is rotated. The module's README.md describes its properties.
 *
 * <p>Threads: the channel's thread encodes and writes ({@link RowAppender}); others wait for the disk and store the
 * numbers of rows ({@link DiskCommitter}), and compress or convert rotated files ({@link FileFinisher}). Failure:
 * deployment fails if a property is wrong or the file cannot be opened; rows that cannot be written wait if their
 * numbers are stored, otherwise they are rejected.
 */
public abstract class AppendingSink implements Adapter, SequencedSink, StageContextAware, InitializingBean,
    ActivatableBean, DisposableBean, StatisticsSource
{
    private static final Logger LOG = LoggerFactory.getLogger(AppendingSink.class);

    final SinkProperties properties = new SinkProperties();
    private String eventTypeName;
    private StageContext context;
    private SinkSettings settings;
    private RowEncoding encoding;
    private volatile RowAppender appender;
    private DiskCommitter committer;
    private FileFinisher finisher;

    AppendingSink()
    {
        // In this package only.
    }

    /** The file. Required. */
    public final void setFile(final String file)
    {
        properties.file = file;
    }

    /** The properties to write, separated by commas; default: all. */
    public final void setColumns(final String names)
    {
        properties.format.columns = names;
    }

    /** The event type. Optional: if set, deployment checks {@code columns}. */
    public final void setEventTypeName(final String name)
    {
        eventTypeName = name;
    }

    /** The name of a further column for the time of rows; default none. */
    public final void setTimeColumn(final String name)
    {
        properties.format.timeColumn = name;
    }

    /** The name of a further column for INSERT, DELETE or UPDATE; required for relations. */
    public final void setKindColumn(final String name)
    {
        properties.format.kindColumn = name;
    }

    /** Whether rows of durable processors are written exactly once; default false. */
    public final void setExactlyOnce(final boolean exactlyOnce)
    {
        properties.exactlyOnce = exactlyOnce;
    }

    /** The time between two writes to the disk; default 200. */
    public final void setCommitMillis(final int millis)
    {
        properties.commitMillis = millis;
    }

    /** The size from which the file is rotated, such as 100m. */
    public final void setRotateSize(final String size)
    {
        properties.rotateSize = size;
    }

    /** The age from which the file is rotated; 0 = none. */
    public final void setRotateMinutes(final int minutes)
    {
        properties.rotateMinutes = minutes;
    }

    /** The number of rotated files that are kept; default 0 = all. */
    public final void setKeepFiles(final int count)
    {
        properties.keepFiles = count;
    }

    @Override
    public final void setStageContext(final StageContext given)
    {
        context = given;
    }

    @Override
    public final void afterPropertiesSet()
    {
        final PropertyCheck check = SinkProperties.check(context);
        encoding = open(check);
        settings = properties.check(check, appended(), finished());
    }

    /**
     * Checks the further properties.
     *
     * @return how rows are encoded
     * @throws IllegalArgumentException if a property is wrong
     */
    abstract RowEncoding open(PropertyCheck check);

    /** Suffix of the name of the file while rows are appended. */
    abstract String appended();

    /** Suffix of the name of a rotated file in its last form. */
    abstract String finished();

    /** How rotated files get their last form; {@code null} if they have it. */
    abstract FileConversion conversion();

    /** Opens the file and starts the threads. */
    @Override
    public final void afterConfigurationActive() throws IOException
    {
        encoding.check(context, eventTypeName);
        final StageConditions conditions = context == null ? StageConditions.NONE : context.conditions();
        final RowAppender opened = new RowAppender(settings, encoding, conditions, this::nowMs);
        final long bytes = opened.open();
        appender = opened;
        committer = new DiskCommitter(settings, opened);
        committer.start();
        finisher = new FileFinisher(settings, opened, conditions, conversion());
        finisher.start();
        LOG.info("file opened, stage={} file={} bytes={} exactlyOnce={}", settings.stageName(), settings.file(),
            bytes, settings.exactlyOnce());
    }

    private long nowMs()
    {
        return TimeUnit.NANOSECONDS.toMillis((context == null ? Clock.SYSTEM : context.clock()).epochNs());
    }

    @Override
    public final void onBatch(final EventBatch batch) throws EventRejectedException
    {
        if (batch.size() > 0 && appender.append(batch))
        {
            awaitRoom();
            committer.rotate();
        }
    }

    private void awaitRoom()
    {
        try
        {
            if (settings.names().isConverted())
            {
                appender.awaitRoom();
            }
        }
        catch (final InterruptedException e)
        {
            // The file is rotated without waiting.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public final long receivedFrom(final String producer)
    {
        return settings.exactlyOnce() ? appender.stored().getOrDefault(producer, 0L) : NOT_STORED;
    }

    @Override
    public final void destroy() throws IOException, InterruptedException
    {
        if (committer == null)
        {
            return;
        }
        try
        {
            committer.end();
        }
        finally
        {
            end();
        }
        LOG.info("sink ended, stage={} {}", settings.stageName(), statistics());
    }

    /** Ends what an interrupt of the committer's end leaves; the file is unlocked in any case. */
    private void end() throws IOException, InterruptedException
    {
        try
        {
            finisher.end();
        }
        finally
        {
            appender.close();
        }
    }

    @Override
    public final Map<String, Object> statistics()
    {
        final RowAppender open = appender;
        return open == null ? Map.of() : open.statistics();
    }
}

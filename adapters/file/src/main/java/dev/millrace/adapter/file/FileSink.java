package dev.millrace.adapter.file;

import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
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
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sink that appends events to a file as lines. The module's README.md describes its properties.
 *
 * <p>Threads: the channel's thread formats and writes; a thread of this object waits for the disk, stores the numbers
 * of rows, and compresses rotated files. Failure: deployment fails if a property is wrong or the file cannot be opened;
 * rows that cannot be written wait if their numbers are stored, otherwise they are rejected.
 */
public final class FileSink implements Adapter, SequencedSink, StageContextAware, InitializingBean, ActivatableBean,
    DisposableBean, StatisticsSource
{
    private static final Logger LOG = LoggerFactory.getLogger(FileSink.class);
    private static final long RETRY_MS = 500;
    private static final long END_MS = TimeUnit.SECONDS.toMillis(60);

    private final RowFormat format;
    private final SinkProperties properties = new SinkProperties();
    private String eventTypeName;
    private StageContext context;
    private SinkSettings settings;
    private EventFormatter formatter;
    private StageConditions conditions = StageConditions.NONE;
    private RotatedFiles rotated;
    private Thread thread;
    /** Held while positions are stored or a file is rotated; taken before the monitor of this object. */
    private final Object commit = new Object();
    /** Numbers that the disk contains, by name of the producer. */
    private volatile Map<String, Long> stored = Map.of();
    /** Guarded by this, like all that follows. */
    private OutputFile file;
    private Map<String, Long> accepted = new HashMap<>();
    private String foundHeader;
    private boolean isHeaderChecked;
    private boolean isDirty;
    private boolean isTidy;
    private boolean isEnding;
    private String broken;
    private long written;
    private long dropped;
    private long rejected;
    private long commits;

    FileSink(final RowFormat format)
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
        formatter = new EventFormatter(format, settings.format(), settings.stageName());
    }

    /** Opens the file and starts the thread. */
    @Override
    public void afterConfigurationActive() throws IOException
    {
        conditions = context == null ? StageConditions.NONE : context.conditions();
        formatter.check(context, eventTypeName);
        final OutputFile opened = new OutputFile(settings);
        try
        {
            final PositionFile found = settings.exactlyOnce() ? readPositions() : null;
            opened.open(found, nowMs());
            if (settings.exactlyOnce())
            {
                stored = found == null ? Map.of() : found.producers();
                opened.positions(stored).write(settings.positions());
            }
            foundHeader = opened.firstLine();
        }
        catch (final IOException e)
        {
            opened.close();
            throw e.getMessage() != null && e.getMessage().startsWith("FIL-") ? e : new IOException(
                FileErrorCode.OPEN.message("the file cannot be opened, stage=" + settings.stageName() + " file=" +
                settings.file() + " reason=" + e, "correct the path or the permissions"), e);
        }
        accepted = new HashMap<>(stored);
        file = opened;
        rotated = new RotatedFiles(settings);
        thread = new Thread(this::commitLoop, "millrace-file-" + settings.stageName());
        thread.setDaemon(true);
        thread.start();
        LOG.info("file opened, stage={} file={} bytes={} exactlyOnce={}", settings.stageName(), settings.file(),
            opened.length(), settings.exactlyOnce());
    }

    private long nowMs()
    {
        return TimeUnit.NANOSECONDS.toMillis((context == null ? Clock.SYSTEM : context.clock()).epochNs());
    }

    private PositionFile readPositions() throws IOException
    {
        try
        {
            return PositionFile.read(settings.positions());
        }
        catch (final IOException | RuntimeException e)
        {
            throw new IOException(FileErrorCode.POSITIONS.message("the stored positions cannot be read, file=" +
                settings.positions() + " reason=" + e.getMessage(), "restore the file; or delete it: rows may then " +
                "be missing or repeated once"), e);
        }
    }

    @Override
    public void onBatch(final EventBatch batch) throws EventRejectedException
    {
        if (batch.size() == 0)
        {
            return;
        }
        final boolean isDue;
        synchronized (this)
        {
            add(batch);
            isDue = file.isDue(nowMs());
        }
        if (isDue)
        {
            rotate();
        }
    }

    private void add(final EventBatch batch) throws EventRejectedException
    {
        final int[] rows = new int[batch.size()];
        final Map<String, Long> numbers = new HashMap<>();
        final int count = select(batch, rows, numbers);
        dropped += batch.size() - count;
        if (count == 0)
        {
            return;
        }
        if (broken != null)
        {
            throw rejection(count, broken, null);
        }
        map(batch, count);
        append(batch, rows, count);
        accepted.putAll(numbers);
        written += count;
        isDirty = true;
        notifyAll();
    }

    /** Selects the rows that were not accepted before; returns their number. */
    private int select(final EventBatch batch, final int[] rows, final Map<String, Long> numbers)
    {
        int count = 0;
        for (int row = 0; row < rows.length; row++)
        {
            final long sequence = !settings.exactlyOnce() || !batch.hasSequences() ? RowSequence.NONE :
                batch.sequences()[row];
            if (sequence == RowSequence.NONE)
            {
                rows[count++] = row;
                continue;
            }
            final String producer = Producers.name(RowSequence.producer(sequence));
            final long number = RowSequence.number(sequence);
            if (number > numbers.getOrDefault(producer, accepted.getOrDefault(producer, 0L)))
            {
                rows[count++] = row;
                numbers.put(producer, number);
            }
        }
        return count;
    }

    private void map(final EventBatch batch, final int count) throws EventRejectedException
    {
        try
        {
            formatter.map(batch);
        }
        catch (final EventRejectedException e)
        {
            rejected += count;
            throw e;
        }
    }

    private EventRejectedException rejection(final int count, final String message, final IOException cause)
    {
        rejected += count;
        return new EventRejectedException(message, cause);
    }

    private void append(final EventBatch batch, final int[] rows, final int count) throws EventRejectedException
    {
        final StringBuilder lines = new StringBuilder();
        for (int i = 0; i < count; i++)
        {
            formatter.append(batch, rows[i], lines);
        }
        boolean isWaiting = true;
        while (isWaiting)
        {
            try
            {
                checkHeader();
                file.append(StandardCharsets.UTF_8.encode(file.length() > 0 || formatter.header() == null ?
                    lines.toString() : formatter.header() + '\n' + lines));
                conditions.clear(FileErrorCode.WRITE.text());
                isWaiting = false;
            }
            catch (final IOException e)
            {
                final String message = FileErrorCode.WRITE.message("rows cannot be written, stage=" +
                    settings.stageName() + " file=" + settings.file() + " reason=" + e.getMessage(),
                    settings.exactlyOnce() ? "free space: the rows wait" : "free space: these rows are rejected");
                conditions.raise(FileErrorCode.WRITE.text(), message);
                pause(count, message, e);
            }
        }
    }

    /** A file with other columns, of an earlier version of the application, is rotated. */
    private void checkHeader() throws IOException
    {
        if (isHeaderChecked)
        {
            return;
        }
        if (foundHeader != null && formatter.header() != null && !foundHeader.equals(formatter.header()))
        {
            file.channel().force(true);
            if (settings.exactlyOnce())
            {
                file.positions(stored).write(settings.positions());
            }
            LOG.info("the file has other columns and is rotated, stage={} file={} rotated={}", settings.stageName(),
                settings.file(), file.rotate(nowMs()));
            if (settings.exactlyOnce())
            {
                file.positions(stored).write(settings.positions());
            }
            isTidy = false;
        }
        isHeaderChecked = true;
    }

    /** Lets rows with stored numbers wait until they can be written; rejects others. */
    private void pause(final int count, final String message, final IOException cause) throws EventRejectedException
    {
        try
        {
            if (settings.exactlyOnce() && !isEnding)
            {
                wait(RETRY_MS);
                return;
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        throw rejection(count, message, cause);
    }

    private void rotate()
    {
        synchronized (commit)
        {
            synchronized (this)
            {
                if (broken != null || !file.isDue(nowMs()))
                {
                    return;
                }
                try
                {
                    file.channel().force(true);
                    final Map<String, Long> numbers = Map.copyOf(accepted);
                    if (settings.exactlyOnce())
                    {
                        file.positions(numbers).write(settings.positions());
                        stored = numbers;
                    }
                    final Path to = file.rotate(nowMs());
                    isHeaderChecked = true;
                    isDirty = true;
                    isTidy = false;
                    LOG.info("file rotated, stage={} rotated={}", settings.stageName(), to);
                    notifyAll();
                }
                catch (final IOException e)
                {
                    conditions.raise(FileErrorCode.ROTATED.text(), FileErrorCode.ROTATED.message(
                        "the file cannot be rotated, stage=" + settings.stageName() + " file=" + settings.file() +
                        " reason=" + e.getMessage(), "correct the cause: rows are written to the same file"));
                }
            }
        }
    }

    private void commitLoop()
    {
        try
        {
            while (awaitWork())
            {
                TimeUnit.MILLISECONDS.sleep(settings.commitMillis());
                commit();
                tidy();
                if (isDue())
                {
                    rotate();
                }
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isDue()
    {
        return file.isDue(nowMs());
    }

    private synchronized boolean awaitWork() throws InterruptedException
    {
        while (!isEnding && (!isDirty || broken != null) && isTidy)
        {
            wait(settings.rotateMillis() > 0 ? RETRY_MS : 0);
            if (isDue())
            {
                break;
            }
        }
        return !isEnding;
    }

    /** Waits until the disk contains the rows, then stores their numbers. */
    private void commit()
    {
        synchronized (commit)
        {
            final FileChannel channel;
            final PositionFile now;
            synchronized (this)
            {
                if (!isDirty || broken != null)
                {
                    return;
                }
                isDirty = false;
                channel = file.channel();
                now = file.positions(accepted);
            }
            try
            {
                channel.force(false);
                if (settings.exactlyOnce())
                {
                    now.write(settings.positions());
                    stored = now.producers();
                }
                count();
            }
            catch (final ClosedChannelException e)
            {
                // The sink has ended, which has committed.
            }
            catch (final IOException e)
            {
                fail(e);
            }
        }
    }

    private synchronized void count()
    {
        commits++;
    }

    /** After a failed write to the disk, the operating system does not tell which bytes it contains. */
    private synchronized void fail(final IOException e)
    {
        final String message = FileErrorCode.SYNC.message("the disk has not confirmed rows, stage=" +
            settings.stageName() + " file=" + settings.file() + " reason=" + e.getMessage(), "correct the cause and " +
            "restart the application, which " + (settings.exactlyOnce() ? "writes the unconfirmed rows again" :
            "continues the file; the last rows may be missing"));
        broken = message;
        conditions.raise(FileErrorCode.SYNC.text(), message);
        LOG.error(message);
        notifyAll();
    }

    private void tidy()
    {
        final int last;
        synchronized (this)
        {
            if (isTidy)
            {
                return;
            }
            isTidy = true;
            last = file.number() - 1;
        }
        try
        {
            rotated.tidy(last);
            conditions.clear(FileErrorCode.ROTATED.text());
        }
        catch (final IOException e)
        {
            conditions.raise(FileErrorCode.ROTATED.text(), FileErrorCode.ROTATED.message("a rotated file cannot be " +
                "compressed or deleted, stage=" + settings.stageName() + " reason=" + e,
                "free space or correct the permissions: it is tried again after the next rotation"));
        }
    }

    @Override
    public long receivedFrom(final String producer)
    {
        return settings.exactlyOnce() ? stored.getOrDefault(producer, 0L) : NOT_STORED;
    }

    @Override
    public void destroy() throws IOException, InterruptedException
    {
        if (thread == null)
        {
            return;
        }
        synchronized (this)
        {
            isEnding = true;
            notifyAll();
        }
        thread.join(END_MS);
        commit();
        final OutputFile open = file;
        synchronized (this)
        {
            open.close();
        }
        LOG.info("sink ended, stage={} {}", settings.stageName(), statistics());
    }

    @Override
    public synchronized Map<String, Object> statistics()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("written", written);
        figures.put("repeated", dropped);
        figures.put("rejected", rejected);
        figures.put("commits", commits);
        figures.put("fileBytes", file == null ? 0 : file.length());
        figures.put("rotatedFiles", file == null ? 0 : file.number() - 1);
        figures.put("trouble", broken == null ? "" : broken);
        return figures;
    }
}

package dev.millrace.cql.processor.generated;

import dev.millrace.api.process.FileHandles;
import dev.millrace.api.time.Clock;
import dev.millrace.cql.compiler.ClassStore;
import dev.millrace.cql.processor.ProcessorErrors;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps generated classes in files below the domain. Reads on the thread that asks; writes on one of its own with low
 * priority, which ends when there is nothing to write. Safe for all threads.
 *
 * <p>Failure: a file that is damaged, or cannot be read, is logged, counts as none and is replaced; when nothing can be
 * written that is logged once, and each start compiles.
 */
public final class GeneratedClasses implements ClassStore
{
    /** More files are not kept; those used longest ago go. A processor needs one for each class of its plan. */
    public static final int MAX_FILES = 512;

    /** More that waits to be written is not kept. */
    private static final String WRITABLE = "make the directory writable for the owner of this process alone";
    private static final int MAX_WAITING = 256;

    private static final long IDLE_SECONDS = 2;

    /** Nobody writes one file for so long. */
    private static final long UNFINISHED_NS = TimeUnit.MINUTES.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(GeneratedClasses.class);

    private final ClassDirectory directory;
    private final Supplier<String> build;
    private final Clock clock;
    private final ThreadPoolExecutor writer;
    private final AtomicBoolean complained = new AtomicBoolean();
    private String knownBuild;

    /**
     * Keeps classes.
     *
     * @param directory where; made when the first class is kept
     * @param build     names the build that compiles, asked once; empty when it is not known and nothing is to be kept
     * @param maxFiles  how many files there are at most
     * @param clock     says which file was used last
     */
    public GeneratedClasses(final Path directory, final Supplier<String> build, final int maxFiles, final Clock clock)
    {
        this.directory = new ClassDirectory(directory, maxFiles);
        this.build = build;
        this.clock = clock;
        writer = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING),
            task ->
            {
                final Thread thread = new Thread(task, "millrace-generated-classes");
                thread.setDaemon(true);
                thread.setPriority(Thread.MIN_PRIORITY);
                return thread;
            });
        writer.allowCoreThreadTimeOut(true);
    }

    /** The key of a text; {@code null} when nothing can be kept. */
    private ClassKey key(final String className, final String javaText)
    {
        final String known = build();
        return known.isEmpty() ? null : ClassKey.of(known, className, javaText);
    }

    private synchronized String build()
    {
        if (knownBuild == null)
        {
            knownBuild = isUsable() ? build.get() : "";
            if (!knownBuild.isEmpty())
            {
                final FileTime before = FileTime.from(clock.epochNs() - UNFINISHED_NS, TimeUnit.NANOSECONDS);
                later("tidy up", () -> directory.removeUnfinished(before));
            }
        }
        return knownBuild;
    }

    private boolean isUsable()
    {
        try
        {
            final String problem = directory.problem();
            if (problem != null)
            {
                complain("open", problem, WRITABLE);
            }
            return problem == null;
        }
        catch (final IOException failure)
        {
            complain("open", failure.toString(), FileHandles.hint(failure, WRITABLE));
            return false;
        }
    }

    @Override
    public Map<String, byte[]> find(final String className, final String javaText)
    {
        final ClassKey key = key(className, javaText);
        if (key == null)
        {
            return null;
        }
        final String name = key.fileName();
        try
        {
            final Map<String, byte[]> classFiles = ClassFileForm.read(key, directory.read(name));
            final FileTime now = FileTime.from(clock.epochNs(), TimeUnit.NANOSECONDS);
            later("touch", () -> directory.used(name, now));
            return classFiles;
        }
        catch (final NoSuchFileException none)
        {
            return null;
        }
        catch (final IOException | RuntimeException failure)
        {
            damaged(className, name, failure);
            return null;
        }
    }

    @Override
    public void refused(final String className, final String javaText, final Throwable reason)
    {
        final ClassKey key = key(className, javaText);
        damaged(className, key == null ? "-" : key.fileName(), reason);
    }

    private void damaged(final String className, final String name, final Throwable reason)
    {
        LOG.warn("{}: a file of kept classes cannot be used, file={} class={} reason={}; the rules are compiled and " +
            "the file is written anew; {}", ProcessorErrors.CLASSES_DAMAGED, directory.file(name), className,
            reason.toString(), FileHandles.hint(reason,
                "if it comes again look at the disk and at who else writes there"));
    }

    @Override
    public void keep(final String className, final String javaText, final Map<String, byte[]> classFiles)
    {
        final ClassKey key = key(className, javaText);
        if (key != null)
        {
            later("write", () -> write(className, key, classFiles));
        }
    }

    private void write(final String className, final ClassKey key, final Map<String, byte[]> classFiles)
        throws IOException
    {
        final byte[] content = ClassFileForm.write(key, classFiles);
        if (content.length > ClassDirectory.MAX_FILE_BYTES)
        {
            LOG.info("classes are too long to be kept, each start compiles them, class={} bytes={} limit={}", className,
                content.length, ClassDirectory.MAX_FILE_BYTES);
            return;
        }
        directory.write(key.fileName(), content);
    }

    /** Something with files. */
    @FunctionalInterface
    private interface Work
    {
        void run() throws IOException;
    }

    private void later(final String what, final Work work)
    {
        try
        {
            writer.execute(() -> run(what, work));
        }
        catch (final RejectedExecutionException full)
        {
            if (!writer.isShutdown())
            {
                complain(what, "more than " + MAX_WAITING + " wait", "look at the speed of the disk");
            }
            // A bundle that stops loses a file at most that the next start makes.
        }
    }

    private void run(final String what, final Work work)
    {
        try
        {
            work.run();
        }
        catch (final IOException | RuntimeException failure)
        {
            complain(what, failure.toString(), FileHandles.hint(failure, WRITABLE));
        }
    }

    private void complain(final String what, final String reason, final String hint)
    {
        if (complained.compareAndSet(false, true))
        {
            LOG.warn("{}: generated classes cannot be kept, directory={} step={} reason={}; rules run, each start " +
                "compiles them; {}", ProcessorErrors.CLASSES_NOT_KEPT, directory.file(""), what, reason, hint);
        }
    }

    /**
     * Takes nothing more and waits for what is being written.
     *
     * @param waitMs how long at most
     * @return whether all is written
     * @throws InterruptedException when interrupted
     */
    public boolean close(final long waitMs) throws InterruptedException
    {
        writer.shutdown();
        return writer.awaitTermination(waitMs, TimeUnit.MILLISECONDS);
    }
}

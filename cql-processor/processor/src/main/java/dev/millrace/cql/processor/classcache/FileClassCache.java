package dev.millrace.cql.processor.classcache;

import dev.millrace.api.process.FileHandles;
import dev.millrace.api.time.Clock;
import dev.millrace.cql.compiler.janino.ClassCache;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
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
 * Caches generated classes in files below the domain. Reads on the calling thread; writes on a dedicated low-priority
 * thread, which ends when there is nothing to write. Thread-safe.
 *
 * <p>Failure: a file that is damaged or cannot be read is logged, ignored and replaced; when nothing can be written,
 * this is logged once, and each start compiles.
 */
public final class FileClassCache implements ClassCache
{
    /**
     * Maximum number of files; the least recently used ones are deleted. A processor needs one for each class of its
     * plan.
     */
    public static final int MAX_FILES = 512;

    private static final String WRITABLE = "make the directory writable only for the owner of this process";
    /** Maximum number of queued writes; further ones are dropped. */
    private static final int MAX_WAITING = 256;

    private static final long IDLE_SECONDS = 2;

    /** No write of a file takes that long. */
    private static final long UNFINISHED_NS = TimeUnit.MINUTES.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(FileClassCache.class);

    private final ClassDirectory directory;
    private final Supplier<String> build;
    private final Clock clock;
    private final ThreadPoolExecutor writer;
    private final AtomicBoolean complained = new AtomicBoolean();
    private String knownBuild;

    /**
     * @param directory path; created with the first file
     * @param build     returns the build that compiles, called once; empty if it is unknown and nothing can be cached
     * @param maxFiles  maximum number of files
     * @param clock     time of the last use of files
     */
    public FileClassCache(final Path directory, final Supplier<String> build, final int maxFiles, final Clock clock)
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

    /** The key of a source text; {@code null} if nothing can be cached. */
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
            final Map<String, byte[]> classFiles = ClassFileFormat.read(key, directory.read(name));
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
        LOG.warn("{}: a class cache file cannot be used, file={} class={} reason={}; the rules are compiled and " +
            "the file is written again; {}", ProcessorErrorCode.CLASSES_DAMAGED, directory.file(name), className,
            reason.toString(), FileHandles.hint(reason,
                "if this recurs, check the disk and other writers to the directory"));
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
        final byte[] content = ClassFileFormat.write(key, classFiles);
        if (content.length > ClassDirectory.MAX_FILE_BYTES)
        {
            LOG.info("classes are too large to be cached, each start compiles them, class={} bytes={} limit={}",
                className, content.length, ClassDirectory.MAX_FILE_BYTES);
            return;
        }
        directory.write(key.fileName(), content);
    }

    /** A task that accesses files. */
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
                complain(what, "more than " + MAX_WAITING + " wait", "check the speed of the disk");
            }
            // A stopping bundle loses at most a file that the next start creates.
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
            LOG.warn("{}: generated classes cannot be cached, directory={} step={} reason={}; rules run, each start " +
                "compiles them; {}", ProcessorErrorCode.CLASSES_NOT_KEPT, directory.file(""), what, reason, hint);
        }
    }

    /**
     * Accepts no more classes and waits for pending writes.
     *
     * @param waitMs maximum time to wait
     * @return whether everything is written
     * @throws InterruptedException when interrupted
     */
    public boolean close(final long waitMs) throws InterruptedException
    {
        writer.shutdown();
        return writer.awaitTermination(waitMs, TimeUnit.MILLISECONDS);
    }
}

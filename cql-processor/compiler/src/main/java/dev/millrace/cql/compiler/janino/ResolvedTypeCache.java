package dev.millrace.cql.compiler.janino;

import java.lang.ref.SoftReference;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.codehaus.janino.ClassLoaderIClassLoader;

/**
 * The types of a class loader as Janino sees them, with their methods and with the names that are no types. One
 * compilation after another uses them: to resolve them again took more than a third of the time of a compilation.
 *
 * <p>Used by one compilation at a time: {@link #take} and {@link #giveBack} are thread-safe, everything else is not.
 * Bounded: discarded after a number of compilations, because each may add names, and when memory is short.
 */
final class ResolvedTypeCache extends ClassLoaderIClassLoader
{
    private static final int MOST_COMPILATIONS = 2_000;
    private static final Deque<SoftReference<ResolvedTypeCache>> IDLE = new ConcurrentLinkedDeque<>();

    private int compilations;

    private ResolvedTypeCache(final ClassLoader loader)
    {
        super(loader);
    }

    /**
     * Takes the types of a class loader for one compilation.
     *
     * @param loader nearly always the one of the runtime, so that no other is looked for
     */
    static ResolvedTypeCache take(final ClassLoader loader)
    {
        final SoftReference<ResolvedTypeCache> idle = IDLE.poll();
        final ResolvedTypeCache types = idle == null ? null : idle.get();
        return types != null && types.getClassLoader() == loader ? types : new ResolvedTypeCache(loader);
    }

    /** Offers the types to the next compilation; not after a failure. */
    void giveBack()
    {
        if (++compilations < MOST_COMPILATIONS)
        {
            IDLE.push(new SoftReference<>(this));
        }
    }
}

package dev.millrace.cql.compiler;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Creates one class for all texts that are equal, as long as something uses it: queries that differ only in literals
 * and names share a class, its compiled code and its class loader, whichever processor they belong to. Generated
 * classes have no static state, so sharing is invisible.
 *
 * <p>Thread-safe; two threads that request the same source text at the same time may both make a class. Bounded by the
 * classes that are in use.
 */
final class SharedClassMaker implements ClassMaker
{
    private final ClassMaker maker;
    private final Map<String, Made> classes = new ConcurrentHashMap<>();
    private final ReferenceQueue<Class<?>> unloaded = new ReferenceQueue<>();

    SharedClassMaker(final ClassMaker maker)
    {
        this.maker = maker;
    }

    @Override
    public Class<?> make(final String className, final String javaText, final ClassLoader parent)
    {
        for (Object gone = unloaded.poll(); gone != null; gone = unloaded.poll())
        {
            classes.remove(((Made)gone).javaText, gone);
        }
        final Made known = classes.get(javaText);
        final Class<?> shared = known == null ? null : known.get();
        if (shared != null && shared.getName().equals(className) && shared.getClassLoader().getParent() == parent)
        {
            return shared;
        }
        final Class<?> made = maker.make(className, javaText, parent);
        classes.put(javaText, new Made(made, javaText));
        return made;
    }

    /** A class and the text that it was made from. */
    private final class Made extends WeakReference<Class<?>>
    {
        private final String javaText;

        Made(final Class<?> type, final String javaText)
        {
            super(type, unloaded);
            this.javaText = javaText;
        }
    }
}

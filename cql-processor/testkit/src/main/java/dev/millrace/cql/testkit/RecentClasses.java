package dev.millrace.cql.testkit;

import dev.millrace.cql.compiler.janino.ClassCompiler;
import dev.millrace.cql.compiler.janino.JaninoClassCompiler;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps the generated classes that were used last, so that the runs of one case, each with its own engine, share them:
 * more than half of the sources of a differential test are repeats. Thread-safe.
 */
final class RecentClasses implements ClassCompiler
{
    /** Shared by all runs of this process. */
    static final RecentClasses SHARED = new RecentClasses();

    private static final int MOST = 1_000;

    private final ClassCompiler compiler = new JaninoClassCompiler();
    /** A class is shared as long as it is referenced; the values are not used. */
    private final Map<Class<?>, Boolean> recent = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true)
    {
        @Override
        protected boolean removeEldestEntry(final Map.Entry<Class<?>, Boolean> eldest)
        {
            return size() > MOST;
        }
    });

    @Override
    public Class<?> make(final String className, final String javaText, final ClassLoader parent)
    {
        final Class<?> made = compiler.make(className, javaText, parent);
        recent.put(made, true);
        return made;
    }
}

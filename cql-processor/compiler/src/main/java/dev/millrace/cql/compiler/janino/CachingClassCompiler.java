package dev.millrace.cql.compiler.janino;

import java.util.Map;

/**
 * Creates classes from stored class files, or compiles when none are stored. Both paths define classes in the same way:
 * in a separate class loader below the given one, checked by the Java verifier.
 *
 * <p>Thread-safe; two threads that request the same source text at the same time may both compile it.
 */
final class CachingClassCompiler implements ClassCompiler
{
    private final SourceCompiler compiler;
    private final ClassCache store;

    CachingClassCompiler(final SourceCompiler compiler, final ClassCache store)
    {
        this.compiler = compiler;
        this.store = store;
    }

    @Override
    public Class<?> make(final String className, final String javaText, final ClassLoader parent)
    {
        final Map<String, byte[]> kept = store.find(className, javaText);
        if (kept != null)
        {
            try
            {
                return new Loader(parent, kept).loadClass(className);
            }
            catch (final ClassNotFoundException | LinkageError refused)
            {
                store.refused(className, javaText, refused);
            }
        }
        final Map<String, byte[]> made = compiler.compile(className, javaText, parent);
        try
        {
            final Class<?> type = new Loader(parent, made).loadClass(className);
            store.keep(className, javaText, made);
            return type;
        }
        catch (final ClassNotFoundException missing)
        {
            throw failure(className, missing);
        }
    }

    static IllegalStateException failure(final String className, final Throwable cause)
    {
        return new IllegalStateException("generated class does not compile, please report this with the rules: " +
            "class=" + className + ": " + cause.getMessage(), cause);
    }

    /** Loads the classes of one source text. */
    private static final class Loader extends ClassLoader
    {
        private final Map<String, byte[]> classFiles;

        Loader(final ClassLoader parent, final Map<String, byte[]> classFiles)
        {
            super(parent);
            this.classFiles = classFiles;
        }

        @Override
        protected Class<?> findClass(final String name) throws ClassNotFoundException
        {
            final byte[] bytes = classFiles.get(name);
            if (bytes == null)
            {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length, CachingClassCompiler.class.getProtectionDomain());
        }
    }
}

package dev.millrace.cql.compiler.janino;

import java.nio.file.Path;

/**
 * Creates classes by compiling with Janino, or from stored results of an earlier compilation; equal sources share a
 * class. If the system property {@value #SOURCES_PROPERTY} is set, every class is compiled, and its source file is
 * written to that directory. Thread-safe.
 */
public final class JaninoClassCompiler implements ClassCompiler
{
    /** A directory for the source files of generated classes, for debuggers. */
    public static final String SOURCES_PROPERTY = "millrace.generated.sources";

    private final ClassCompiler maker;

    public JaninoClassCompiler()
    {
        this(ClassCache.NONE);
    }

    /**
     * No class of Janino is loaded as long as the store finds the source text.
     *
     * @param store stores class files; the classes that a text refers to must be the same for every parent class loader
     */
    public JaninoClassCompiler(final ClassCache store)
    {
        final String directory = System.getProperty(SOURCES_PROPERTY);
        final Path sources = directory == null ? null : Path.of(directory);
        maker = new SharingClassCompiler(new CachingClassCompiler(
            (className, javaText, parent) -> new JaninoSourceCompiler(sources).compile(className, javaText, parent),
            sources == null ? store : ClassCache.NONE));
    }

    @Override
    public Class<?> make(final String className, final String javaText, final ClassLoader parent)
    {
        return maker.make(className, javaText, parent);
    }
}

package dev.millrace.cql.language;

/** Finds the Java classes that rules call into (the Java cartridge). Safe for all threads. */
@FunctionalInterface
public interface JavaClasses
{
    /** Knows no class at all. */
    JavaClasses NONE = name -> null;

    /**
     * Finds a class without initialising it.
     *
     * @param name fully qualified name, or the simple name of a class of {@code java.lang} or of the unnamed package;
     *             nested classes with {@code $}
     * @return the class, or {@code null} when there is none or the class-space policy hides it
     */
    Class<?> find(String name);

    /**
     * All classes of a class loader.
     *
     * @param loader loader, with those that it asks
     * @return finder
     */
    static JavaClasses of(final ClassLoader loader)
    {
        return name ->
        {
            final Class<?> found = name.indexOf('.') < 0 ? load(loader, "java.lang." + name) : null;
            return found == null ? load(loader, name) : found;
        };
    }

    private static Class<?> load(final ClassLoader loader, final String name)
    {
        try
        {
            return Class.forName(name, false, loader);
        }
        // A name in other case than that of the file is a linkage error where files ignore case.
        catch (final ClassNotFoundException | LinkageError none)
        {
            return null;
        }
    }
}

package dev.millrace.cql.language;

/** Finds the Java classes that rules can call (the Java cartridge). Thread-safe. */
@FunctionalInterface
public interface JavaClasses
{
    /** Finds no class. */
    JavaClasses NONE = name -> null;

    /**
     * Finds a class without initializing it.
     *
     * @param name fully qualified name, or the simple name of a class of {@code java.lang} or of the unnamed package;
     *     nested classes with {@code $}
     * @return the class, or {@code null} if it does not exist or the class-space policy hides it
     */
    Class<?> find(String name);

    /** All classes of a class loader and its parents. */
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
        // On case-insensitive file systems, a name with different case than the file's causes a linkage error.
        catch (final ClassNotFoundException | LinkageError none)
        {
            return null;
        }
    }
}

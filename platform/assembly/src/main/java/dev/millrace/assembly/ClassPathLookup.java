package dev.millrace.assembly;

import java.util.Objects;
import java.util.function.Function;

/**
 * Finds the Java classes that rules name in one class loader; names without a package are also names of
 * {@code java.lang}. For applications outside of a server. Immutable.
 *
 * @param loader with the classes of the application
 */
public record ClassPathLookup(ClassLoader loader) implements Function<String, Class<?>>
{
    private static final String JAVA_LANG = "java.lang.";

    /** Checks the argument. */
    public ClassPathLookup
    {
        Objects.requireNonNull(loader, "loader");
    }

    /**
     * Finds a class.
     *
     * @param name its name in a rule
     * @return class; {@code null} if it does not exist
     */
    @Override
    public Class<?> apply(final String name)
    {
        final Class<?> ofLanguage = name.indexOf('.') < 0 ? load(JAVA_LANG + name) : null;
        return ofLanguage == null ? load(name) : ofLanguage;
    }

    private Class<?> load(final String name)
    {
        try
        {
            return Class.forName(name, false, loader);
        }
        catch (final ClassNotFoundException | LinkageError none)
        {
            return null;
        }
    }
}

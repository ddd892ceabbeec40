package dev.millrace.cql.processor.unit;

/**
 * Sets the bundle's class loader as the context class loader of the thread while Calcite and Janino run: both load
 * classes by name through it, and in a server the thread has the loader of the deploying code.
 */
public final class ContextClassLoaderScope
{
    private ContextClassLoaderScope()
    {
    }

    /**
     * Sets the bundle's class loader.
     *
     * @return the previous loader, for {@link #leave}
     */
    public static ClassLoader enter()
    {
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(ContextClassLoaderScope.class.getClassLoader());
        return before;
    }

    /**
     * Restores the previous loader.
     *
     * @param before result of {@link #enter}
     */
    public static void leave(final ClassLoader before)
    {
        Thread.currentThread().setContextClassLoader(before);
    }
}
